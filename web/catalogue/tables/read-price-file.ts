/** The cells of a price file, and the text of a zone file. */
import { MAX_PRICE_CELL, MAX_PRICE_CELLS, MAX_PRICE_ROWS } from '#contract/price-file.ts'
import { decodeText, notTextProblem } from '#web/client/decode-text.ts'
import { readTableFile } from '#web/client/table-file.ts'
import type { TableFile } from '#web/client/table-file.ts'
import { texts } from './texts.ts'

const MAX_MEGABYTES = 16
const LIMITS = {
  megabytes: MAX_MEGABYTES,
  rows: MAX_PRICE_ROWS,
  cells: MAX_PRICE_CELLS,
  letters: MAX_PRICE_CELL,
}

/** Never throws for the file's content. */
export const readPriceFile = (file: File): Promise<TableFile | { problem: string }> =>
  readTableFile(file, LIMITS, texts.file)

/** The text of a zone file, or why it can’t be read. */
export async function readZoneText(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > MAX_MEGABYTES * 1024 * 1024)
    return { problem: texts.file.tooLarge(MAX_MEGABYTES) }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const unreadable = notTextProblem(bytes)
  return unreadable === null ? { text: decodeText(bytes).text } : { problem: unreadable }
}
