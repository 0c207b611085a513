/**
 * A bulk row: a line of a file or of the bulk page's table. All fields are text, as read or typed;
 * row-rules.ts validates.
 */
import type { OptionCells } from './label-options.ts'
import { stateCode, TERRITORIES } from './states.ts'
import { tidyText, tidyWithin } from './text.ts'

/** Inches and pounds. `ServiceName`: a service's uid or name. */
export type BulkRow = {
  FromSenderName: string
  FromCompany: string
  FromPhone: string
  FromStreet1: string
  FromStreet2: string
  FromCity: string
  FromStateProvince: string
  FromZipPostal: string
  FromCountry: string
  ToRecipientName: string
  ToCompany: string
  ToPhone: string
  ToStreet1: string
  ToStreet2: string
  ToCity: string
  ToStateProvince: string
  ToZipPostal: string
  ToCountry: string
  PackageLength: string
  PackageWidth: string
  PackageHeight: string
  PackageWeight: string
  PackageDescription: string
  PackageReference1: string
  PackageReference2: string
  ServiceName: string
  courier: string
  orderId: string
  orderItemId: string
  quantity: string
  skuNumber: string
}
export type RowField = keyof BulkRow

/**
 * One order item of a row that combines several. `orderId`: of the item's order, where it is not the
 * row's. `extra`: columns of the source that its confirmation file repeats, at most 4 kB in a row.
 */
export type RowItem = {
  orderId?: string
  orderItemId: string
  sku: string
  quantity: string
  extra?: Record<string, string>
}

/**
 * A row as sent. Without `items`, the row is its own item. `ToEmail`: for mails to the receiver;
 * `signature` and `saturday`: what its label asks for beside the service.
 */
export type SubmittedRow = BulkRow & { items?: RowItem[]; ToEmail?: string } & OptionCells

export type FieldKind =
  | 'text'
  | 'number'
  | 'count'
  | 'phone'
  | 'state'
  | 'zip'
  | 'country'
  | 'courier'
  | 'service'
export type FieldGroup = 'Order' | 'From' | 'To' | 'Package'

/**
 * `label`: column head inside its group; `header`: column of a .csv file; `max`: longest text in
 * characters.
 */
export type Field = {
  name: RowField
  group: FieldGroup
  label: string
  header: string
  kind: FieldKind
  required: boolean
  max: number
}

type FieldRows = [
  name: RowField,
  label: string,
  header: string,
  kind: FieldKind,
  required: boolean,
  max: number,
][]
const fieldsOfGroup = (name: FieldGroup, columns: FieldRows): Field[] =>
  columns.map(([field, label, header, kind, required, max]) => ({
    name: field,
    group: name,
    label,
    header,
    kind,
    required,
    max,
  }))

