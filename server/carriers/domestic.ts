import { isUs } from '#contract/rows.ts'
import { serviceOf } from './catalogue.ts'
import type { Failure, Shipment } from './port.ts'

/** Why a shipment is none for the services of the house, which all end at the border; null where it is one. */
export function domesticRefusal({ serviceUid, sender, receiver }: Shipment): Failure | null {
  if (!serviceOf(serviceUid))
    return refuse('SERVICE_UNKNOWN', `The carrier does not offer ${serviceUid}`)
  const abroad = [sender, receiver].find(({ country }) => !isUs(country))
  return abroad
    ? refuse(
        'NOT_DOMESTIC',
        `This service is for addresses in the United States, and ${abroad.country} is abroad`,
      )
    : null
}

const refuse = (code: string, message: string): Failure => ({
  ok: false,
  kind: 'permanent',
  code,
  message,
})
