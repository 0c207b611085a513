/** Lines of an export by our names of its columns, completed within their orders. */
import type { ColumnMapping } from '#contract/imports.ts'
import type { RowField } from '#contract/rows.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import { readCell } from '#web/client/read-cell.ts'
import { readPlace } from './city-state-zip.ts'
import { withStreetNumber } from './field-rows.ts'
import type { OwnColumns } from './own-columns.ts'
import type { ColumnUse } from './source.ts'

const ADDRESS = [
  'name',
  'firstName',
  'lastName',
  'company',
  'phone',
  'street1',
  'street2',
  'street3',
  'city',
  'state',
  'zip',
  'country',
] as const
const LINE_FIELDS = [...ADDRESS, 'order', 'item', 'sku', 'itemName', 'quantity', 'weight'] as const
export type LineField = (typeof LINE_FIELDS)[number]

/** A line by our names; '' where the file has no such column. */
export type Line<More extends string = never> = Record<LineField | More, string>

/** The columns of a source that are not in every source. */
export type MoreColumns<Columns> = Exclude<keyof Columns & string, LineField>

/** Names of a column. If a file has several, the first with content on a line counts. */
export type Names = readonly string[]

/** The use of each of our names in the columns dialog. */
export const USES: Partial<Record<LineField, ColumnUse['use']>> = {
  name: 'ToRecipientName',
  firstName: 'FirstName',
  lastName: 'LastName',
  company: 'ToCompany',
  phone: 'ToPhone',
  street1: 'ToStreet1',
  street2: 'ToStreet2',
  city: 'ToCity',
  state: 'ToStateProvince',
  zip: 'ToZipPostal',
  country: 'ToCountry',
  order: 'orderId',
  item: 'orderItemId',
  sku: 'skuNumber',
  quantity: 'quantity',
  weight: 'PackageWeight',
}
const CODES: ReadonlySet<string> = new Set([
  'order',
  'item',
  'sku',
  'quantity',
  'weight',
  'phone',
  'zip',
])

/** The places of the columns that the file has, in the order of the names. */
export const placesByName = (names: Names, keys: readonly string[]): number[] =>
  names.map(name => keys.indexOf(headerKey(name))).filter(at => at >= 0)

export const hasColumn = (names: Names | undefined, keys: readonly string[]): boolean =>
  names !== undefined && names.some(name => keys.includes(headerKey(name)))

/** `addressAt`: the place of its first line with an address. */
type OrderFacts<More extends string> = {
  lines: Line<More>[]
  withAddress?: Line<More>
  addressAt?: number
}

/** The uses of columns with parts of the receiver's address. */
export const ADDRESS_USES: ReadonlySet<ColumnUse['use']> = new Set(
  ADDRESS.flatMap(field => USES[field] ?? []),
)

type Places = { field: string; at: number[]; isCode: boolean }

/**
 * The columns that our names are read from: the source's, or the user's for a part of the address that
 * the user has changed. A changed weight is read with the user's other columns.
 */
function placesOf(
  columns: Partial<Record<string, Names>>,
  keys: readonly string[],
  own: OwnColumns | null,
): Places[] {
  const ofSource = Object.entries(columns).map(([field, names = []]) => ({
    field,
    at: placesByName(names, keys),
  }))
  const isOwn = (field: string) => {
    const use = USES[field as LineField]
    return use !== undefined && own !== null && own.changed.has(use) && !DECIDING.has(field)
  }
  const ofUser = ADDRESS.filter(isOwn).map(field => ({
    field,
    at: own!.columns.filter(({ use }) => use === USES[field]).map(({ at }) => at),
  }))
  return [...ofSource.filter(({ field }) => !isOwn(field)), ...ofUser]
    .filter(({ at }) => at.length > 0)
    .map(one => ({ ...one, isCode: CODES.has(one.field) }))
}

/** Sources decide by these which lines are shipped, so they are always read from the source's columns. */
const DECIDING: ReadonlySet<string> = new Set(['order', 'item', 'sku', 'quantity'])

export function linesOf<More extends string>(
  columns: Partial<Record<LineField, Names>> & Record<More, Names>,
  { cells: { keys }, records }: Sheet,
  own: OwnColumns | null,
): Line<More>[] {
  const places = placesOf(columns, keys, own).map(({ field, at: [first, ...others], isCode }) => ({
    field: field as LineField | More,
    first: first!,
    others,
    isCode,
  }))
  const fields = [...LINE_FIELDS, ...Object.keys(columns)]
  const blank = Object.fromEntries(fields.map(field => [field, ''])) as Line<More>
  const ownAt = (use: ColumnUse['use']) => own?.columns.find(column => column.use === use)?.at
  const [placeAt, numberAt] = [ownAt('CityStateZip'), ownAt('StreetNumber')]
  return records.map(record => {
    const line: Line<More> = { ...blank }
    for (const { field, first, others, isCode } of places) {
      let cell = readCell(record[first], isCode)
      if (cell === '') for (const at of others) cell ||= readCell(record[at], isCode)
      line[field] = cell as Line<More>[LineField | More]
    }
    if (placeAt !== undefined) {
      const { city, state, zip } = readPlace(readCell(record[placeAt], false))
      Object.assign(line, {
        city: line.city || city,
        state: line.state || state,
        zip: line.zip || zip,
      })
    }
    if (numberAt !== undefined)
      Object.assign(line, {
        street1: withStreetNumber(line.street1, readCell(record[numberAt], false)),
      })
    return line
  })
}

export function ordersOf<More extends string>(
  lines: readonly Line<More>[],
): Map<string, OrderFacts<More>> {
  const orders = new Map<string, OrderFacts<More>>()
  for (const [at, line] of lines.entries()) {
    const facts = orders.get(line.order) ?? { lines: [] }
    orders.set(line.order, facts)
    facts.lines.push(line)
    if (facts.withAddress || !hasAddress(line)) continue
    facts.withAddress = line
    facts.addressAt = at
  }
  return orders
}

const hasAddress = (line: Line): boolean =>
  line.name !== ''
  || line.lastName !== ''
  || line.street1 !== ''
  || line.city !== ''
  || line.state !== ''
  || line.zip !== ''

/** Lines below the table, such as '12 record(s) downloaded'. */
export const noOrderReason = (line: Line): string | null =>
  line.order === '' && line.item === '' && line.sku === '' && !hasAddress(line)
    ? texts.reasons.noOrder
    : null

/**
 * Only one line of an order may have its address and status, in a sorted file not the first. Returns the place
 * of the line that the address is taken from, if it is.
 */
export function copyFromOrder<More extends string>(
  orderFields: readonly More[],
  line: Line<More>,
  { lines: [first], withAddress, addressAt }: OrderFacts<More>,
): number | undefined {
  const isFilled = withAddress !== undefined && !hasAddress(line)
  if (isFilled) for (const field of ADDRESS) line[field] = withAddress[field]
  const head = withAddress ?? first
  if (head && head !== line)
    for (const field of orderFields) if (line[field] === '') line[field] = head[field]
  return isFilled ? addressAt : undefined
}

/** Fills the empty parts of the address with what the user entered for all rows. */
export function fillAddress(line: Line, constants: ColumnMapping['constants']): void {
  for (const field of ADDRESS) line[field] ||= constants[USES[field] as RowField] ?? ''
}