/** Every field of a row in the order of the table's columns. */
export const FIELDS: readonly Field[] = [
  ...fieldsOfGroup('Order', [
    ['orderId', 'Order ID', 'ORDER ID', 'text', false, 60],
    ['orderItemId', 'Item ID', 'ORDER ITEM ID', 'text', false, 60],
    ['skuNumber', 'SKU', 'SKU', 'text', false, 60],
    ['quantity', 'Quantity', 'QUANTITY', 'count', false, 6],
    ['ServiceName', 'Service', 'SERVICE', 'service', false, 120],
    ['courier', 'Courier', 'COURIER', 'courier', false, 60],
  ]),
  ...fieldsOfGroup('From', [
    ['FromSenderName', 'Name', 'FROM NAME', 'text', true, 60],
    ['FromCompany', 'Company', 'FROM COMPANY', 'text', false, 80],
    ['FromPhone', 'Phone', 'FROM PHONE', 'phone', false, 40],
    ['FromStreet1', 'Street', 'FROM ADDRESS 1', 'text', true, 100],
    ['FromStreet2', 'Street 2', 'FROM ADDRESS 2', 'text', false, 100],
    ['FromCity', 'City', 'FROM CITY', 'text', true, 60],
    ['FromStateProvince', 'State', 'FROM STATE', 'state', true, 60],
    ['FromZipPostal', 'Zip', 'FROM ZIP', 'zip', true, 20],
    ['FromCountry', 'Country', 'FROM COUNTRY', 'country', false, 60],
  ]),
  ...fieldsOfGroup('To', [
    ['ToRecipientName', 'Name', 'TO NAME', 'text', true, 60],
    ['ToCompany', 'Company', 'TO COMPANY', 'text', false, 80],
    ['ToPhone', 'Phone', 'TO PHONE', 'phone', false, 40],
    ['ToStreet1', 'Street', 'TO ADDRESS 1', 'text', true, 100],
    ['ToStreet2', 'Street 2', 'TO ADDRESS 2', 'text', false, 100],
    ['ToCity', 'City', 'TO CITY', 'text', true, 60],
    ['ToStateProvince', 'State', 'TO STATE', 'state', true, 60],
    ['ToZipPostal', 'Zip', 'TO ZIP', 'zip', true, 20],
    ['ToCountry', 'Country', 'TO COUNTRY', 'country', false, 60],
  ]),
  ...fieldsOfGroup('Package', [
    ['PackageLength', 'Length', 'LENGTH', 'number', true, 24],
    ['PackageWidth', 'Width', 'WIDTH', 'number', true, 24],
    ['PackageHeight', 'Height', 'HEIGHT', 'number', true, 24],
    ['PackageWeight', 'Weight', 'WEIGHT', 'number', true, 24],
    ['PackageDescription', 'Description', 'DESCRIPTION', 'text', false, 200],
    ['PackageReference1', 'Reference 1', 'REFERENCE 1', 'text', false, 60],
    ['PackageReference2', 'Reference 2', 'REFERENCE 2', 'text', false, 60],
  ]),
]

const FIELDS_BY_NAME = new Map<string, Field>(FIELDS.map(field => [field.name, field]))

/** Throws for an unknown name. */
export function fieldByName(name: RowField): Field {
  const field = FIELDS_BY_NAME.get(name)
  if (!field) throw new Error(`not a field of a row: ${name}`)
  return field
}

/** The header line of the bulk template, in its order. */
export const TEMPLATE_HEADERS: readonly string[] = [
  ...['FROM', 'TO'].flatMap(side =>
    ['NAME', 'COMPANY', 'PHONE', 'ADDRESS 1', 'ADDRESS 2', 'CITY', 'STATE', 'ZIP'].map(
      part => `${side} ${part}`,
    ),
  ),
  'LENGTH',
  'WIDTH',
  'HEIGHT',
  'WEIGHT',
]

/** The fields of the template's headers, in the same order. */
export const TEMPLATE_FIELDS: readonly RowField[] = TEMPLATE_HEADERS.map(header => {
  const field = FIELDS.find(one => one.header === header)
  if (!field) throw new Error(`no field for the template column ${header}`)
  return field.name
})

export const TEMPLATE_CSV = `${TEMPLATE_HEADERS.join(',')}\r\n`

/** The measures of a parcel, which a SKU record has too. */
export const MEASURES = ['PackageLength', 'PackageWidth', 'PackageHeight', 'PackageWeight'] as const

/** A row with defaults only. */
export const emptyRow = (): BulkRow => ({
  FromSenderName: '',
  FromCompany: '',
  FromPhone: '',
  FromStreet1: '',
  FromStreet2: '',
  FromCity: '',
  FromStateProvince: '',
  FromZipPostal: '',
  FromCountry: 'US',
  ToRecipientName: '',
  ToCompany: '',
  ToPhone: '',
  ToStreet1: '',
  ToStreet2: '',
  ToCity: '',
  ToStateProvince: '',
  ToZipPostal: '',
  ToCountry: 'US',
  PackageLength: '',
  PackageWidth: '',
  PackageHeight: '',
  PackageWeight: '',
  PackageDescription: '',
  PackageReference1: '',
  PackageReference2: '',
  ServiceName: '',
  courier: 'usps',
  orderId: '',
  orderItemId: '',
  quantity: '1',
  skuNumber: '',
})

