/**
 * Rows that already have a label, by order and item ids. Only ids and the file's hash are sent, never
 * a name or an address.
 */
import { MAX_SEEN_ROWS, seenRows } from '#contract/batches.ts'
import type { SeenFile } from '#contract/endpoint.ts'
import type { RowGrouping } from '#contract/imports.ts'
import type { RowItem } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { seenTexts } from '#web/batches/bulk/checks/texts.ts'
import { linesOf, restHash } from '#web/batches/bulk/drafts/draft.ts'
import type { BulkDraft, DraftFile } from '#web/batches/bulk/drafts/draft.ts'
import { submittedFile } from '#web/batches/bulk/files/table-files.ts'
import { combineRows, takeAllApart } from '#web/batches/bulk/parcels/combine.ts'
import {
  itemsOf,
  listOfItems,
  sumOfQuantities,
  withItems,
} from '#web/batches/bulk/parcels/row-items.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { send } from '#web/client/send.ts'
import { sha256OfText } from '#web/client/sha256.ts'

/**
 * `rowId`: of a line, before lines are combined. A tracking number is null while it is bought. `items`:
 * which items of a line of several have a label.
 */
export type SeenLabel = {
  rowId: GridRow['id']
  trackingNumber: string | null
  at: string
  items?: Set<ItemKey>
}
type ItemKey = `${string}\n${string}`

/** An earlier submission. `index`: of the draft's file, null for all together. `lines`: as read. */
type KnownFile = SeenFile & { name: string; index: number | null; lines: number }

/**
 * What the server knows about lines of the table. `refused`: it refused to buy them without being
 * told to.
 */
export type SeenBefore = { labels: SeenLabel[]; files: KnownFile[]; refused?: true }

type AskedRow = { row: number; orderId: string; orderItemId: string }
type SeenQuestion = { fileHash?: string; failedOf?: string; rows: AskedRow[] }
type SeenAnswer = {
  file: SeenFile | null
  rows: { row: number; trackingNumber: string | null; at: string }[]
}

type LineItem = { line: GridRow; orderId: string; orderItemId: string }

const itemsOfLine = (line: GridRow): LineItem[] =>
  itemsOf(line).map(({ orderId = line.orderId, orderItemId }) => ({ line, orderId, orderItemId }))

const itemKey = ({ orderId, orderItemId }: LineItem): ItemKey => `${orderId}\n${orderItemId}`

/**
 * What is asked about the lines of one file; `row` is the item's place among the items of all `lines`,
 * from 1.
 */
export function seenQuestion(
  lines: readonly GridRow[],
  file: { sha256: string } | undefined,
  index: number | undefined,
): SeenQuestion {
  const rows = lines
    .flatMap(itemsOfLine)
    .flatMap(({ line, orderId, orderItemId }, place) =>
      line.file === index && orderId !== '' ? [{ row: place + 1, orderId, orderItemId }] : [],
    )
  return { ...(file && { fileHash: file.sha256 }), rows }
}

/**
 * Asks the server about all lines of the table: those of each file, and the files together as a submit
 * names them. Of failed rows, labels of before and of their own bulk order do not count. Rejects like
 * `send`.
 */
export async function askSeen(userId: string, draft: BulkDraft): Promise<SeenBefore> {
  const lines = takeAllApart(draft.rows)
  const answers: FileAnswer[] = []
  const batchOf = async (fileHash: string) =>
    (await askInParts(userId, { fileHash, rows: [] })).file
  const indexes = [...new Set(lines.map(line => line.file))]
  for (const index of indexes) {
    const file = index === undefined ? undefined : draft.files[index]
    const { failedOf } = draft
    const question = {
      ...seenQuestion(lines, file, index),
      ...(index === undefined && failedOf && { failedOf }),
    }
    if (question.rows.length === 0 && !file) continue
    const answer = await askInParts(userId, question)
    if (file && answer.file)
      answer.file.labels += await labelsOfRest(file.sha256, answer.file.batchId, batchOf)
    answers.push({ index: index ?? null, file, answer })
  }
  const together = submittedFile(draft, draft.rows, sha256OfText)
  const used = draft.files.filter((_, index) => indexes.includes(index))
  if (together && used.length > 1) {
    const file = { ...together, rows: used.reduce((sum, { rows }) => sum + rows, 0) }
    const answer = await askInParts(userId, { fileHash: file.sha256, rows: [] })
    answers.push({ index: null, file, answer })
  }
  return seenFrom(lines, answers)
}

