import { isUs } from '#contract/rows.ts'
import type { CarrierFailure, Shipment } from './port.ts'
import { findPostalService } from './services.ts'

/** Why a shipment is not domestic; null if it is. All services are domestic. */
export function domesticRefusal({ serviceUid, sender, receiver }: Shipment): CarrierFailure | null {
  if (!findPostalService(serviceUid))
    return permanentFailure('SERVICE_UNKNOWN', `The carrier does not offer ${serviceUid}`)
  const abroad = [sender, receiver].find(({ country }) => !isUs(country))
  return abroad
    ? permanentFailure(
        'NOT_DOMESTIC',
        `This service is for addresses in the United States, and ${abroad.country} is abroad`,
      )
    : null
}

const permanentFailure = (code: string, message: string): CarrierFailure => ({
  ok: false,
  kind: 'permanent',
  code,
  message,
})
