/** The columns of the table: who, where, what and how much first, then the rest. */
import type { RowErrors } from '#contract/row-rules.ts'
import { fieldByName, FIELDS, isUs, isUsps } from '#contract/rows.ts'
import type { BulkRow, Field, FieldGroup, RowField } from '#contract/rows.ts'
import type { ColumnKey } from './row-filter.ts'
import { gridTexts } from './texts.ts'

/** Fields with the same value in almost every table. They get a column only if they differ. */
const HAS_USUAL_VALUE: Partial<Record<RowField, (row: BulkRow) => boolean>> = {
  courier: row => row.courier === '' || isUsps(row.courier),
  FromCountry: row => isUs(row.FromCountry),
  ToCountry: row => isUs(row.ToCountry),
  PackageReference1: row => row.PackageReference1 === '' || row.PackageReference1 === row.quantity,
  PackageReference2: row => row.PackageReference2 === '' || row.PackageReference2 === row.skuNumber,
}

/** The unusual fields that these rows use. */
export const extraFields = (rows: readonly BulkRow[]): RowField[] =>
  FIELDS.map(field => field.name).filter(name => {
    const usual = HAS_USUAL_VALUE[name]
    return usual !== undefined && rows.some(row => !usual(row))
  })

/** The style sheet has the size of each step. */
export type ColumnWidth = 'figure' | 'weight' | 'size' | 'tiny' | 'small' | 'middle' | 'large'

/** How the columns share the width of the table. */
export type GridFit = 'wide' | 'compact' | 'narrow'

/** From these px of the table on, all columns up to the price are in sight without scrolling. */
const WIDE_PX = 1104
const COMPACT_PX = 968

/** A second line of the street, where the table has one. */
const SECOND_STREET_PX = 92

/** `width` in px; null before it is measured. `hasSecondStreet`: its column is shown. */
export function fitOf(width: number | null, hasSecondStreet = false): GridFit {
  if (width === null) return 'wide'
  const forFirst = width - (hasSecondStreet ? SECOND_STREET_PX : 0)
  return forFirst >= WIDE_PX ? 'wide' : forFirst >= COMPACT_PX ? 'compact' : 'narrow'
}

/** `fields`: what the cell edits: one field, three of a size, none of a price or file. */
export type GridColumn = {
  key: ColumnKey
  group: FieldGroup
  label: string
  fields: readonly Field[]
  width: ColumnWidth
  isFigure: boolean
}

export const SIZE_FIELDS = ['PackageLength', 'PackageWidth', 'PackageHeight'] as const

/** Every column in the order of the table. */
const COLUMN_ORDER: readonly ColumnKey[] = [
  'ToRecipientName',
  'ToStreet1',
  'ToStreet2',
  'ToCity',
  'ToStateProvince',
  'ToZipPostal',
  'PackageWeight',
  'size',
  'ServiceName',
  'price',
  'skuNumber',
  'quantity',
  'orderId',
  'file',
  'orderItemId',
  'courier',
  'ToCompany',
  'ToPhone',
  'ToCountry',
  'PackageDescription',
  'PackageReference1',
  'PackageReference2',
  ...FIELDS.filter(({ group }) => group === 'From').map(({ name }) => name),
]

/** On a narrow screen, these come first: who, where, how much. */
const NARROW_FIRST: readonly ColumnKey[] = [
  'ToRecipientName',
  'ToCity',
  'ToStateProvince',
  'ToZipPostal',
  'PackageWeight',
  'ServiceName',
  'price',
]

const COLUMN_WIDTHS: Partial<Record<ColumnKey, ColumnWidth>> = {
  price: 'figure',
  size: 'size',
  quantity: 'weight',
  PackageWeight: 'weight',
  ToZipPostal: 'figure',
  FromZipPostal: 'figure',
  ToStreet2: 'small',
  ToRecipientName: 'large',
  ToStreet1: 'large',
  FromSenderName: 'large',
  FromStreet1: 'large',
  ServiceName: 'large',
  PackageDescription: 'large',
}

