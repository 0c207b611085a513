import { isUs } from '#contract/rows.ts'
import type { CarrierFailure, Shipment } from './port.ts'
import { findPostalService } from './services.ts'

/** Why a shipment is none for the services of the house, which all end at the border; null where it is one. */
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