/** More parts of one file are not looked up. */
const MAX_PARTS = 20

/** Labels of the parts of a file that were submitted after its first part, bulk order `batchId`. */
export async function labelsOfRest(
  hash: string,
  batchId: string,
  batchOf: (hash: string) => Promise<SeenFile | null>,
): Promise<number> {
  let labels = 0
  let fileHash = restHash(hash, batchId)
  for (let part = 1; part < MAX_PARTS; part += 1) {
    const file = await batchOf(fileHash)
    if (!file) break
    labels += file.labels
    fileHash = restHash(fileHash, file.batchId)
  }
  return labels
}

async function askInParts(userId: string, question: SeenQuestion): Promise<SeenAnswer> {
  const found: SeenAnswer = { file: null, rows: [] }
  let at = 0
  do {
    const rows = question.rows.slice(at, at + MAX_SEEN_ROWS)
    const answer = await send(seenRows, { params: { userId }, body: { ...question, rows } })
    found.file = answer.file
    found.rows.push(...answer.rows)
    at += MAX_SEEN_ROWS
  } while (at < question.rows.length)
  return found
}

type FileAnswer = {
  index: number | null
  file: Pick<DraftFile, 'name' | 'rows'> | undefined
  answer: SeenAnswer
}

export function seenFrom(lines: readonly GridRow[], answers: readonly FileAnswer[]): SeenBefore {
  const items = lines.flatMap(itemsOfLine)
  const labels = new Map<GridRow['id'], SeenLabel>()
  const files: KnownFile[] = []
  for (const { index, file, answer } of answers) {
    for (const { row, trackingNumber, at } of answer.rows) {
      const item = items[row - 1]
      if (!item) continue
      const { line } = item
      const label: SeenLabel = labels.get(line.id) ?? { rowId: line.id, trackingNumber, at }
      if (hasSeveralItems(line)) label.items = (label.items ?? new Set()).add(itemKey(item))
      labels.set(line.id, label)
    }
    if (answer.file && file)
      files.push({ ...answer.file, name: file.name, index, lines: file.rows })
  }
  return { labels: [...labels.values()], files }
}

/**
 * `count` of `total` rows have a label. `ids`: the lines to leave out; null where it is unknown which
 * rows have the labels.
 */
type SeenSummary = {
  count: number
  total: number
  ids: ReadonlySet<GridRow['id']> | null
}

/**
 * What is known about the rows as they are now. Of rows without order ids only the number of their
 * file's labels is known: at least those have one that are more than the lines that left the table.
 */
