/** Our shipment in the words of ShipEngine (contracts: shipengine). Pure. */
import type { ServiceUid } from '#server/carriers/catalogue.ts'
import type { Shipment } from '#server/carriers/port.ts'
import { ouncesUp, phoneDigits, printed } from '#server/carriers/wire/words.ts'
import type { StoredAddress } from '#server/platform/tables.ts'

const SERVICE_CODES: Record<ServiceUid, string> = {
  'usps:GROUND_ADVANTAGE': 'usps_ground_advantage',
  'usps:PRIORITY_MAIL': 'usps_priority_mail',
  'usps:PRIORITY_MAIL_EXPRESS': 'usps_priority_mail_express',
}

/** A label of 4 by 6 inches that comes with the answer: no second question, and no address to be trusted. */
export const PAPER = { label_format: 'pdf', label_layout: '4x6', label_download_type: 'inline' }

/** The body that buys a label. `name`: what the attempt is called there, unique and at most 50 characters. */
export const labelRequest = (
  name: string,
  carrierId: string,
  { serviceUid, sender, receiver, package: parcel }: Shipment,
) => ({
  shipment: {
    carrier_id: carrierId,
    service_code: SERVICE_CODES[serviceUid as ServiceUid],
    external_shipment_id: name,
    ship_from: { ...addressOf(sender), phone: phoneDigits(sender.phone) || NO_PHONE },
    ship_to: {
      ...addressOf(receiver),
      ...(phoneDigits(receiver.phone) && { phone: phoneDigits(receiver.phone) }),
    },
    packages: [
      {
        package_code: 'package',
        weight: { value: ouncesUp(parcel.weight, 1), unit: 'ounce' },
        dimensions: {
          unit: 'inch',
          length: parcel.length,
          width: parcel.width,
          height: parcel.height,
        },
      },
    ],
  },
  ...PAPER,
})

/** A sender must have a telephone. It is not printed on the labels of the postal service. */
const NO_PHONE = '0000000000'

function addressOf({ name, company, street1, street2, city, state, zip }: StoredAddress) {
  return {
    name: printed(name),
    ...(company !== '' && { company_name: printed(company) }),
    address_line1: printed(street1),
    ...(street2 !== '' && { address_line2: printed(street2) }),
    city_locality: printed(city),
    state_province: state,
    postal_code: zip,
    country_code: 'US',
  }
}