/** Numbers are right-aligned. */
export const isNumeric = ({ kind }: Field): boolean => kind === 'number' || kind === 'count'

const usualWidth = (key: ColumnKey, field: Field | undefined): ColumnWidth =>
  COLUMN_WIDTHS[key] ?? (field?.kind === 'state' || field?.kind === 'country' ? 'tiny' : 'middle')

const isField = (key: ColumnKey): key is RowField =>
  key !== 'size' && key !== 'price' && key !== 'file'

const fieldNamesOf = (key: ColumnKey): readonly RowField[] =>
  key === 'size' ? SIZE_FIELDS : isField(key) ? [key] : []

function gridColumn(key: ColumnKey): GridColumn {
  const fields = fieldNamesOf(key).map(fieldByName)
  const group = key === 'size' ? 'Package' : (fields[0]?.group ?? 'Order')
  return {
    key,
    group,
    label: isField(key) ? fields[0]!.label : gridTexts.columns[key],
    fields,
    width: usualWidth(key, fields[0]),
    isFigure: key === 'price' || (key !== 'size' && fields.some(isNumeric)),
  }
}

const ALL_COLUMNS: readonly GridColumn[] = COLUMN_ORDER.map(gridColumn)
const COLUMNS_BY_KEY = new Map(ALL_COLUMNS.map(column => [column.key, column]))
const NARROW_COLUMNS: readonly GridColumn[] = [
  ...NARROW_FIRST.map(key => COLUMNS_BY_KEY.get(key)!),
  ...ALL_COLUMNS.filter(({ key }) => !NARROW_FIRST.includes(key)),
]

export const columnByKey = (key: ColumnKey): GridColumn => COLUMNS_BY_KEY.get(key)!

export const columnOfKey = (key: string | undefined): GridColumn | undefined =>
  COLUMNS_BY_KEY.get(key as ColumnKey)

export const columnOfField = (name: RowField): GridColumn =>
  COLUMNS_BY_KEY.get(name) ?? columnByKey('size')

/** All columns of a table with these unusual fields, folded ones too. `isOfFiles`: of several files. */
export const gridColumns = (
  extra: readonly RowField[],
  isOfFiles = false,
  fit: GridFit = 'wide',
): GridColumn[] =>
  (fit === 'narrow' ? NARROW_COLUMNS : ALL_COLUMNS).filter(({ key, fields }) =>
    key === 'file'
      ? isOfFiles
      : fields.every(({ name }) => !HAS_USUAL_VALUE[name] || extra.includes(name)),
  )

/** The fields that the columns edit, in their order. */
export const fieldsOf = (columns: readonly GridColumn[]): Field[] =>
  columns.flatMap(column => column.fields)

export const columnsOf = (extra: readonly RowField[]): Field[] => fieldsOf(gridColumns(extra))

const SENDER_FIELDS: readonly RowField[] = FIELDS.filter(({ group }) => group === 'From').map(
  ({ name }) => name,
)

/** Item ids that no marketplace gave: 'item-7', or the place of the line in its order. */
const isGeneratedItemId = ({ orderId, orderItemId }: BulkRow): boolean =>
  orderItemId === ''
  || /^item-\d+$/.test(orderItemId)
  || (orderId !== ''
    && orderItemId.startsWith(`${orderId}-`)
    && /^\d+$/.test(orderItemId.slice(orderId.length + 1)))

/** Fields whose column is folded away where no row has a text in it. */
const OPTIONAL_FIELDS: readonly RowField[] = FIELDS.filter(
  ({ name, required }) => !required && name !== 'ServiceName',
).map(({ name }) => name)

/** `sender`: the same object for equal senders. `filled`: a bit for each of OPTIONAL_FIELDS. */
type RowShape = { sender: object; filled: number }

