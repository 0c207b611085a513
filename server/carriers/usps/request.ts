/** Shipments as requests of the USPS Labels API, version 3. */

import { PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type {
  CarrierLabelFormat,
  ScanFormRequest,
  Shipment,
  StoredAddress,
  StoredPackage,
} from '#server/carriers/port.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import { phoneDigits, toPrintable } from '#server/carriers/wire/parsing.ts'

const MAIL_CLASSES: Record<ServiceUid, string> = {
  'usps:GROUND_ADVANTAGE': 'USPS_GROUND_ADVANTAGE',
  'usps:PRIORITY_MAIL': 'PRIORITY_MAIL',
  'usps:PRIORITY_MAIL_EXPRESS': 'PRIORITY_MAIL_EXPRESS',
}

/** The payer, and whose numbers labels get: the data of an Enterprise Payment account. */
export type UspsAccount = {
  crid: string
  mid: string
  manifestMid: string
  type: string
  number: string
}

/** `mailingDate`: yyyy-mm-dd, today or up to seven days later. */
export function labelRequest(
  { serviceUid, sender, receiver, package: parcel, signature = 'none' }: Shipment,
  mailingDate: string,
) {
  const mailClass = MAIL_CLASSES[serviceUid as ServiceUid]
  return {
    imageInfo: LABEL_FORMAT,
    fromAddress: toApiAddress(sender),
    toAddress: toApiAddress(receiver),
    packageDescription: {
      mailClass,
      rateIndicator: rateIndicatorOf(mailClass, parcel),
      weightUOM: 'lb',
      weight: parcel.weight,
      dimensionsUOM: 'in',
      length: parcel.length,
      width: parcel.width,
      height: parcel.height,
      processingCategory: isMachinable(parcel) ? 'MACHINABLE' : 'NONSTANDARD',
      mailingDate,
      destinationEntryFacilityType: 'NONE',
      ...(signature !== 'none' && { extraServices: [extraServiceOf(mailClass, signature)] }),
    },
  }
}

/** The base price, without extra services: Domestic Prices API 3, base-rates/search. */
export function quoteRequest(shipment: Shipment, mailingDate: string) {
  const { fromAddress, toAddress, packageDescription } = labelRequest(shipment, mailingDate)
  const { mailClass, rateIndicator, processingCategory, weight, length, width, height } =
    packageDescription
  return {
    originZIPCode: fromAddress.ZIPCode,
    destinationZIPCode: toAddress.ZIPCode,
    weight,
    length,
    width,
    height,
    mailClass,
    processingCategory,
    rateIndicator,
    destinationEntryFacilityType: 'NONE',
    priceType: 'COMMERCIAL',
    mailingDate,
  }
}

/** Codes of the Labels API 3, extraServices: 981 is Priority Mail Express's own signature. */
function extraServiceOf(mailClass: string, signature: 'signature' | 'adult'): number {
  if (signature === 'adult') return 922
  return mailClass === 'PRIORITY_MAIL_EXPRESS' ? 981 : 921
}

/** The size of thermal printers and of our own pages. */
const LABEL_TYPE = '4X6LABEL'
const IMAGE_TYPES: Record<CarrierLabelFormat, string> = {
  pdf: 'PDF',
  png: 'PNG',
  zpl: 'ZPL203DPI',
}
const LABEL_FORMAT = {
  imageType: IMAGE_TYPES[PURCHASED_FORMAT],
  labelType: LABEL_TYPE,
  receiptOption: 'NONE',
}

/** Reprints have no receipt option. */
export const reprintRequest = (format: CarrierLabelFormat) => ({
  imageInfo: { imageType: IMAGE_TYPES[format], labelType: LABEL_TYPE },
})

/** PS Form 5630 on Letter paper. Labels of another mailing day get that of the form. */
export const scanFormRequest = ({ sender, day, labels }: ScanFormRequest) => ({
  imageInfo: { imageType: IMAGE_TYPES.pdf, labelType: '8.5X11LABEL' },
  mailingDate: day,
  overwriteMailingDate: true,
  entryFacilityZIPCode: sender.zip.slice(0, 5),
  destinationEntryFacilityType: 'NONE',
  shipment: { trackingNumbers: labels.map(({ trackingNumber }) => trackingNumber) },
  fromAddress: toApiAddress(sender),
})

function toApiAddress({ name, company, phone, street1, street2, city, state, zip }: StoredAddress) {
  const [ZIPCode = '', ZIPPlus4] = zip.split('-')
  return {
    ...toAddressee(toPrintable(name), toPrintable(company)),
    streetAddress: toPrintable(street1),
    ...(street2 && { secondaryAddress: toPrintable(street2) }),
    city: toPrintable(city),
    state,
    ZIPCode,
    ...(ZIPPlus4 && { ZIPPlus4 }),
    ...(phoneDigits(phone) && { phone: phoneDigits(phone) }),
  }
}

/** USPS requires first and last name, or a firm; a single name goes to the firm. */
function toAddressee(name: string, company: string) {
  const words = name.split(' ')
  if (words.length === 1) return { firm: [name, company].filter(text => text !== '').join(', ') }
  return {
    firstName: words.slice(0, -1).join(' '),
    lastName: words.at(-1)!,
    ...(company !== '' && { firm: company }),
  }
}

const OVERSIZED_FROM_IN = 108
const CUBIC_FOOT = 1728

/** Price table: oversized, dimensional weight, or weight. */
function rateIndicatorOf(mailClass: string, parcel: StoredPackage): string {
  const [length, ...others] = sortedSides(parcel)
  if (
    length! + 2 * (others[0]! + others[1]!) > OVERSIZED_FROM_IN
    && mailClass === 'USPS_GROUND_ADVANTAGE'
  )
    return 'OS'
  if (mailClass === 'PRIORITY_MAIL_EXPRESS') return 'PA'
  return parcel.length * parcel.width * parcel.height > CUBIC_FOOT ? 'DR' : 'SP'
}

/** Domestic Mail Manual 201, 7.5: 6 x 3 x 0.25 to 22 x 18 x 15 inches, 6 ounces to 25 pounds. */
function isMachinable(parcel: StoredPackage): boolean {
  const [length, width, height] = sortedSides(parcel)
  return (
    length! >= 6
    && length! <= 22
    && width! >= 3
    && width! <= 18
    && height! >= 0.25
    && height! <= 15
    && parcel.weight >= 6 / 16
    && parcel.weight <= 25
  )
}

const sortedSides = ({ length, width, height }: StoredPackage): number[] =>
  [length, width, height].sort((a, b) => b - a)

/** Requests the token that charges the operator's account. */
export const paymentRequest = ({ crid, mid, manifestMid, type, number }: UspsAccount) => ({
  roles: [
    {
      roleName: 'PAYER',
      CRID: crid,
      MID: mid,
      manifestMID: manifestMid,
      accountType: type,
      accountNumber: number,
    },
    { roleName: 'LABEL_OWNER', CRID: crid, MID: mid, manifestMID: manifestMid },
  ],
})

export const tokenRequest = (clientId: string, clientSecret: string) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
})

/** Today in US Eastern time, yyyy-mm-dd, which is not in the past anywhere on the mainland. */
export const mailingDay = (now: Date): string =>
  now.toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
