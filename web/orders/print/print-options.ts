import { LABEL_FORMATS } from '#contract/downloads.ts'
import type { downloadFile, LabelFormat, downloadTestPage } from '#contract/downloads.ts'
/** What is printed, and how: the choices of a label and of a bulk order, and the calls they become. */
import type { RequestInput } from '#contract/endpoint.ts'
import { parseRowList, rowCount, rowListText } from '#contract/row-ranges.ts'

/** One label by its file's name, or the labels of a bulk order of so many rows. `name`: 'label for June Rivera'. */
export type Printable = { name: string } & ({ pdfName: string } | { orderId: string; rows: number })

/** The half of a Letter sheet where the first label goes: the upper is 1. */
export type SheetHalf = 'upper' | 'lower'
/** `only`: rows as they were typed; empty for all. */
export type PrintOptions = { format: LabelFormat; half: SheetHalf; rows: string }

/** A picture holds one label. */
export const formatsFor = (thing: Printable): LabelFormat[] =>
  LABEL_FORMATS.filter(format => format !== 'png' || 'pdfName' in thing)

/** What a browser shows opens in a new tab; the rest is for other programs and is saved. */
export const opensInBrowser = (format: LabelFormat): boolean =>
  format === 'pdf' || format === 'letter'

/** What is wrong with the rows that were typed; null for all rows, and for one label. */
export function rowsProblem(thing: Printable, only: string): string | null {
  if (!('rows' in thing) || only.trim() === '') return null
  const list = parseRowList(only, thing.rows)
  return 'problem' in list ? list.problem : null
}

/** The download of a choice without a problem. What the specified link already gives is asked for as it does. */
export function labelDownloadRequest(
  thing: Printable,
  { format, half, rows }: PrintOptions,
): RequestInput<typeof downloadFile> {
  const sheet = sheetQuery(format, half)
  const query = { ...(format !== 'pdf' && { format }), ...sheet }
  if ('pdfName' in thing) return { params: { kind: 'v2', name: thing.pdfName }, query }
  const list = parseRowList(rows, thing.rows)
  const some = 'rows' in list && rowCount(list.rows) < thing.rows
  return {
    params: { kind: 'pdf', name: thing.orderId },
    query: { ...query, ...(some && { rows: rowListText(list.rows) }) },
  }
}

/** The test page on the same paper. */
export const testPageRequest = ({
  format,
  half,
}: PrintOptions): RequestInput<typeof downloadTestPage> => ({
  query: { format, ...sheetQuery(format, half) },
})

const sheetQuery = (format: LabelFormat, half: SheetHalf): { first?: 2 } =>
  format === 'letter' && half === 'lower' ? { first: 2 } : {}
