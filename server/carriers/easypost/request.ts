/** Shipments as EasyPost requests: https://docs.easypost.com/docs/shipments. Pure. */

import type { Shipment, StoredAddress } from '#server/carriers/port.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import { ouncesRoundedUp, phoneDigits, toPrintable } from '#server/carriers/wire/parsing.ts'

/** EasyPost's names of our services, all of the postal service. */
export const SERVICE_LEVELS: Record<ServiceUid, string> = {
  'usps:GROUND_ADVANTAGE': 'GroundAdvantage',
  'usps:PRIORITY_MAIL': 'Priority',
  'usps:PRIORITY_MAIL_EXPRESS': 'Express',
}
export const CARRIER_NAME = 'USPS'

/**
 * A shipment to rate, without a service: naming one would buy it in this call, before its id is
 * known. Weight in ounces with one decimal, sides in inches. Labels of 4 x 6 inches are made as PNG,
 * the only format that EasyPost converts to others (docs.easypost.com/docs/shipments/labels).
 */
export const shipmentRequest = (
  reference: string,
  { sender, receiver, package: parcel, signature = 'none' }: Shipment,
) => ({
  shipment: {
    reference,
    from_address: toApiAddress(sender),
    to_address: toApiAddress(receiver),
    parcel: {
      length: parcel.length,
      width: parcel.width,
      height: parcel.height,
      weight: ouncesRoundedUp(parcel.weight, 1),
    },
    options: {
      label_format: 'PNG',
      label_size: '4x6',
      ...(signature !== 'none' && { delivery_confirmation: DELIVERY_CONFIRMATIONS[signature] }),
    },
  },
})

/** EasyPost's names (docs.easypost.com/docs/options). Rates contain their price. */
const DELIVERY_CONFIRMATIONS = {
  signature: 'SIGNATURE',
  adult: 'ADULT_SIGNATURE',
} as const

export const buyRequest = (rateId: string) => ({ rate: { id: rateId } })

function toApiAddress({ name, company, phone, street1, street2, city, state, zip }: StoredAddress) {
  const digits = phoneDigits(phone)
  return {
    name: toPrintable(name),
    ...(company !== '' && { company: toPrintable(company) }),
    street1: toPrintable(street1),
    ...(street2 !== '' && { street2: toPrintable(street2) }),
    city: toPrintable(city),
    state,
    zip,
    // Only domestic shipments reach this code.
    country: 'US',
    ...(digits !== '' && { phone: digits }),
  }
}
