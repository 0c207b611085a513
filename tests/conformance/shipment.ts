import type { Shipment } from '#server/carriers/port.ts'

const sender = {
  name: 'Mason Trading',
  company: '',
  phone: '512-555-0123',
  street1: '100 Congress Ave',
  street2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}
/** The shipment that the conformance suite buys labels for. */
export const shipment: Shipment = {
  serviceUid: 'usps:GROUND_ADVANTAGE',
  sender,
  receiver: {
    ...sender,
    name: 'José Łukasz',
    phone: '',
    street1: '2210 E Olive Ave',
    city: 'Fresno',
    state: 'CA',
    zip: '93701',
  },
  package: {
    length: 9,
    width: 6,
    height: 3,
    weight: 1.5,
    description: 'Mug',
    quantity: '1',
    sku: 'MUG-1',
  },
}
