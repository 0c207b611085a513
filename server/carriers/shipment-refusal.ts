import { parcelProblem } from '#contract/parcel-rules.ts'
import { isUs } from '#contract/rows.ts'
import type { CarrierFailure, Shipment } from './port.ts'
import { findPostalService } from './services.ts'

/**
 * Why a shipment is not sent to the carrier; null if it is. All services are domestic. Orders are
 * checked before; those of an earlier version may be too large.
 */
export function shipmentRefusal({
  serviceUid,
  sender,
  receiver,
  package: parcel,
}: Shipment): CarrierFailure | null {
  if (!findPostalService(serviceUid))
    return permanentFailure('SERVICE_UNKNOWN', `The carrier does not offer ${serviceUid}`)
  const abroad = [sender, receiver].find(({ country }) => !isUs(country))
  if (abroad)
    return permanentFailure(
      'NOT_DOMESTIC',
      `This service is for addresses in the United States, and ${abroad.country} is abroad`,
    )
  const problem = parcelProblem(serviceUid, parcel)
  return problem === null ? null : permanentFailure('PARCEL_REFUSED', problem)
}

const permanentFailure = (code: string, message: string): CarrierFailure => ({
  ok: false,
  kind: 'permanent',
  code,
  message,
})
