/**
 * Rows as columns, in which a worker hands them over: cells of equal text become one text in memory,
 * and a column with one text in all rows is that text.
 */
import { emptyRow, FIELDS } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

/** `places`: for each row, the place of its text in `texts`. */
type PackedColumn = string | string[] | { texts: string[]; places: Uint16Array<ArrayBuffer> }

/**
 * `lines`: of each row. `rest`: the other keys of the rows that have any, by place. `firstId`: the
 * number in the id of the first row; the others count on.
 */
export type PackedRows = {
  columns: Record<RowField, PackedColumn>
  lines: Uint32Array<ArrayBuffer>
  firstId: number
  rest: [place: number, rest: RowRest][]
}
type RowRest = Pick<GridRow, 'items' | 'parts' | 'file'> & { notices?: string[] }

const NAMES = FIELDS.map(({ name }) => name)
/** A column with more texts is rarely worth a list of them. */
const MAX_TEXTS = 2000

/** `rows`: with ids in sequence, as a file that was just read has them. */
export function packRows(rows: readonly GridRow[]): PackedRows {
  const columns = {} as Record<RowField, PackedColumn>
  for (const name of NAMES) columns[name] = packColumn(rows, name)
  const rest: PackedRows['rest'] = []
  for (const [place, { notices, items, parts, file }] of rows.entries()) {
    if (notices.length === 0 && !items && !parts && file === undefined) continue
    rest.push([
      place,
      {
        ...(notices.length > 0 && { notices }),
        ...(items && { items }),
        ...(parts && { parts }),
        ...(file !== undefined && { file }),
      },
    ])
  }
  return {
    columns,
    lines: Uint32Array.from(rows, ({ line }) => line),
    firstId: Number(rows[0]?.id.slice('row-'.length) ?? 0),
    rest,
  }
}

function packColumn(rows: readonly GridRow[], name: RowField): PackedColumn {
  const first = rows[0]?.[name] ?? ''
  let at = 1
  while (at < rows.length && rows[at]![name] === first) at += 1
  if (at >= rows.length) return first
  const texts = [first]
  const placeOf = new Map([[first, 0]])
  const places = new Uint16Array(rows.length)
  let last = first
  let place = 0
  for (; at < rows.length; at += 1) {
    const text = rows[at]![name]
    if (text !== last) {
      last = text
      place = placeOf.get(text) ?? texts.length
      if (place === texts.length) {
        if (place >= MAX_TEXTS) return rows.map(row => row[name])
        texts.push(text)
        placeOf.set(text, place)
      }
    }
    places[at] = place
  }
  return { texts, places }
}

export function unpackRows({ columns, lines, firstId, rest }: PackedRows): GridRow[] {
  // A literal with all fields: rows that are copies of it take a third of the memory.
  const same = emptyRow()
  for (const name of NAMES) {
    const column = columns[name]
    if (typeof column === 'string') same[name] = column
  }
  const rows: GridRow[] = []
  for (let place = 0; place < lines.length; place += 1)
    rows.push({ ...same, id: `row-${firstId + place}`, line: lines[place]!, notices: [] })
  for (const name of NAMES) {
    const column = columns[name]
    if (typeof column === 'string') continue
    const { texts, places } = Array.isArray(column) ? { texts: column, places: null } : column
    for (let at = 0; at < rows.length; at += 1) rows[at]![name] = texts[places ? places[at]! : at]!
  }
  for (const [place, more] of rest) Object.assign(rows[place]!, more)
  return rows
}

/** What is handed over instead of being copied. */
export const transferOf = ({ columns, lines }: PackedRows): ArrayBuffer[] => [
  lines.buffer,
  ...Object.values(columns).flatMap(column =>
    typeof column === 'string' || Array.isArray(column) ? [] : [column.places.buffer],
  ),
]
