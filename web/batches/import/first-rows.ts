/** The beginning of a large file as rows, to be shown while the rest is read. */
import type { GridRow } from '#web/batches/grid-row.ts'
import { readTopRows } from '#web/client/workbook/workbook.ts'
import { importFile, importSheet } from './import-file.ts'
import type { ImportContext } from './import-file.ts'
import { MAX_HEADER_ROWS } from './sheet.ts'

/** More than fill any screen. */
const FIRST_ROWS = 60
/** A smaller file is read as fast as its beginning. */
const LARGE_FILE_BYTES = 256 * 1024
const HEAD_BYTES = 32 * 1024
const SMALLEST_HEAD_BYTES = 4 * 1024
const LINE_FEED = 0x0a

/**
 * The first rows of a text file in its order; none for a small file, and where the beginning alone
 * can't be read. They are for show: whole files are sorted, and rules of the whole file change rows.
 */
export function firstRowsOf(
  bytes: Uint8Array,
  fileName: string,
  context: ImportContext,
): GridRow[] {
  if (bytes.length < LARGE_FILE_BYTES || context.askColumns) return []
  // A cut inside a quoted cell leaves its quote open, so that another place is tried.
  for (let size = HEAD_BYTES; size >= SMALLEST_HEAD_BYTES; size /= 2) {
    const end = bytes.lastIndexOf(LINE_FEED, size) + 1
    // In UTF-16 a line feed has a zero beside it.
    if (end === 0 || bytes[end] === 0 || bytes[end - 2] === 0) return []
    const answer = importFile(bytes.subarray(0, end), fileName, context)
    if ('rows' in answer) return inFileOrder(answer.rows).slice(0, FIRST_ROWS)
    if ('unknownColumns' in answer) return []
  }
  return []
}

/** The same of a workbook: of the sheet `sheet`, by default the first visible one. */
export async function firstRowsOfWorkbook(
  bytes: Uint8Array,
  fileName: string,
  context: ImportContext,
  sheet?: string,
): Promise<GridRow[]> {
  if (context.askColumns) return []
  const top = await readTopRows(bytes, fileName, FIRST_ROWS + MAX_HEADER_ROWS, sheet)
  const answer = top.length > 0 ? importSheet(top, { fileName }, context) : null
  return answer && 'rows' in answer ? inFileOrder(answer.rows).slice(0, FIRST_ROWS) : []
}

const inFileOrder = (rows: readonly GridRow[]): GridRow[] =>
  rows.toSorted((a, b) => a.line - b.line)
