import {
  kindsOf,
  OPTION_FIELD_LABELS,
  optionCellFaults,
  optionsOfCells,
} from '#contract/label-options.ts'
import type { OptionCells, OptionField } from '#contract/label-options.ts'
import { fieldByName } from '#contract/rows.ts'
import type { BulkRow, RowField, RowItem } from '#contract/rows.ts'
import { isFarTooLong, shortenText } from '#contract/text.ts'
import { texts } from './texts.ts'

/**
 * A row of the table on the bulk page. `line`: number of the record in its file, from 1, without
 * the header. `notices`: changes and warnings that are no errors. `items`: of a row that combines
 * several; `parts`: the rows it was combined from. `ToEmail`: of the receiver, from the file;
 * `signature` and `saturday`: what its label asks for beside the service.
 * `file`: index in the draft's files; `fileName`: its name. `measuresOf`: the SKU whose measures the row may
 * still have, after its own SKU was cleared or replaced by an unknown one.
 */
export type GridRow = BulkRow
  & OptionCells & {
    id: `row-${number}`
    line: number
    notices: string[]
    items?: RowItem[]
    ToEmail?: string
    parts?: GridRow[]
    file?: number
    fileName?: string
    measuresOf?: string
  }

/** A cell as displayed: laying out one of some megabytes would freeze the page. */
export function shownCell(row: BulkRow, name: RowField): string {
  const { max } = fieldByName(name)
  return isFarTooLong(row[name], max) ? shortenText(row[name], max) : row[name]
}

/**
 * Changes one cell. The printed references follow: reference 1 is the quantity, reference 2 the
 * SKU.
 */
export function withCell<Row extends BulkRow>(row: Row, name: RowField, value: string): Row {
  const next: Row = { ...row, [name]: value }
  if (name === 'quantity') next.PackageReference1 = value
  if (name === 'skuNumber') next.PackageReference2 = value
  return next
}

/** The row with these options instead of its own. */
export function withOptions<Row extends BulkRow & OptionCells>(
  row: Row,
  options: OptionCells,
): Row {
  const { signature: _signature, saturday: _saturday, ...rest } = row
  const { signature, saturday } = options
  return { ...rest, ...(signature && { signature }), ...(saturday && { saturday }) } as Row
}

/** 'Adult signature, Saturday' beside the service of a row; text that cannot be read as it is. */
export function shownOptions({ signature, saturday }: OptionCells): string {
  if (!signature && !saturday) return ''
  const unread = Object.keys(optionCellFaults({ signature, saturday })) as OptionField[]
  return [
    ...kindsOf(optionsOfCells({ signature, saturday })).map(kind => texts.shortOptions[kind]),
    ...unread.map(name => `${OPTION_FIELD_LABELS[name]} '${{ signature, saturday }[name]}'`),
  ].join(', ')
}