/** By row: rows are immutable, and a table of 50,000 is looked through after each edit. */
const shapes = new WeakMap<BulkRow, RowShape>()
let senders = new Map<string, object>()
const MAX_SENDERS = 10_000

/** Most rows have the sender of the row before. */
let last: { row: BulkRow; sender: object } | null = null

function senderOf(row: BulkRow): object {
  const before = last
  if (before && SENDER_FIELDS.every(name => row[name] === before.row[name])) return before.sender
  const key = SENDER_FIELDS.map(name => row[name]).join('\n')
  if (senders.size > MAX_SENDERS) senders = new Map()
  const sender = senders.get(key) ?? {}
  senders.set(key, sender)
  last = { row, sender }
  return sender
}

function shapeOf(row: BulkRow): RowShape {
  const kept = shapes.get(row)
  if (kept) return kept
  const sender = senderOf(row)
  let filled = 0
  for (const [bit, name] of OPTIONAL_FIELDS.entries()) {
    const isEmpty = name === 'orderItemId' ? isGeneratedItemId(row) : row[name] === ''
    if (!isEmpty) filled |= 1 << bit
  }
  const shape = { sender, filled }
  shapes.set(row, shape)
  return shape
}

/**
 * Columns that may be folded away: those empty in every row, and those of the sender if it is the
 * same in all rows (`isOneSender`).
 */
type FoldableColumns = {
  isOneSender: boolean
  sender: ReadonlySet<ColumnKey>
  empty: ReadonlySet<ColumnKey>
}

/** A column with an error in any row (`wrong`) is never folded. */
export function foldableColumns(
  rows: readonly BulkRow[],
  columns: readonly GridColumn[],
  wrong: ReadonlySet<string>,
): FoldableColumns {
  let filled = 0
  let isOneSender = rows.length > 0
  let first: object | null = null
  for (const row of rows) {
    const shape = shapeOf(row)
    filled |= shape.filled
    first ??= shape.sender
    if (shape.sender !== first) isOneSender = false
  }
  const isEmpty = ({ fields }: GridColumn) => {
    const bit = fields.length === 1 ? OPTIONAL_FIELDS.indexOf(fields[0]!.name) : -1
    return bit >= 0 && (filled & (1 << bit)) === 0
  }
  const isWrong = ({ fields }: GridColumn) => fields.some(({ name }) => wrong.has(name))
  const keys = (test: (column: GridColumn) => boolean) =>
    new Set(columns.filter(column => !isWrong(column) && test(column)).map(({ key }) => key))
  const isSender = ({ group }: GridColumn) => isOneSender && group === 'From'
  return {
    isOneSender,
    sender: keys(isSender),
    empty: keys(column => !isSender(column) && isEmpty(column)),
  }
}

type ColumnGroup = { group: FieldGroup; more: boolean; span: number }

/** Group heads with their number of columns. `more`: continues a group that was begun further left. */
export function groupsOf(columns: readonly { group: FieldGroup }[]): ColumnGroup[] {
  const groups: ColumnGroup[] = []
  for (const { group } of columns) {
    const last = groups.at(-1)
    if (last?.group === group) last.span += 1
    else groups.push({ group, more: groups.some(one => one.group === group), span: 1 })
  }
  return groups
}

/** 'From City', 'Weight': the field's name without its group head. */
export const fieldTitle = (name: RowField): string => {
  const { group, label } = fieldByName(name)
  return group === 'From' || group === 'To' ? `${group} ${label}` : label
}

/** 'To City', 'Size', 'Price'. */
export const columnTitle = ({ key, label }: GridColumn): string =>
  isField(key) ? fieldTitle(key) : label

/** The first of a row's errors that a column shows. */
export const errorIn = (errors: RowErrors, { fields }: GridColumn): string | undefined =>
  fields.map(({ name }) => errors[name]).find(message => message !== undefined)
