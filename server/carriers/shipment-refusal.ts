import type { Cents } from '#contract/money.ts'
import { parcelFault } from '#contract/parcel-rules.ts'
import { isUs } from '#contract/rows.ts'
import type { CarrierFailure, Shipment } from './port.ts'
import { findPostalService } from './services.ts'
import { permanentFailure } from './wire/failures.ts'

/**
 * Why a shipment is not sent to the carrier; null if it is. All services are domestic. Orders are
 * checked before; those of an earlier version may be too large.
 */
export function shipmentRefusal({
  serviceUid,
  sender,
  receiver,
  package: parcel,
  saturday,
}: Shipment): CarrierFailure | null {
  if (!findPostalService(serviceUid))
    return permanentFailure('SERVICE_UNKNOWN', `The carrier does not offer ${serviceUid}`)
  const abroad = [sender, receiver].find(({ country }) => !isUs(country))
  if (abroad)
    return permanentFailure(
      'NOT_DOMESTIC',
      `This service is for addresses in the United States, and ${abroad.country} is abroad`,
    )
  if (saturday)
    return permanentFailure(
      'OPTION_NOT_SOLD',
      'The postal service has no option for Saturday delivery',
    )
  const fault = parcelFault(serviceUid, parcel)
  return fault === null ? null : permanentFailure('PARCEL_REFUSED', fault.text)
}

/** Why a label that costs so many cents is not bought; null if it is. */
export const costRefusal = ({ maxCost }: Shipment, costCents: Cents): CarrierFailure | null =>
  maxCost === undefined || maxCost === null || costCents <= maxCost
    ? null
    : {
        ...permanentFailure(
          'ABOVE_CEILING',
          'The carrier’s price for this parcel is above what this service covers. Nothing was charged',
        ),
        costCents,
      }