export function seenSummary({ labels, files }: SeenBefore, rows: readonly GridRow[]): SeenSummary {
  const seen = labelsByLine(labels)
  const isSeenLine = (line: GridRow): boolean => {
    const label = seen.get(line.id)
    return label !== undefined && unseenItems(line, label).length < itemsOf(line).length
  }
  const isSeen = (row: GridRow): boolean => linesOf(row).some(isSeenLine)
  const ids = new Set(
    rows.flatMap(row => linesOf(row).flatMap(line => (isSeenLine(line) ? line.id : []))),
  )
  const named = rows.filter(isSeen).length
  const unnamedIn = (file: KnownFile): number => {
    const present = rows.filter(row => isOfFile(row, file))
    const gone = file.lines - present.reduce((sum, row) => sum + linesOf(row).length, 0)
    const open = present.filter(isWithoutIds).length
    const left = file.labels - present.filter(isSeen).length - Math.max(0, gone)
    return Math.max(0, Math.min(open, left))
  }
  const single = files.filter(({ index }) => index !== null)
  const together = files.filter(({ index }) => index === null)
  const unnamed = Math.max(
    single.reduce((sum, file) => sum + unnamedIn(file), 0),
    ...together.map(unnamedIn),
  )
  const open = rows.filter(row => isWithoutIds(row) && files.some(file => isOfFile(row, file)))
  const isKnown = unnamed === 0 || unnamed === open.length
  if (isKnown && unnamed > 0) for (const row of open) for (const { id } of linesOf(row)) ids.add(id)
  return { count: named + unnamed, total: rows.length, ids: isKnown ? ids : null }
}

const isOfFile = (row: GridRow, { index }: KnownFile): boolean =>
  row.file !== undefined && (index === null || row.file === index)

const isWithoutIds = (row: GridRow): boolean =>
  itemsOf(row).every(({ orderId = row.orderId }) => orderId === '')

const hasSeveralItems = (line: GridRow): boolean => (line.items?.length ?? 0) > 1

const labelsByLine = (labels: readonly SeenLabel[]): ReadonlyMap<GridRow['id'], SeenLabel> =>
  new Map(labels.map(label => [label.rowId, label]))

/** The items of a line that have no label; of one item, none. */
function unseenItems(line: GridRow, { items }: Pick<SeenLabel, 'items'>): RowItem[] {
  if (!items) return []
  const keys = itemsOfLine(line).map(itemKey)
  return itemsOf(line).filter((_, index) => !items.has(keys[index]!))
}

/** The line with its items that have no label; null if there are none. */
function withoutSeenItems(line: GridRow, label: SeenLabel | undefined): GridRow | null {
  const items = unseenItems(line, label ?? {})
  if (items.length === 0) return null
  const quantity = sumOfQuantities(items.map(item => item.quantity))
  const left = withItems(line, items)
  const description = listOfItems(itemsOf(line))
  return {
    ...left,
    quantity,
    PackageReference1: line.PackageReference1 === line.quantity ? quantity : line.PackageReference1,
    PackageDescription:
      line.PackageDescription === description ? listOfItems(items) : line.PackageDescription,
    notices: [...line.notices, seenTexts.itemsLeftOut(itemsOf(line).length - items.length)],
  }
}

/**
 * The table without these lines; the others are combined again as they were. A line of several items
 * keeps those that have none of the `labels`.
 */
export function leaveOut(
  rows: readonly GridRow[],
  ids: ReadonlySet<GridRow['id']>,
  by: RowGrouping,
  skus: ReadonlyMap<string, SkuMeasures>,
  labels: readonly SeenLabel[] = [],
): GridRow[] {
  const seen = labelsByLine(labels)
  const touched = (row: GridRow) => linesOf(row).some(({ id }) => ids.has(id))
  if (!rows.some(touched)) return [...rows]
  return rows.flatMap(row => {
    if (!touched(row)) return [row]
    const left = takeAllApart([row]).flatMap(line =>
      ids.has(line.id) ? (withoutSeenItems(line, seen.get(line.id)) ?? []) : [line],
    )
    return combineRows(left, by, skus)
  })
}

/** How many rows left the table, and how many order items left rows that stay. */
export function leftOutCounts(
  before: readonly GridRow[],
  after: readonly GridRow[],
): { rows: number; items: number } {
  const left = new Map(after.flatMap(linesOf).map(line => [line.id, itemsOf(line).length]))
  let [rows, items] = [0, 0]
  for (const row of before) {
    const lines = linesOf(row)
    if (!lines.some(({ id }) => left.has(id))) rows += 1
    else for (const line of lines) items += itemsOf(line).length - (left.get(line.id) ?? 0)
  }
  return { rows, items }
}
