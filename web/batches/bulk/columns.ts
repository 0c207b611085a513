/** The fields that the table shows, and their widths. */
import { fieldByName, FIELDS, isUs } from '#contract/rows.ts'
import type { BulkRow, Field, FieldGroup, RowField } from '#contract/rows.ts'

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

/** The columns in table order. */
export const columnsOf = (extra: readonly RowField[]): Field[] =>
  FIELDS.filter(field => !HAS_USUAL_VALUE[field.name] || extra.includes(field.name))

/** Column groups with their number of columns. */
export function groupsOf(columns: readonly Field[]): { group: FieldGroup; span: number }[] {
  const groups: { group: FieldGroup; span: number }[] = []
  for (const { group } of columns) {
    const last = groups.at(-1)
    if (last?.group === group) last.span += 1
    else groups.push({ group, span: 1 })
  }
  return groups
}

export type ColumnWidth = 'tiny' | 'small' | 'middle' | 'large'

const COLUMN_WIDTHS: Partial<Record<RowField, ColumnWidth>> = {
  quantity: 'small',
  PackageLength: 'small',
  PackageWidth: 'small',
  PackageHeight: 'small',
  PackageWeight: 'small',
  FromSenderName: 'large',
  FromStreet1: 'large',
  ToRecipientName: 'large',
  ToStreet1: 'large',
  ServiceName: 'large',
  PackageDescription: 'large',
}

/** The style sheet has the size of each step. A column with errors has room for a message. */
export const columnWidth = ({ name, kind }: Field, wrong: boolean): ColumnWidth => {
  const usual =
    COLUMN_WIDTHS[name]
    ?? (kind === 'state' || kind === 'country' ? 'tiny' : kind === 'zip' ? 'small' : 'middle')
  return wrong && usual !== 'large' ? 'middle' : usual
}

/** Numbers are right-aligned. */
export const isNumeric = ({ kind }: Field): boolean => kind === 'number' || kind === 'count'

/** 'From City', 'Weight': the column's name without its group head. */
export const fieldTitle = (name: RowField): string => {
  const { group, label } = fieldByName(name)
  return group === 'From' || group === 'To' ? `${group} ${label}` : label
}
