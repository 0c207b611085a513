/** Splits delimited text with standard quotes (RFC 4180) into rows of cells. */

/**
 * Which columns are needed: `columns` tells it by place from the first `topRows` rows that are not
 * blank; null for all. Cells beyond the last place are needed too.
 */
export type NeededColumns = {
  topRows: number
  columns: (top: readonly string[][]) => readonly boolean[] | null
}
const ALL_COLUMNS: NeededColumns = { topRows: 0, columns: () => null }

/** `needed`: the columns that the rows below the top rows have; null for all. */
export type SplitRows = { rows: string[][]; needed: readonly boolean[] | null }

export const neededCells = (row: readonly string[], needed: readonly boolean[]): string[] =>
  row.filter((_, at) => at >= needed.length || needed[at])

const QUOTE = 0x22
const LINE_FEED = 0x0a
const RETURN = 0x0d

/**
 * The rows that are not blank, as papaparse reads them; null where a quote is misplaced or never
 * closed, or a carriage return is without a line feed. Line breaks in cells are line feeds. Rows below
 * the top rows have only the cells that are needed.
 */
export function splitRows(
  given: string,
  delimiter: string,
  { topRows, columns }: NeededColumns = ALL_COLUMNS,
): SplitRows | null {
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  if (hasLoneReturn(text)) return null
  const mark = delimiter.charCodeAt(0)
  const rows: string[][] = []
  let isTop = true
  let needed: readonly boolean[] | null = null
  let width = 0
  let at = 0
  while (at < text.length) {
    if (isTop && rows.length === topRows) {
      isTop = false
      needed = columns(rows)
      width = needed?.length ?? 0
    }
    const row: string[] = []
    let column = 0
    let isFilled = false
    let code = mark
    for (; code === mark; column += 1, at += 1) {
      const isQuoted = text.charCodeAt(at) === QUOTE
      const start = isQuoted ? at + 1 : at
      let end = isQuoted ? closingQuote(text, start) : start
      if (end < 0) return null
      at = isQuoted ? end + 1 : end
      code = text.charCodeAt(at)
      if (isQuoted) {
        if (code === RETURN) code = text.charCodeAt(++at)
        if (code !== mark && code !== LINE_FEED && at < text.length) return null
      } else {
        while (code !== mark && code !== LINE_FEED && at < text.length) code = text.charCodeAt(++at)
        end = code === LINE_FEED && text.charCodeAt(at - 1) === RETURN ? at - 1 : at
      }
      const isNeeded = column >= width || needed![column]
      if (isFilled && !isNeeded) continue
      const cell = end > start ? text.slice(start, end) : ''
      if (!isFilled) isFilled = cell.trim() !== ''
      if (isNeeded) row.push(isQuoted ? unescaped(cell) : cell)
    }
    if (isFilled) rows.push(row)
  }
  return { rows, needed }
}

/** -1 for none. A quote in the text is written twice. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start)
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2)
  return at
}

function unescaped(cell: string): string {
  const text = cell.includes('"') ? cell.replaceAll('""', '"') : cell
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}

function hasLoneReturn(text: string): boolean {
  let at = text.indexOf('\r')
  while (at >= 0 && text.charCodeAt(at + 1) === LINE_FEED) at = text.indexOf('\r', at + 2)
  return at >= 0
}
