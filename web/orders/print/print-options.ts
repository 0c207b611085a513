/** The print options of a label or a bulk order, and the requests they become. */

import { LABEL_FORMATS } from '#contract/downloads.ts'
import type {
  downloadFile,
  downloadLabels,
  LabelFormat,
  downloadTestPage,
  PackingFormat,
} from '#contract/downloads.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { parseRowList, rowCount, rowListText } from '#contract/row-ranges.ts'

/**
 * One label by its file name, several by their ids, or a bulk order with its number of rows. `name`:
 * 'label for June Rivera'.
 */
export type Printable = { name: string } & (
  | { pdfName: string }
  | { orderIds: readonly string[] }
  | { orderId: string; rows: number }
)

/** The half of a Letter sheet where the first label goes. */
export type SheetHalf = 'upper' | 'lower'
/** `onlyRows`: row numbers as typed; empty for all. */
export type PrintOptions = { format: LabelFormat; half: SheetHalf; onlyRows: string }

/** A PNG holds one label, so several labels have none. */
export const formatsFor = (printable: Printable): LabelFormat[] =>
  LABEL_FORMATS.filter(format => format !== 'png' || 'pdfName' in printable)

/** PDFs open in a new tab. ZPL and PNG are for other programs and are saved. */
export const opensInBrowser = (format: LabelFormat): boolean =>
  format === 'pdf' || format === 'letter'

export function rowsProblem(printable: Printable, onlyRows: string): string | null {
  if (!('rows' in printable) || onlyRows.trim() === '') return null
  const list = parseRowList(onlyRows, printable.rows)
  return 'problem' in list ? list.problem : null
}

/** Several labels as one file. */
export const labelsRequest = (
  { orderIds }: { orderIds: readonly string[] },
  { format, half }: PrintOptions,
): RequestInput<typeof downloadLabels> => ({
  query: {
    ids: orderIds.join(','),
    ...(format !== 'pdf' && format !== 'png' && { format }),
    ...sheetQuery(format, half),
  },
})

/** Expects options without a rows problem. Defaults are left out, as in the link to the PDF. */
export function labelDownloadRequest(
  printable: Exclude<Printable, { orderIds: readonly string[] }>,
  { format, half, onlyRows }: PrintOptions,
): RequestInput<typeof downloadFile> {
  const sheet = sheetQuery(format, half)
  const query = { ...(format !== 'pdf' && { format }), ...sheet }
  if ('pdfName' in printable) return { params: { kind: 'v2', name: printable.pdfName }, query }
  const list = parseRowList(onlyRows, printable.rows)
  const some = 'rows' in list && rowCount(list.rows) < printable.rows
  return {
    params: { kind: 'pdf', name: printable.orderId },
    query: { ...query, ...(some && { rows: rowListText(list.rows) }) },
  }
}

/** What can be packed: several labels or a bulk order; a single label is its own slip. */
export type Packable = Exclude<Printable, { pdfName: string }>

/** Packing papers are Letter sheets beside Letter labels, and 4x6 otherwise. */
const packingQuery = (format: LabelFormat): { format: PackingFormat } => ({
  format: format === 'letter' ? 'letter' : 'pdf',
})
export const packingOfBatch = (
  { orderId }: { orderId: string },
  { format }: Pick<PrintOptions, 'format'>,
) => ({
  params: { orderId },
  query: packingQuery(format),
})
export const packingOfLabels = (
  { orderIds }: { orderIds: readonly string[] },
  { format }: PrintOptions,
) => ({ query: { ids: orderIds.join(','), ...packingQuery(format) } })

export const testPageRequest = ({
  format,
  half,
}: PrintOptions): RequestInput<typeof downloadTestPage> => ({
  query: { format, ...sheetQuery(format, half) },
})

const sheetQuery = (format: LabelFormat, half: SheetHalf): { first?: 2 } =>
  format === 'letter' && half === 'lower' ? { first: 2 } : {}