const PHONE = /^\+?[\d\s-]+$/
const EXTENSION = /,? ?(?:ext(?:ension)?\.?|x|#) ?:? ?(\d{1,8})$/i
/** Text without one has no extension, and is told apart faster. */
const MAY_END_IN_EXTENSION = /[a-z#]/i
/** Fewer digits in front of an 'x' are no phone number. */
const MIN_DIGITS_BEFORE_EXTENSION = 7

const NOT_PLAIN = /[./()]| {2}/
const tidyNumber = (text: string): string =>
  NOT_PLAIN.test(text)
    ? text.replace(/[./]/g, '-').replace(/[()]/g, ' ').replace(/ +/g, ' ').trim()
    : text.trim()

/** What exports write where there is no phone number. */
const NO_PHONE = /^(?:[-+.()\s0]{1,40}|n\/?a|none)$/i
const isNoPhone = (text: string): boolean => !/[1-9]/.test(text) && NO_PHONE.test(text)

/** '4045550192.0', as a column of numbers writes a phone, without its decimals; '' for '-' and the like. */
const phoneOrNone = (text: string): string => {
  if (isNoPhone(text)) return ''
  return text.endsWith('0') ? text.replace(/^(\+?\d{7,15})\.0+$/, '$1') : text
}

/**
 * '(404) 555-0192 x9' becomes '404 555-0192 ext. 9'. No digit is lost but the '.0' of a column of numbers; other text stays as it is, for
 * `isPhone` to refuse.
 */
export function tidyPhone(text: string): string {
  const typed = phoneOrNone(tidyText(text))
  const extension = MAY_END_IN_EXTENSION.test(typed) ? EXTENSION.exec(typed) : null
  const number = tidyNumber(extension ? typed.slice(0, extension.index) : typed)
  if (!extension) return PHONE.test(number) ? number : typed
  return PHONE.test(number) && number.replace(/\D/g, '').length >= MIN_DIGITS_BEFORE_EXTENSION
    ? `${number} ext. ${extension[1]}`
    : typed
}

/** Digits, spaces and dashes after an optional plus, and perhaps an extension; or what stands for none. */
export const isPhone = (text: string): boolean =>
  PHONE.test(text) || isNoPhone(text) || PHONE.test(tidyPhone(text).replace(/ ext\. \d{1,8}$/, ''))

/** 'ext. 9' of a phone number, which carriers do not take; '' without one. */
export const phoneExtension = (text: string): string =>
  MAY_END_IN_EXTENSION.test(text) ? (/ (ext\. \d{1,8})$/.exec(tidyPhone(text))?.[1] ?? '') : ''

/** '970301234' and '97030 1234' become '97030-1234'; other text is unchanged. */
export const tidyZip = (text: string): string =>
  text.length < 9 ? text : text.replace(/^(\d{5})[ -]*(\d{4})$/, '$1-$2')

const wordsKey = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '')

const USPS_NAMES = new Set(
  ['U.S.', 'US', 'United States', 'The United States']
    .flatMap(country => [`${country} Postal Service`, `${country} Post Office`])
    .flatMap(name => [name, `${name} (USPS)`, `USPS (${name})`])
    // ShipStation: 'stamps_com'.
    .concat('USPS', 'USPS.com', 'Stamps.com', 'USPS (Stamps.com)', 'Stamps.com (USPS)')
    .map(wordsKey),
)
const MAX_COURIER_LENGTH = fieldByName('courier').max
/** Not 'USPS Priority': a service has a field of its own. */
export const isUsps = (text: string): boolean =>
  text === 'usps' || (text.length <= MAX_COURIER_LENGTH && USPS_NAMES.has(wordsKey(text)))

const US_NAMES = new Set([
  '',
  'US',
  'USA',
  'UNITEDSTATES',
  'UNITEDSTATESOFAMERICA',
  'THEUNITEDSTATES',
  // WooCommerce writes 'United States (US)'.
  'UNITEDSTATESUS',
  // As most exports write it, found without a change.
  'United States',
])
const MAX_COUNTRY_LENGTH = fieldByName('ToCountry').max
/** Whether a country cell means the United States; an empty one does. */
export const isUs = (text: string): boolean =>
  text === 'US'
  || (text.length <= MAX_COUNTRY_LENGTH && (US_NAMES.has(text) || US_NAMES.has(wordsKey(text))))

/**
 * A copy of the row as it goes on a label: tidy text, two-letter states, ZIP+4 with its dash,
 * country US; a territory named as the country becomes the state. A phone number loses '.0' only, and '-' or
 * 'n/a' is none; cells that are far too long and other keys are unchanged.
 */
export function tidyRow<Row extends BulkRow>(row: Row): Row {
  const tidy: Row = { ...row }
  tidyCells(tidy)
  return tidy
}

/** As `tidyRow`, in the row itself, which nothing else may hold yet. */
export function tidyCells(cells: BulkRow): void {
  for (const { name, max } of FIELDS) {
    const text = cells[name]
    const tidy = text === '' ? text : tidyWithin(text, max)
    if (tidy !== text) cells[name] = tidy
  }
  cells.FromPhone = phoneOrNone(cells.FromPhone)
  cells.ToPhone = phoneOrNone(cells.ToPhone)
  tidyAddress(cells, 'FromStateProvince', 'FromZipPostal', 'FromCountry')
  tidyAddress(cells, 'ToStateProvince', 'ToZipPostal', 'ToCountry')
}

function tidyAddress(row: BulkRow, state: RowField, zip: RowField, country: RowField): void {
  if (row[country] !== 'US') {
    const territory = stateCode(row[country])
    const isTerritory =
      territory !== null
      && TERRITORIES.has(territory)
      && (row[state] === '' || stateCode(row[state]) === territory)
    if (isTerritory) row[state] = territory
    if (isTerritory || isUs(row[country])) row[country] = 'US'
  }
  row[state] = stateCode(row[state]) ?? row[state]
  row[zip] = tidyZip(row[zip])
}

/**
 * A row from unchecked input: known fields only, numbers as text, other types ignored; defaults
 * where a field is missing (country US, quantity 1, courier usps).
 */
export function toBulkRow(value: unknown): BulkRow {
  const row = emptyRow()
  if (typeof value !== 'object' || value === null) return row
  const given = value as Partial<Record<RowField, unknown>>
  for (const { name } of FIELDS) {
    const cell = given[name]
    if (typeof cell === 'number') row[name] = String(cell)
    else if (typeof cell === 'string' && (cell !== '' || row[name] === '')) row[name] = cell
  }
  return row
}

// The database stores neither zero characters nor unpaired surrogates.
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu

const cellText = (cell: unknown): string =>
  typeof cell === 'number' ? String(cell) : typeof cell === 'string' ? cell : ''

/**
 * The items of a row from unchecked input, tidied: known keys only, numbers as text, quantity 1
 * where it is missing; none if the input is no list. `itemsFault` (row-items.ts) validates.
 */
export function parseItems(value: unknown): RowItem[] {
  if (!Array.isArray(value)) return []
  return value.map((given: Partial<Record<keyof RowItem, unknown>> | null) => {
    const cell = (key: keyof RowItem, field: RowField): string =>
      tidyWithin(cellText(given?.[key]), fieldByName(field).max)
    const item: RowItem = {
      orderItemId: cell('orderItemId', 'orderItemId'),
      sku: cell('sku', 'skuNumber'),
      quantity: cell('quantity', 'quantity') || '1',
    }
    const orderId = cell('orderId', 'orderId')
    if (orderId !== '') item.orderId = orderId
    const extra = given?.extra
    if (typeof extra === 'object' && extra !== null)
      item.extra = Object.fromEntries(
        Object.entries(extra).map(([column, text]) => [
          column.replace(UNSTORABLE, ' '),
          cellText(text).replace(UNSTORABLE, ' '),
        ]),
      )
    return item
  })
}
