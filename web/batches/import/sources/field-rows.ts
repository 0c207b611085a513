/** Rows of a file whose columns are fields of a row: the bulk template, and matched columns. */
import type { ColumnMapping, ColumnUnit } from '#contract/imports.ts'
import { OPTION_FIELDS, parseOptionCells } from '#contract/label-options.ts'
import type { OptionCells } from '#contract/label-options.ts'
import { joinMeasures, measureKind, parseMeasureWithUnit } from '#contract/measures.ts'
import type { MeasureKind } from '#contract/measures.ts'
import { emptyRow, fieldByName, FIELDS } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import { isFarTooLong, shortenText } from '#contract/text.ts'
import {
  dropRoundedIds,
  NO_ID,
  roundedIds,
  senderFields,
  wholeNumber,
} from '#web/batches/import/row-draft.ts'
import type { RoundedIds, RowDraft, SenderAddress } from '#web/batches/import/row-draft.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import { readCell } from '#web/client/read-cell.ts'
import { readPlace } from './city-state-zip.ts'
import { setEmail } from './email-column.ts'
import type { ColumnUse, SourceContext, SourceRows } from './source.ts'

const t = texts.csv

/**
 * A column that is read: its place in the header, what it becomes, the unit of a measure, and our
 * service for each name in a column of services.
 */
export type FieldColumn = {
  at: number
  use: Exclude<ColumnUse['use'], 'unused'>
  unit?: ColumnUnit
  values?: Record<string, string>
}

/** Codes have no apostrophe at their beginning; names and streets may. */
const CODE_FIELDS: ReadonlySet<string> = new Set<RowField>([
  'orderId',
  'orderItemId',
  'skuNumber',
  'quantity',
  'FromPhone',
  'FromZipPostal',
  'ToPhone',
  'ToZipPostal',
  'PackageLength',
  'PackageWidth',
  'PackageHeight',
  'PackageWeight',
])

export const FROM_FIELDS = FIELDS.filter(({ group }) => group === 'From').map(({ name }) => name)
/** A country alone is no sender. */
export const SENDER_FIELDS = FROM_FIELDS.filter(name => name !== 'FromCountry')

type ReadColumn = {
  at: number
  name: ColumnUse['use']
  isCode: boolean
  values?: FieldColumn['values']
}
type MeasureColumns = {
  name: RowField
  kind: MeasureKind
  parts: { at: number; unit?: ColumnUnit }[]
}
type Plan = {
  /** Columns with the unit of the weight, and of the sizes; -1 for none. */
  units: Record<MeasureKind, number>
  columns: ReadColumn[]
  measures: MeasureColumns[]
  constants: ColumnMapping['constants']
  sender?: SenderAddress
  hasQuantity: boolean
  hasItemIds: boolean
  rounded: RoundedIds
}

/**
 * The rows in file order. A row without any sender cell gets the saved address. `constants`: for
 * fields without a column or with an empty cell.
 */
export function readFieldRows(
  sheet: Sheet,
  columns: readonly FieldColumn[],
  constants: ColumnMapping['constants'],
  context: SourceContext,
): Pick<SourceRows, 'drafts' | 'notices'> {
  const { drafts, filled } = readFields(sheet, columns, constants, context)
  const trackingColumn = sheet.keys.indexOf('trackingnumber')
  for (const [index, draft] of drafts.entries())
    noteRecord(draft, sheet.records[index]!, sheet.header.length, trackingColumn)
  return { drafts, notices: senderNotices(columns, filled.size, drafts.length) }
}

