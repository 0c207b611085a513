import type { LabelPaper } from '#server/labels/paper.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'

/** A label as most of them are; the serial makes it one of its own. */
export function paper(serial: number | bigint, changes: Partial<LabelPaper> = {}): LabelPaper {
  return {
    trackingNumber: sandboxTracking(serial),
    serviceName: 'USPS Ground Advantage',
    from: {
      name: 'Wanda Osei', company: 'Crystal Creek Meats', phone: '907-555-0150',
      street1: '5357 N. Umpqua Hwy', street2: '', city: 'Roseburg', state: 'OR', zip: '97470',
    },
    to: {
      name: 'Opal Wainwright', company: 'Indian Valley Meats, Inc.', phone: '(404) 555-0192',
      street1: '200 Huot Circle', street2: 'Apt 4B', city: 'Indian', state: 'AK', zip: '99540',
    },
    weightLb: 2.5, lengthIn: 9, widthIn: 6, heightIn: 3.25,
    description: 'Copper Door Mat (large)', quantity: 2, sku: 'HGP-2746-PK', orderId: '114-1794598-2115959',
    ...changes,
  }
}
