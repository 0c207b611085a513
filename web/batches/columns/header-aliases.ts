/** What the columns of other programs are called, and which of our fields each name means. */

import type { ColumnUnit, MappedUse } from '#contract/imports.ts'
import { measureKind, measureUnit } from '#contract/measures.ts'
import type { RowField } from '#contract/rows.ts'
import { normalizeText } from '#contract/text.ts'
import { OPTION_HEADER_KEYS } from '#web/batches/import/option-headers.ts'
import { headerKey } from '#web/client/header-key.ts'
import { GERMAN, SPANISH } from './translated-headers.ts'
import type { HeaderWords } from './translated-headers.ts'

/** Parts of an address, by the names they have after 'ship to', 'from' and the like. */
const ADDRESS_PARTS: Record<string, readonly string[]> = {
  name: ['name', 'fullname', 'contact', 'contactname', 'attention', 'attn', 'person'],
  company: ['company', 'companyname', 'organization', 'organisation', 'business', 'businessname'],
  phone: [
    'phone',
    'phonenumber',
    'phoneno',
    'telephone',
    'telephonenumber',
    'tel',
    'mobile',
    'cell',
    'cellphone',
  ],
  street1: [
    'address',
    'address1',
    'addressline1',
    'addressline',
    'street',
    'street1',
    'streetaddress',
    'streetaddress1',
    'streetline1',
    'addr',
    'addr1',
    'line1',
    'road',
  ],
  street2: [
    'address2',
    'addressline2',
    'street2',
    'streetaddress2',
    'streetline2',
    'addr2',
    'line2',
    'apt',
    'apartment',
    'suite',
    'aptsuite',
  ],
  city: ['city', 'town', 'cityname', 'citytown', 'locality'],
  state: [
    'state',
    'province',
    'stateprovince',
    'stateregion',
    'statecode',
    'provincecode',
    'region',
  ],
  zip: [
    'zip',
    'zipcode',
    'zippostal',
    'zippostalcode',
    'postal',
    'postalcode',
    'postcode',
    'zippostcode',
    'zip5',
  ],
  country: ['country', 'countrycode', 'countryname', 'countryregion'],
}
const ADDRESS_FIELDS: Record<string, Record<'From' | 'To', RowField>> = {
  name: { From: 'FromSenderName', To: 'ToRecipientName' },
  company: { From: 'FromCompany', To: 'ToCompany' },
  phone: { From: 'FromPhone', To: 'ToPhone' },
  street1: { From: 'FromStreet1', To: 'ToStreet1' },
  street2: { From: 'FromStreet2', To: 'ToStreet2' },
  city: { From: 'FromCity', To: 'ToCity' },
  state: { From: 'FromStateProvince', To: 'ToStateProvince' },
  zip: { From: 'FromZipPostal', To: 'ToZipPostal' },
  country: { From: 'FromCountry', To: 'ToCountry' },
}
const SIDES: Record<'From' | 'To', readonly string[]> = {
  To: [
    'to',
    'shipto',
    'ship',
    'shipping',
    'shippingto',
    'recipient',
    'recipients',
    'receiver',
    'delivery',
    'deliverto',
    'destination',
    'consignee',
    'customer',
    'client',
  ],
  From: ['from', 'shipfrom', 'sender', 'origin', 'return', 'returnto', 'shipper', 'warehouse'],
}
/** A buyer's address is where the invoice goes. */
const OTHER_SIDES =
  /^(?:billing|bill|billto|invoice|buyer|payer|rechnung|factura|comprador)|(?:billing|rechnung|facturacion|comprador)$/

const OTHER_ALIASES: Partial<Record<MappedUse, readonly string[]>> = {
  ...OPTION_HEADER_KEYS,
  FirstName: ['firstname', 'givenname', 'forename', 'first'],
  LastName: ['lastname', 'surname', 'familyname', 'last'],
  CityStateZip: ['citystatezip', 'citystatezipcode', 'citystatepostalcode', 'citystzip'],
  // The buyer is who waits for the parcel, also where it goes to another person.
  ToEmail: [
    'email',
    'emailaddress',
    'toemail',
    'shiptoemail',
    'shippingemail',
    'recipientemail',
    'receiveremail',
    'customeremail',
    'buyeremail',
    'billingemail',
    'contactemail',
  ],
  StreetNumber: ['housenumber', 'houseno', 'housenum', 'streetnumber', 'streetno'],
  ToRecipientName: [
    'recipient',
    'receiver',
    'consignee',
    'shipto',
    'deliverto',
    'customer',
    'client',
  ],
  orderId: [
    'order',
    'orderid',
    'orderno',
    'ordernumber',
    'ordernum',
    'ordername',
    'orderref',
    'orderreference',
    'salesorder',
    'po',
    'ponumber',
  ],
  orderItemId: ['itemid', 'orderitemid', 'lineid', 'lineitemid', 'orderlineid'],
  skuNumber: [
    'sku',
    'skunumber',
    'skucode',
    'itemsku',
    'lineitemsku',
    'sellersku',
    'productsku',
    'variantsku',
    'itemcode',
    'itemnumber',
    'productcode',
    'partnumber',
    'customlabel',
  ],
  quantity: [
    'quantity',
    'qty',
    'qtyordered',
    'orderqty',
    'orderquantity',
    'itemquantity',
    'itemqty',
    'lineitemquantity',
    'units',
    'pieces',
    'pcs',
  ],
  PackageWeight: [
    'weight',
    'packageweight',
    'parcelweight',
    'itemweight',
    'shippingweight',
    'totalweight',
    'grossweight',
    'wt',
  ],
  WeightUnit: [
    'weightunit',
    'wtunit',
    'weightunits',
    'unitofweight',
    'weightuom',
    'weightunitofmeasure',
  ],
  SizeUnit: [
    'sizeunit',
    'dimensionunit',
    'dimensionsunit',
    'dimunit',
    'lengthunit',
    'unitofsize',
    'dimensionuom',
  ],
  PackageLength: ['length', 'packagelength', 'parcellength', 'dimensionslength', 'l'],
  PackageWidth: ['width', 'packagewidth', 'parcelwidth', 'dimensionswidth', 'w'],
  PackageHeight: ['height', 'packageheight', 'parcelheight', 'dimensionsheight', 'depth', 'h'],
  PackageDescription: [
    'description',
    'contents',
    'itemname',
    'itemdescription',
    'product',
    'productname',
    'producttitle',
    'itemtitle',
    'lineitemname',
    'item',
    'goods',
  ],
  PackageReference1: ['reference', 'reference1', 'ref', 'ref1', 'customerreference'],
  PackageReference2: ['reference2', 'ref2'],
  courier: ['courier'],
}