/** `filled`: the rows with the saved address. */
export function readFields(
  sheet: Sheet,
  columns: readonly FieldColumn[],
  constants: ColumnMapping['constants'],
  context: SourceContext,
): { drafts: RowDraft[]; filled: ReadonlySet<RowDraft> } {
  const plan = planOf(sheet, columns, constants, context)
  const orderLines = new Map<string, number>()
  const filled = new Set<RowDraft>()
  const drafts = sheet.records.map((record, index) => {
    const draft: RowDraft = { ...emptyRow(), id: NO_ID, line: index + 1, notices: [] }
    readCells(draft, record, plan)
    readMeasures(draft, record, plan)
    if (plan.sender && SENDER_FIELDS.every(name => draft[name] === '')) {
      Object.assign(draft, senderFields(plan.sender))
      filled.add(draft)
    }
    finishIds(draft, index, plan, orderLines)
    return draft
  })
  return { drafts, filled }
}

/** One sentence if `filled` of `total` rows have the saved address. */
export function senderNotices(
  columns: readonly FieldColumn[],
  filled: number,
  total: number,
): string[] {
  if (filled === 0) return []
  const hasSenderColumns = columns.some(({ use }) => FROM_FIELDS.some(name => name === use))
  return [hasSenderColumns ? t.emptySenderFilled(filled, total) : t.senderFilled]
}

function planOf(
  { records }: Sheet,
  columns: readonly FieldColumn[],
  constants: ColumnMapping['constants'],
  { senderAddress }: SourceContext,
): Plan {
  const read: ReadColumn[] = []
  const measures = new Map<string, MeasureColumns>()
  const unitColumn = (name: FieldColumn['use']) => columns.find(({ use }) => use === name)?.at ?? -1
  for (const { at, use, unit, values } of columns) {
    if (use === 'WeightUnit' || use === 'SizeUnit') continue
    const kind = measureKind(use)
    if (kind === null) {
      read.push({ at, name: use, isCode: CODE_FIELDS.has(use), values })
      continue
    }
    const found = measures.get(use) ?? { name: use as RowField, kind, parts: [] }
    measures.set(use, found)
    if (!found.parts.some(part => part.unit === unit)) found.parts.push({ at, unit })
  }
  const idsOf = (name: RowField) => {
    const at = read.find(column => column.name === name)?.at
    return roundedIds(at === undefined ? [] : records.map(record => readCell(record[at], true)))
  }
  return {
    units: { weight: unitColumn('WeightUnit'), length: unitColumn('SizeUnit') },
    columns: read,
    measures: [...measures.values()],
    constants,
    sender: senderAddress,
    hasQuantity: read.some(({ name }) => name === 'quantity'),
    hasItemIds: read.some(({ name }) => name === 'orderItemId'),
    rounded: { orders: idsOf('orderId'), items: idsOf('orderItemId') },
  }
}

/** A service without a match is left to the page. */
function readService(draft: RowDraft, cell: string, values: FieldColumn['values'] = {}): void {
  const service = Object.hasOwn(values, cell) ? values[cell]! : ''
  if (service === '') draft.notices.push(texts.serviceUnmatched(shortenText(cell)))
  else draft.ServiceName = service
}

const OTHER_USES: ReadonlySet<ColumnUse['use']> = new Set<ColumnUse['use']>([
  'unused',
  'FirstName',
  'LastName',
  'CityStateZip',
  'ToEmail',
  'StreetNumber',
  'WeightUnit',
  'SizeUnit',
  ...OPTION_FIELDS,
])
const isRowField = (name: ColumnUse['use']): name is RowField => !OTHER_USES.has(name)

/** A measure without a unit. */
const FIGURE = /^[\d.,\s]+$/

function readCells(draft: RowDraft, record: string[], plan: Plan): void {
  let first = ''
  let last = ''
  let place = ''
  let number = ''
  const options: OptionCells = {}
  for (const { at, name, isCode, values } of plan.columns) {
    const cell = readCell(record[at], isCode)
    if (cell === '') continue
    if (name === 'FirstName') first ||= cell
    else if (name === 'LastName') last ||= cell
    else if (name === 'StreetNumber') number ||= cell
    else if (name === 'ServiceName') readService(draft, cell, values)
    else if (name === 'CityStateZip') place ||= cell
    else if (name === 'ToEmail') setEmail(draft, cell)
    else if (isRowField(name)) draft[name] = cell
    else if (name === 'signature' || name === 'saturday') options[name] ??= cell
  }
  if (options.signature || options.saturday) Object.assign(draft, parseOptionCells(options))
  if (draft.ToRecipientName === '') draft.ToRecipientName = `${first} ${last}`.trim()
  draft.ToStreet1 = withStreetNumber(draft.ToStreet1, number)
  if (place !== '') {
    const { city, state, zip } = readPlace(place)
    draft.ToCity ||= city
    draft.ToStateProvince ||= state
    draft.ToZipPostal ||= zip
  }
  fillConstants(draft, plan.constants, plan.hasQuantity)
}

