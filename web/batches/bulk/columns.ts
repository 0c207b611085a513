/** The columns of the table: who, where, what and how much first, then the rest. */
import type { RowErrors } from '#contract/row-rules.ts'
import { fieldByName, FIELDS, isUs } from '#contract/rows.ts'
import type { BulkRow, Field, FieldGroup, RowField } from '#contract/rows.ts'
import type { ColumnKey } from './row-filter.ts'

/** Fields with the same value in almost every table. They get a column only if they differ. */
const HAS_USUAL_VALUE: Partial<Record<RowField, (row: BulkRow) => boolean>> = {
  courier: row => row.courier.toLowerCase() === 'usps' || row.courier === '',
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
export type ColumnWidth = 'figure' | 'tiny' | 'small' | 'middle' | 'large'

/**
 * `fields`: what the cell edits: one field, three of a size, none of a price. `more`: continues a
 * group that was begun further left.
 */
export type GridColumn = {
  key: ColumnKey
  group: FieldGroup
  more: boolean
  label: string
  fields: readonly Field[]
  width: ColumnWidth
  isFigure: boolean
}

const SIZE_FIELDS = ['PackageLength', 'PackageWidth', 'PackageHeight'] as const

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
/** Group heads that stand a second time, for the rest of their columns. */
const MORE_COLUMNS: ReadonlySet<ColumnKey> = new Set([
  'ToCompany',
  'ToPhone',
  'ToCountry',
  'PackageDescription',
  'PackageReference1',
  'PackageReference2',
])

const COLUMN_WIDTHS: Partial<Record<ColumnKey, ColumnWidth>> = {
  price: 'figure',
  size: 'small',
  quantity: 'figure',
  PackageWeight: 'figure',
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

function gridColumn(key: ColumnKey): GridColumn {
  const names: readonly RowField[] = key === 'size' ? SIZE_FIELDS : key === 'price' ? [] : [key]
  const fields = names.map(fieldByName)
  const group = key === 'size' ? 'Package' : key === 'price' ? 'Order' : fields[0]!.group
  return {
    key,
    group,
    more: MORE_COLUMNS.has(key),
    label: key === 'size' ? 'Size' : key === 'price' ? 'Price' : fields[0]!.label,
    fields,
    width: usualWidth(key, fields[0]),
    isFigure: key === 'price' || (key !== 'size' && fields.some(isNumeric)),
  }
}

const ALL_COLUMNS: readonly GridColumn[] = COLUMN_ORDER.map(gridColumn)
const COLUMNS_BY_KEY = new Map(ALL_COLUMNS.map(column => [column.key, column]))

export const columnByKey = (key: ColumnKey): GridColumn => COLUMNS_BY_KEY.get(key)!

/** Undefined for a key that is no column. */
export const columnOfKey = (key: string | undefined): GridColumn | undefined =>
  COLUMNS_BY_KEY.get(key as ColumnKey)

/** The column that shows a field. */
export const columnOfField = (name: RowField): GridColumn =>
  COLUMNS_BY_KEY.get(name) ?? columnByKey('size')

/** All columns of a table with these unusual fields, folded ones too. */
export const gridColumns = (extra: readonly RowField[]): GridColumn[] =>
  ALL_COLUMNS.filter(({ fields }) =>
    fields.every(({ name }) => !HAS_USUAL_VALUE[name] || extra.includes(name)),
  )

/** The fields that the columns edit, in their order. */
export const fieldsOf = (columns: readonly GridColumn[]): Field[] =>
  columns.flatMap(column => column.fields)

/** The fields of a table with these unusual fields, in the order of its columns. */
export const columnsOf = (extra: readonly RowField[]): Field[] => fieldsOf(gridColumns(extra))

const SENDER_FIELDS: readonly RowField[] = FIELDS.filter(({ group }) => group === 'From').map(
  ({ name }) => name,
)

/** The row that stands for the sender of all rows, or null if they differ. */
export function sharedSender<Row extends BulkRow>(rows: readonly Row[]): Row | null {
  const first = rows[0]
  if (!first) return null
  const same = rows.every(row => SENDER_FIELDS.every(name => row[name] === first[name]))
  return same ? first : null
}

/** Item ids that no marketplace gave: 'item-7', or the place of the line in its order. */
const isGeneratedItemId = ({ orderId, orderItemId }: BulkRow): boolean =>
  orderItemId === ''
  || /^item-\d+$/.test(orderItemId)
  || (orderId !== ''
    && orderItemId.startsWith(`${orderId}-`)
    && /^\d+$/.test(orderItemId.slice(orderId.length + 1)))

const isEmptyIn = (rows: readonly BulkRow[], { key, fields }: GridColumn): boolean => {
  const [field] = fields
  if (fields.length !== 1 || !field || field.required || field.name === 'ServiceName') return false
  return key === 'orderItemId'
    ? rows.every(isGeneratedItemId)
    : rows.every(row => row[field.name] === '')
}

/** Columns that may be folded away: of a shared sender, and those empty in every row. */
export type FoldableColumns = { sender: ReadonlySet<ColumnKey>; empty: ReadonlySet<ColumnKey> }

/** A column with an error in any row (`wrong`) is never folded. */
export function foldableColumns(
  rows: readonly BulkRow[],
  columns: readonly GridColumn[],
  wrong: ReadonlySet<string>,
): FoldableColumns {
  const isWrong = ({ fields }: GridColumn) => fields.some(({ name }) => wrong.has(name))
  const keys = (test: (column: GridColumn) => boolean) =>
    new Set(columns.filter(column => !isWrong(column) && test(column)).map(({ key }) => key))
  const shared = sharedSender(rows) !== null
  return {
    sender: shared ? keys(({ group }) => group === 'From') : new Set(),
    empty: keys(column => !(shared && column.group === 'From') && isEmptyIn(rows, column)),
  }
}

export type ColumnGroup = { group: FieldGroup; more: boolean; span: number }

/** Group heads with their number of columns. */
export function groupsOf(columns: readonly { group: FieldGroup; more?: boolean }[]): ColumnGroup[] {
  const groups: ColumnGroup[] = []
  for (const { group, more = false } of columns) {
    const last = groups.at(-1)
    if (last?.group === group) last.span += 1
    else groups.push({ group, more: more && groups.some(one => one.group === group), span: 1 })
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
  key === 'size' || key === 'price' ? label : fieldTitle(key)

/** The first of a row's errors that a column shows. */
export const errorIn = (errors: RowErrors, { fields }: GridColumn): string | undefined =>
  fields.map(({ name }) => errors[name]).find(message => message !== undefined)
