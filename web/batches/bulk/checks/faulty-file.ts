/** The faulty rows as a file that can be corrected and uploaded again. */
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { ITEMS_HEADER, MORE_COLUMNS, SERVICE_HEADER } from '#contract/faulty-rows.ts'
import { withGroupName } from '#contract/row-rules.ts'
import { emptyRow, FIELDS, TEMPLATE_FIELDS } from '#contract/rows.ts'
import type { Field, RowField } from '#contract/rows.ts'
import { itemsOf } from '#web/batches/bulk/parcels/row-items.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import type { RowValidator } from './validation.ts'

const USUAL = emptyRow()
/** Made up by the reader of a file without item ids. */
const MADE_UP_ITEM_ID = /^item-\d+$/

function cellOf(row: GridRow, name: RowField): string {
  return name === 'orderItemId' && MADE_UP_ITEM_ID.test(row[name]) ? '' : row[name]
}

/**
 * The columns of the template, then those that any of the rows uses besides: fields, the receiver's
 * email, signature and Saturday delivery. Then come the order items of combined rows, REASON with all
 * errors of the row, and the service. UTF-8 with a byte order mark.
 */
export function faultyRowsCsv(rows: readonly GridRow[], validateRow: RowValidator): string {
  const isUsed = ({ name }: Field) =>
    rows.some(row => cellOf(row, name) !== '' && row[name] !== USUAL[name])
  const columns = [
    ...TEMPLATE_FIELDS.map(name => FIELDS.find(field => field.name === name)!),
    ...FIELDS.filter(
      field =>
        !TEMPLATE_FIELDS.includes(field.name) && field.name !== 'ServiceName' && isUsed(field),
    ),
  ]
  const more = MORE_COLUMNS.filter(({ cellOf: cell }) => rows.some(row => cell(row) !== ''))
  const hasItems = rows.some(({ items }) => items !== undefined)
  const hasService = rows.some(row => row.ServiceName !== '')
  const lines = rows.map(row => {
    const errors = validateRow(row)
    const reasons = FIELDS.flatMap(({ name }) =>
      errors[name] ? [withGroupName(name, errors[name])] : [],
    )
    const items = hasItems ? [row.items ? JSON.stringify(itemsOf(row)) : ''] : []
    return csvLine([
      ...columns.map(({ name }) => cellOf(row, name)),
      ...more.map(({ cellOf: cell }) => cell(row)),
      ...items,
      reasons.join('; '),
      ...(hasService ? [row.ServiceName] : []),
    ])
  })
  const headers = [
    ...columns.map(({ header }) => header),
    ...more.map(({ header }) => header),
    ...(hasItems ? [ITEMS_HEADER] : []),
    'REASON',
    ...(hasService ? [SERVICE_HEADER] : []),
  ]
  return [BYTE_ORDER_MARK, csvLine(headers), ...lines].join('')
}