/** In front of the street, as in the US, unless it is in it already. */
export function withStreetNumber(street: string, number: string): string {
  if (street === '' || number === '') return street
  const isThere = street
    .toUpperCase()
    .split(/[\s,]+/)
    .includes(number.toUpperCase())
  return isThere ? street : `${number} ${street}`
}

/** `hasQuantity`: whether the file has a column of quantities; without one the quantity 1 is only a default. */
export function fillConstants(
  draft: RowDraft,
  constants: ColumnMapping['constants'],
  hasQuantity: boolean,
): void {
  for (const name in constants) {
    const field = name as RowField
    const isDefault = field === 'quantity' && !hasQuantity
    if (draft[field] === '' || isDefault || field === 'ToCountry' || field === 'FromCountry')
      draft[field] = constants[field] || draft[field]
  }
}

function readMeasures(draft: RowDraft, record: string[], plan: Plan): void {
  for (const { name, kind, parts } of plan.measures) {
    const [only] = parts
    const ownUnit = readCell(record[plan.units[kind]], false)
    const amounts = parts.map(({ at, unit }) => ({ amount: readCell(record[at], true), unit }))
    let cell = parts.length === 1 ? amounts[0]!.amount : joinMeasures(amounts, kind, ownUnit)
    if (cell === '') continue
    if (ownUnit !== '' && FIGURE.test(cell)) cell = `${cell} ${ownUnit}`
    draft[name] = cell
    if (isFarTooLong(cell, fieldByName(name).max)) continue
    const measure = parseMeasureWithUnit(cell, kind, parts.length === 1 ? only?.unit : undefined)
    draft[name] = measure.value
    if ('note' in measure && measure.note !== null)
      draft.notices.push(texts.measureRead(fieldByName(name).label, measure.note))
  }
}

function finishIds(
  draft: RowDraft,
  index: number,
  plan: Plan,
  orderLines: Map<string, number>,
): void {
  const place = (orderLines.get(draft.orderId) ?? 0) + 1
  if (draft.orderId !== '') orderLines.set(draft.orderId, place)
  dropRoundedIds(draft, plan.rounded, `item-${index}`)
  draft.orderItemId ||=
    plan.hasItemIds || draft.orderId === '' ? `item-${index}` : `${draft.orderId}-${place}`
  draft.quantity = wholeNumber(draft.quantity)
  if (plan.hasQuantity) draft.PackageReference1 ||= draft.quantity
  draft.PackageReference2 ||= draft.skuNumber
}

function noteRecord(draft: RowDraft, record: string[], width: number, trackingAt: number): void {
  if (record.length > width && record.slice(width).some(cell => cell.trim() !== ''))
    draft.notices.push(t.extraCells)
  const tracking = trackingAt < 0 ? '' : (record[trackingAt] ?? '').trim()
  if (tracking !== '') draft.notices.push(t.hasLabel(shortenText(tracking)))
}

/** What each column of the header becomes. */
export const columnUses = (
  header: readonly string[],
  columns: readonly FieldColumn[],
): ColumnUse[] =>
  header.map((name, at) => {
    const column = columns.find(one => one.at === at)
    if (!column) return { header: name, use: 'unused' }
    const { use, unit, values } = column
    return { header: name, use, ...(unit && { unit }), ...(values && { values }) }
  })