/** `isPlain`: an address column that does not say whose address it is. */
type HeaderUse = { use: MappedUse; isPlain: boolean }

const ENGLISH: HeaderWords = { parts: ADDRESS_PARTS, sides: SIDES, others: OTHER_ALIASES }

const usesOf = ({ parts, sides, others }: HeaderWords): (readonly [string, HeaderUse])[] => [
  ...Object.entries(parts).flatMap(([part, names]) =>
    names.map(name => [name, { use: ADDRESS_FIELDS[part]!.To, isPlain: true }] as const),
  ),
  ...(['To', 'From'] as const).flatMap(side =>
    Object.entries(parts).flatMap(([part, names]) =>
      names.flatMap(name =>
        sides[side].flatMap(prefix =>
          [prefix + name, name + prefix].map(
            key => [key, { use: ADDRESS_FIELDS[part]![side], isPlain: false }] as const,
          ),
        ),
      ),
    ),
  ),
  ...sides.To.flatMap(prefix =>
    (['FirstName', 'LastName', 'StreetNumber'] as const).flatMap(use =>
      others[use]!.flatMap(name =>
        [prefix + name, name + prefix].map(key => [key, { use, isPlain: false }] as const),
      ),
    ),
  ),
  ...Object.entries(others).flatMap(([use, names]) =>
    names.map(name => [name, { use: use as MappedUse, isPlain: false }] as const),
  ),
]

/** By the names as they are compared; of equal names the first counts. */
const USES: ReadonlyMap<string, HeaderUse> = new Map<string, HeaderUse>(
  [ENGLISH, GERMAN, SPANISH].flatMap(usesOf).toReversed(),
)

const WORDS_OF_UNITS = new Map<string, ColumnUnit>([
  ['pounds', 'lb'],
  ['lbs', 'lb'],
  ['ounces', 'oz'],
  ['grams', 'g'],
  ['kilograms', 'kg'],
])

/** Without accents: 'Straße' and 'Strasse' are the same name. */
const nameKey = (header: string): string =>
  headerKey(normalizeText(header, 'NFKD').replace(/\p{M}/gu, '').replace(/ß/gi, 'ss'))

/** 'Order ID (required)' of templates that are to be filled in. */
const REMARK = /\((?:required|optional)\)\s*$/i

/** The field that a header means by its name, with the unit it names; null for an unknown name. */
export function useOfHeader(header: string): (HeaderUse & { unit?: ColumnUnit }) | null {
  const key = nameKey(header.replace(REMARK, ''))
  const ofWeight = WORDS_OF_UNITS.get(key)
  if (ofWeight) return { use: 'PackageWeight', unit: ofWeight, isPlain: false }
  const found = USES.get(key)
  if (found) return found
  const [, name = '', unit = ''] =
    /^(.*?)[\s([_-]+(?:(?:in|en)\s+)?([a-z]+|["”″])\W*$/i.exec(header) ?? []
  const measure = USES.get(nameKey(name))
  const kind = measure && measureKind(measure.use)
  const known = kind && measureUnit(unit, kind)
  return measure && known ? { ...measure, unit: known } : null
}

/** Names are similar from here on: one wrong letter in ten. */
const MIN_SIMILARITY = 0.9
const LONGEST_NAME = 40

export function useOfSimilarHeader(header: string): HeaderUse | null {
  const key = nameKey(header)
  if (key.length > LONGEST_NAME || isOfOtherSide(header)) return null
  let best: HeaderUse | null = null
  let bestScore = MIN_SIMILARITY
  for (const [name, use] of USES) {
    const longer = Math.max(name.length, key.length)
    if (Math.abs(name.length - key.length) > longer * (1 - MIN_SIMILARITY)) continue
    const score = 1 - editDistance(key, name) / longer
    if (score < bestScore || (score === bestScore && best !== null)) continue
    best = use
    bestScore = score
  }
  return best
}

/** They number streets only right after a street: elsewhere orders or rows. */
const PLAIN_NUMBERS: ReadonlySet<string> = new Set(['nr', 'no', 'n', 'num', 'number', 'numero'])

export const isPlainNumber = (header: string): boolean => PLAIN_NUMBERS.has(nameKey(header))

export const isOfOtherSide = (header: string): boolean => OTHER_SIDES.test(nameKey(header))

/** How many letters must be added, removed or replaced (Levenshtein). */
function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const now = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      now.push(Math.min(before[j]! + 1, now[j - 1]! + 1, replaced))
    }
    before = now
  }
  return before[b.length]!
}
