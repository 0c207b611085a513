/** Shipments as ShipEngine requests. Pure. */

import type { Shipment, StoredAddress } from '#server/carriers/port.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import { ouncesRoundedUp, phoneDigits, toPrintable } from '#server/carriers/wire/parsing.ts'

export const SERVICE_CODES: Record<ServiceUid, string> = {
  'usps:GROUND_ADVANTAGE': 'usps_ground_advantage',
  'usps:PRIORITY_MAIL': 'usps_priority_mail',
  'usps:PRIORITY_MAIL_EXPRESS': 'usps_priority_mail_express',
}

/**
 * A 4 x 6 inch label inside the response: no second call, no address to trust. Its format is PDF by
 * default; ShipEngine makes all formats only when none is named (help.shipengine.com, label formats).
 */
export const LABEL_FORMAT = {
  label_layout: '4x6',
  label_download_type: 'inline',
}

/** `name`: the attempt's external id, unique, at most 50 characters. */
export const labelRequest = (
  name: string,
  carrierId: string,
  { serviceUid, sender, receiver, package: parcel, signature = 'none' }: Shipment,
) => ({
  shipment: {
    carrier_id: carrierId,
    service_code: SERVICE_CODES[serviceUid as ServiceUid],
    external_shipment_id: name,
    ...(signature !== 'none' && { confirmation: CONFIRMATIONS[signature] }),
    ship_from: { ...toApiAddress(sender), phone: phoneDigits(sender.phone) || NO_PHONE },
    ship_to: {
      ...toApiAddress(receiver),
      ...(phoneDigits(receiver.phone) && { phone: phoneDigits(receiver.phone) }),
    },
    packages: [
      {
        package_code: 'package',
        weight: { value: ouncesRoundedUp(parcel.weight, 1), unit: 'ounce' },
        dimensions: {
          unit: 'inch',
          length: parcel.length,
          width: parcel.width,
          height: parcel.height,
        },
      },
    ],
  },
  ...LABEL_FORMAT,
})

export const estimateRequest = (
  carrierId: string,
  shipsAt: Date,
  { sender, receiver, package: parcel, signature = 'none' }: Shipment,
) => ({
  carrier_ids: [carrierId],
  from_country_code: 'US',
  from_postal_code: sender.zip,
  from_city_locality: toPrintable(sender.city),
  from_state_province: sender.state,
  to_country_code: 'US',
  to_postal_code: receiver.zip,
  to_city_locality: toPrintable(receiver.city),
  to_state_province: receiver.state,
  weight: { value: ouncesRoundedUp(parcel.weight, 1), unit: 'ounce' },
  dimensions: {
    unit: 'inch',
    length: parcel.length,
    width: parcel.width,
    height: parcel.height,
  },
  ...(signature !== 'none' && { confirmation: CONFIRMATIONS[signature] }),
  ship_date: shipsAt.toISOString(),
})

/** ShipEngine's names (openapi.yaml, delivery_confirmation). */
const CONFIRMATIONS = { signature: 'signature', adult: 'adult_signature' } as const

/** ShipEngine requires a sender's phone; postal labels do not print it. */
const NO_PHONE = '0000000000'

function toApiAddress({ name, company, street1, street2, city, state, zip }: StoredAddress) {
  return {
    name: toPrintable(name),
    ...(company !== '' && { company_name: toPrintable(company) }),
    address_line1: toPrintable(street1),
    ...(street2 !== '' && { address_line2: toPrintable(street2) }),
    city_locality: toPrintable(city),
    state_province: state,
    postal_code: zip,
    country_code: 'US',
  }
}
