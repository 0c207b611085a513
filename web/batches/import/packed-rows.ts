/**
 * Rows as columns, in which a worker hands them over: cells of equal text become one text in memory,
 * and a column with one text in all rows is that text.
 */
import type { OptionField } from '#contract/label-options.ts'
import { emptyRow, FIELDS } from '#contract/rows.ts'
import type { RowField, RowItem } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

/** `places`: for each row, the place of its text in `texts`. */
type PackedTexts = string | string[] | { texts: string[]; places: Uint16Array<ArrayBuffer> }

/**
 * Rows of one order item that carries the columns of its file. `rows`: their places; the others for
 * each of them.
 */
type PackedItems = {
  rows: Uint32Array<ArrayBuffer>
  orderItemId: PackedTexts
  sku: PackedTexts
  quantity: PackedTexts
  headers: string[]
  extra: PackedTexts[]
}

/**
 * `lines`: of each row. `rest`: the other keys of the rows that have any, by place. `firstId`: the
 * number in the id of the first row; the others count on.
 */
export type PackedRows = {
  columns: Record<RowField, PackedTexts>
  lines: Uint32Array<ArrayBuffer>
  firstId: number
  items: PackedItems | null
  rest: [place: number, rest: RowRest][]
}
type RowRest = Pick<GridRow, 'items' | 'parts' | 'file' | 'ToEmail' | OptionField> & {
  notices?: string[]
}
type ItemWithExtra = RowItem & { extra: Record<string, string> }

const NAMES = FIELDS.map(({ name }) => name)
/** A column with more texts is rarely worth a list of them. */
const MAX_TEXTS = 2000

/** `rows`: with ids in sequence, as a file that was just read has them. */
export function packRows(rows: readonly GridRow[]): PackedRows {
  const columns = {} as Record<RowField, PackedTexts>
  for (const name of NAMES) columns[name] = packTexts(rows.length, at => rows[at]![name])
  const first = rows.map(singleItem).find(item => item !== null)
  const headers = first ? Object.keys(first.extra) : []
  const packed: ItemWithExtra[] = []
  const places: number[] = []
  const rest: PackedRows['rest'] = []
  for (const [place, row] of rows.entries()) {
    const { notices, items, parts, file, ToEmail, signature, saturday } = row
    const item = singleItem(row)
    const isPacked = item !== null && hasKeys(item.extra, headers)
    if (isPacked) {
      packed.push(item)
      places.push(place)
    }
    const hasMore = parts || file !== undefined || ToEmail || signature || saturday
    if (notices.length === 0 && (isPacked || !items) && !hasMore) continue
    rest.push([
      place,
      {
        ...(notices.length > 0 && { notices }),
        ...(items && !isPacked && { items }),
        ...(parts && { parts }),
        ...(file !== undefined && { file }),
        ...(ToEmail && { ToEmail }),
        ...(signature && { signature }),
        ...(saturday && { saturday }),
      },
    ])
  }
  return {
    columns,
    lines: Uint32Array.from(rows, ({ line }) => line),
    firstId: Number(rows[0]?.id.slice('row-'.length) ?? 0),
    items: packed.length === 0 ? null : packItems(packed, places, headers),
    rest,
  }
}

/** The item of a row that has one, with columns of its file and of the row's order. */
function singleItem({ items }: GridRow): ItemWithExtra | null {
  const item = items?.length === 1 ? items[0] : undefined
  return item?.extra && item.orderId === undefined ? (item as ItemWithExtra) : null
}

function hasKeys(extra: Record<string, string>, headers: readonly string[]): boolean {
  let at = 0
  for (const key in extra) if (key !== headers[at++]) return false
  return at === headers.length
}

const packItems = (items: ItemWithExtra[], places: number[], headers: string[]): PackedItems => ({
  rows: Uint32Array.from(places),
  orderItemId: packTexts(items.length, at => items[at]!.orderItemId),
  sku: packTexts(items.length, at => items[at]!.sku),
  quantity: packTexts(items.length, at => items[at]!.quantity),
  headers,
  extra: headers.map(header => packTexts(items.length, at => items[at]!.extra[header]!)),
})

function packTexts(count: number, textAt: (at: number) => string): PackedTexts {
  const first = count > 0 ? textAt(0) : ''
  let at = 1
  while (at < count && textAt(at) === first) at += 1
  if (at >= count) return first
  const texts = [first]
  const placeOf = new Map([[first, 0]])
  const places = new Uint16Array(count)
  let last = first
  let place = 0
  for (; at < count; at += 1) {
    const text = textAt(at)
    if (text !== last) {
      last = text
      place = placeOf.get(text) ?? texts.length
      if (place === texts.length) {
        if (place >= MAX_TEXTS) return Array.from({ length: count }, (_, one) => textAt(one))
        texts.push(text)
        placeOf.set(text, place)
      }
    }
    places[at] = place
  }
  return { texts, places }
}

export function unpackRows({ columns, lines, firstId, items, rest }: PackedRows): GridRow[] {
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
    if (typeof columns[name] === 'string') continue
    const textAt = unpackTexts(columns[name])
    for (let at = 0; at < rows.length; at += 1) rows[at]![name] = textAt(at)
  }
  if (items)
    for (const [at, item] of unpackItems(items).entries()) rows[items.rows[at]!]!.items = [item]
  for (const [place, more] of rest) Object.assign(rows[place]!, more)
  return rows
}

function unpackItems({ rows, orderItemId, sku, quantity, headers, extra }: PackedItems): RowItem[] {
  const [idAt, skuAt, quantityAt] = [orderItemId, sku, quantity].map(unpackTexts)
  const columns = extra.map(unpackTexts)
  const blank = Object.fromEntries(headers.map(header => [header, '']))
  return Array.from(rows, (_, at) => {
    const cells = { ...blank }
    for (let column = 0; column < headers.length; column += 1)
      cells[headers[column]!] = columns[column]!(at)
    return { orderItemId: idAt!(at), sku: skuAt!(at), quantity: quantityAt!(at), extra: cells }
  })
}

function unpackTexts(packed: PackedTexts): (at: number) => string {
  if (typeof packed === 'string') return () => packed
  if (Array.isArray(packed)) return at => packed[at]!
  const { texts, places } = packed
  return at => texts[places[at]!]!
}

/** What is handed over instead of being copied. */
export function transferOf({ columns, lines, items }: PackedRows): ArrayBuffer[] {
  const packed = [...Object.values(columns), ...(items ? itemTexts(items) : [])]
  return [
    lines.buffer,
    ...(items ? [items.rows.buffer] : []),
    ...packed.flatMap(one =>
      typeof one === 'string' || Array.isArray(one) ? [] : [one.places.buffer],
    ),
  ]
}

const itemTexts = ({ orderItemId, sku, quantity, extra }: PackedItems): PackedTexts[] => [
  orderItemId,
  sku,
  quantity,
  ...extra,
]
