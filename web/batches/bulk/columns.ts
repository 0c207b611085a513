/** Which fields of a row the table shows, and how wide. */
import { fieldByName, FIELDS, isUs } from '#contract/rows.ts'
import type { BulkRow, Field, FieldGroup, RowField } from '#contract/rows.ts'

/** Fields that are the same in nearly every table; they take a column only where they are not. */
const HAS_USUAL_VALUE: Partial<Record<RowField, (row: BulkRow) => boolean>> = {
  courier: row => row.courier.toLowerCase() === 'usps' || row.courier === '',
  FromCountry: row => isUs(row.FromCountry),
  ToCountry: row => isUs(row.ToCountry),
  PackageReference1: row => row.PackageReference1 === '' || row.PackageReference1 === row.quantity,
  PackageReference2: row => row.PackageReference2 === '' || row.PackageReference2 === row.skuNumber,
}

/** The unusual fields that these rows make use of. */
export const extraFields = (rows: readonly BulkRow[]): RowField[] =>
  FIELDS.map(field => field.name).filter(name => {
    const usual = HAS_USUAL_VALUE[name]
    return usual !== undefined && rows.some(row => !usual(row))
  })

/** The columns of the table in their order. */
export const columnsOf = (extra: readonly RowField[]): Field[] =>
  FIELDS.filter(field => !HAS_USUAL_VALUE[field.name] || extra.includes(field.name))

/** The group row: each group with the number of its columns. */
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

/** Step of a column's width; what each step measures stands in the style sheet. A column with errors has room for a sentence. */
export const columnWidth = ({ name, kind }: Field, wrong: boolean): ColumnWidth => {
  const usual =
    COLUMN_WIDTHS[name]
    ?? (kind === 'state' || kind === 'country' ? 'tiny' : kind === 'zip' ? 'small' : 'middle')
  return wrong && usual !== 'large' ? 'middle' : usual
}

/** Numbers stand at the end of their cell. */
export const isNumeric = ({ kind }: Field): boolean => kind === 'number' || kind === 'count'

/** 'From City', 'Weight': the column's name where its group is out of sight. */
export const fieldTitle = (name: RowField): string => {
  const { group, label } = fieldByName(name)
  return group === 'From' || group === 'To' ? `${group} ${label}` : label
}
