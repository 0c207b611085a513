import type { BulkRow, RowField } from '#contract/rows.ts'

/**
 * A row of the table on the bulk page. `line`: the record's number in its file, from 1, header excluded; `notices`: what was
 * changed or looks odd without being wrong.
 */
export type GridRow = BulkRow & { id: `row-${number}`; line: number; notices: string[] }

/** The row with one cell changed. The printed references follow: reference 1 is the quantity, reference 2 the SKU. */
export function withCell<Row extends BulkRow>(row: Row, name: RowField, value: string): Row {
  const next: Row = { ...row, [name]: value }
  if (name === 'quantity') next.PackageReference1 = value
  if (name === 'skuNumber') next.PackageReference2 = value
  return next
}
