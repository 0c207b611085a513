import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import type { LabelData } from '#server/labels/label-data.ts'

/** A label as most of them are; the serial makes it one of its own. */
export function sampleLabel(serial: number | bigint, changes: Partial<LabelData> = {}): LabelData {
  return {
    trackingNumber: sandboxTracking(serial),
    serviceName: 'USPS Ground Advantage',
    from: {
      name: 'Wanda Osei',
      company: 'Crystal Creek Meats',
      phone: '907-555-0150',
      street1: '5357 N. Umpqua Hwy',
      street2: '',
      city: 'Roseburg',
      state: 'OR',
      zip: '97470',
    },
    to: {
      name: 'Opal Wainwright',
      company: 'Indian Valley Meats, Inc.',
      phone: '(404) 555-0192',
      street1: '200 Huot Circle',
      street2: 'Apt 4B',
      city: 'Indian',
      state: 'AK',
      zip: '99540',
    },
    weightLb: 2.5,
    lengthIn: 9,
    widthIn: 6,
    heightIn: 3.25,
    description: 'Copper Door Mat (large)',
    quantity: 2,
    sku: 'HGP-2746-PK',
    orderId: '114-1794598-2115959',
    ...changes,
  }
}

/** What is read on such a label from the service to the receiver's phone, line by line. */
export const SAMPLE_LABEL_LINES = [
  'SAMPLE USPS GROUND ADVANTAGE',
  'WANDA OSEI',
  '2.5 LB',
  'CRYSTAL CREEK MEATS',
  '9 X 6 X 3.25 IN',
  '5357 N. UMPQUA HWY',
  'ROSEBURG OR 97470',
  '907-555-0150',
  'SHIP TO: OPAL WAINWRIGHT',
  'INDIAN VALLEY MEATS, INC.',
  '200 HUOT CIRCLE',
  'APT 4B',
  'INDIAN AK 99540',
  '(404) 555-0192',
]

/** What stands on every specimen, word for word. */
export const SPECIMEN_MARKINGS = [
  'SAMPLE – NOT VALID FOR POSTAGE',
  'NO POSTAGE PAID. DO NOT MAIL.',
  'SAMPLE TRACKING # – NOT A LIVE NO.',
]

/** Words that only real postage may carry. */
export const REAL_POSTAGE_WORDS =
  /U\.?S\.? POSTAGE|POSTAGE PAID(?!\. DO NOT MAIL)|FEES PAID|PERMIT|INDICI|USPS TRACKING/i

/** Labels whose texts would be something else: operators of PDF, commands of printers, far too long, nothing, black boxes, postage. */
export const HOSTILE_LABELS: readonly LabelData[] = [
  sampleLabel(101, { serviceName: ') Tj ET Q 0 0 288 432 re f (' }),
  sampleLabel(102, { serviceName: 'U.S. Express '.repeat(40) }),
  sampleLabel(103, {
    to: partyWith('W'.repeat(400), 'W'.repeat(400)),
    from: partyWith('M'.repeat(400), 'A(\\)B^FS~JA'),
  }),
  sampleLabel(104, {
    to: partyWith('\n\n\n\n\u0000\r', 'Tj\\'),
    description: '\\'.repeat(300),
    sku: '(('.repeat(90),
    orderId: '))'.repeat(90),
  }),
  sampleLabel(105, {
    to: partyWith('███████████████', '■■■■■■'),
    serviceName: '██████████████████████',
    sku: '█'.repeat(99),
  }),
  sampleLabel(106, {
    weightLb: 1e21,
    lengthIn: 123456789.987,
    widthIn: 1e9,
    heightIn: 1e9,
    quantity: 999999999,
  }),
  sampleLabel(107, {
    to: partyWith('^XZ^XA^FO0,0^GB812,1218,1218^FS', '~JA\r\n^XA'),
    serviceName: '^FR^GB800,800,800,W^FS',
    description: '\\&\\&\\&',
  }),
  sampleLabel(108, {
    to: partyWith('Hall of U.S. Postage Paid', 'At Permit No. 1234'),
    serviceName: 'Flats, POSTAGE POSTAGE AND FEES PAID PAID',
    description: 'By U S POSTAGE, or POSTAGE & PAID',
    sku: 'To PERMIT #77',
    orderId: 'PoSTaGe\u200b\u00a0PAiD',
  }),
  sampleLabel(109, {
    to: partyWith(
      '</text></g><rect width="812" height="1218"/><g><text>',
      '&#0;&amp;<!--<![CDATA[',
    ),
    serviceName: '"/><image href="https://example.com/x.png" width="812" height="1218"/>',
    description: '\' & < > " ]]> &lt;',
  }),
]

function partyWith(name: string, street1: string): LabelData['to'] {
  return {
    name,
    company: name,
    phone: name,
    street1,
    street2: street1,
    city: name,
    state: 'CA',
    zip: '92688-1234',
  }
}
