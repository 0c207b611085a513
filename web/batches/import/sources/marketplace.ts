/**
 * Reads exports of marketplaces and shops: columns by name in any order, one line per order or order
 * item, lines that are not to be shipped left out with their reason.
 */
import type { ColumnMapping, ColumnUnit } from '#contract/imports.ts'
import { parseMeasureWithUnit } from '#contract/measures.ts'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SourceId } from '#contract/sources.ts'
import { isFarTooLong, shortenText } from '#contract/text.ts'
import { countLeftOut, leaveOut, leftOutNotices } from '#web/batches/import/left-out.ts'
import type { LeftOutLines } from '#web/batches/import/left-out.ts'
import {
  dropRoundedIds,
  NO_ID,
  roundedIds,
  senderFields,
  wholeNumber,
} from '#web/batches/import/row-draft.ts'
import type { RoundedIds, RowDraft } from '#web/batches/import/row-draft.ts'
import type { Header, Sheet } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import { columnUses } from './field-rows.ts'
import {
  copyFromOrder,
  fillAddress,
  hasColumn,
  linesOf,
  noOrderReason,
  ordersOf,
  placesByName,
  USES,
} from './lines.ts'
import type { Line, LineField, Names } from './lines.ts'
import { toVersion2 } from './mapping-version.ts'
import { ownColumns, readOwnColumns } from './own-columns.ts'
import type { OwnColumns } from './own-columns.ts'
import { describeByName } from './several-items.ts'
import type { AlsoRead, ColumnUse, Source, SourceContext, SourceRows } from './source.ts'

/**
 * `needs`: the columns that a file must have to be of this source, by any of their names; together
 * no other source has them. `itemIdsByLine`: a missing item id is 'item-{index}' instead of '{order id}-{n}'. `orderFields`:
 * those that only the line with the order's address may carry. `noItem`: why a line is no order item
 * (explanations, sums). `leftOut`: why an item is not to be shipped. `finish`: what else the line says; `finishReads`: the
 * places that it looks at; `keepsAllColumns`: it keeps the cells of all for another file. `siblings`: the lines of the same
 * order; `has`: whether the file has the column.
 */
type Marketplace<More extends string> = {
  id: SourceId
  needs: readonly Names[]
  columns: Partial<Record<LineField, Names>> & Record<More, Names>
  weightUnit?: ColumnUnit
  itemIdsByLine?: true
  orderFields?: readonly More[]
  noItem?: (line: Line<More>, siblings: readonly Line<More>[]) => string | null
  leftOut?: (line: Line<More>, has: (field: LineField | More) => boolean) => string | null
  finish?: (draft: RowDraft, line: Line<More>, record: readonly string[], cells: Header) => void
  finishReads?: (header: Header) => readonly number[]
  keepsAllColumns?: true
  /** Sentences about the whole file. */
  notices?: (lines: readonly Line<More>[]) => string[]
}

export const marketplaceSource = <More extends string>(spec: Marketplace<More>): Source => ({
  id: spec.id,
  needsSender: true,
  match: header => countColumns(spec, header),
  reads: header => columnsRead(spec, header),
  read: (sheet, context, mapping) => readMarketplace(spec, sheet, context, mapping),
})

function countColumns<More extends string>(
  { needs, columns }: Marketplace<More>,
  header: readonly string[],
): number {
  const keys = header.map(headerKey)
  if (!needs.every(names => hasColumn(names, keys))) return 0
  return Object.values<Names | undefined>(columns).filter(names => hasColumn(names, keys)).length
}

function columnsRead<More extends string>(
  { columns, finishReads, keepsAllColumns }: Marketplace<More>,
  header: Header,
): boolean[] {
  const names = Object.values<Names | undefined>(columns).flatMap(each => each ?? [])
  const keys = new Set(names.map(headerKey))
  const places = new Set(finishReads?.(header))
  return header.keys.map((key, at) => keepsAllColumns || keys.has(key) || places.has(at))
}

function readMarketplace<More extends string>(
  spec: Marketplace<More>,
  sheet: Sheet,
  context: SourceContext,
  mapping: ColumnMapping | undefined,
): SourceRows {
  const { cells } = sheet
  const uses = usesOf(spec, sheet)
  const own = mapping
    ? ownColumns(sheet, toVersion2(mapping, usesOf(spec, sheet, firstPlaceInFile), uses), uses)
    : null
  const lines = linesOf(spec.columns, sheet, own)
  const has = (field: LineField | More) => hasColumn(spec.columns[field], sheet.keys)
  const orders = ordersOf(lines)
  // Other columns of ids are checked where they are read.
  const hasOwnIds = own?.changed.has('orderId') === true
  const rounded: RoundedIds = {
    orders: roundedIds(hasOwnIds ? [] : [...orders.keys()]),
    items: roundedIds(hasOwnIds ? [] : lines.map(({ item }) => item)),
  }
  const base = {
    ...emptyRow(),
    ...(context.senderAddress && senderFields(context.senderAddress)),
  }
  const left: LeftOutLines = new Map()
  const places = new Map<string, number>()
  const filledFrom = new Map<number, number>()
  const drafts: RowDraft[] = []
  const ofSeveral: RowDraft[] = []
  const shipped: Line<More>[] = []
  lines.forEach((line, index) => {
    const order = orders.get(line.order)
    const siblings = order?.lines ?? []
    const noItem = noOrderReason(line) ?? spec.noItem?.(line, siblings) ?? null
    if (noItem !== null)
      return leaveOut(left, noItem, index + 1, siblings.length > 1 ? line.order : '')
    const place = (places.get(line.order) ?? 0) + 1
    places.set(line.order, place)
    if (line.order !== '' && order) {
      const from = copyFromOrder(spec.orderFields ?? [], line, order)
      if (from !== undefined) filledFrom.set(index, from)
    }
    if (own) fillAddress(line, own.constants)
    const reason = spec.leftOut?.(line, has) ?? null
    if (reason !== null) return leaveOut(left, reason, index + 1, line.order)
    const draft = draftFromLine(spec, line, index, base)
    const hasOrder = line.order !== '' && !rounded.orders.has(line.order)
    const itemId = hasOrder && !spec.itemIdsByLine ? `${line.order}-${place}` : `item-${index}`
    draft.orderItemId ||= itemId
    dropRoundedIds(draft, rounded, itemId)
    const record = sheet.records[index]!
    noteExtraCells(draft, record, sheet)
    spec.finish?.(draft, line, record, cells)
    drafts.push(draft)
    if (siblings.length > 1) ofSeveral.push(draft)
    shipped.push(line)
  })
  const ownNotices = own ? readOwnColumns(drafts, sheet, own, context, filledFrom) : []
  // Behind the user's columns, which may have another SKU or a description.
  for (const draft of drafts) describeByName(draft, lines[draft.line - 1]!.itemName)
  const notices = [
    ...leftOutNotices(left),
    ...ownNotices,
    ...(spec.notices?.(shipped) ?? []),
    ...noteSeveralItems(ofSeveral),
  ]
  const columns = own ? columnUses(sheet.header, own.columns) : uses
  const alsoRead = alsoReadOf(spec, sheet, own)
  return { drafts, notices, leftOut: countLeftOut(left), columns, alsoRead }
}

function draftFromLine<More extends string>(
  spec: Marketplace<More>,
  line: Line<More>,
  index: number,
  base: BulkRow,
): RowDraft {
  const notices: string[] = []
  let { street1, street2 } = line
  if (street1 === '' && street2 !== '') {
    ;[street1, street2] = [street2, '']
    notices.push(texts.line2MovedUp)
  }
  if (line.street3 !== '') {
    street2 = street2 === '' ? line.street3 : `${street2}, ${line.street3}`
    notices.push(texts.line3Joined(shortenText(line.street3, 100)))
  }
  const quantity = wholeNumber(line.quantity) || '1'
  return {
    ...base,
    ToRecipientName: line.name || `${line.firstName} ${line.lastName}`.trim(),
    ToCompany: line.company,
    ToPhone: line.phone,
    ToStreet1: street1,
    ToStreet2: street2,
    ToCity: line.city,
    ToStateProvince: line.state,
    ToZipPostal: line.zip,
    ToCountry: line.country || 'US',
    PackageWeight: weightOf(line, spec.weightUnit, notices),
    PackageReference1: quantity,
    PackageReference2: line.sku,
    orderId: line.order,
    orderItemId: line.item,
    quantity,
    skuNumber: line.sku,
    id: NO_ID,
    line: index + 1,
    notices,
  }
}

/** Of all weights by unit, since parcels of a file have few different ones. */
const readWeights = new Map<string, { value: string; notice: string | null }>()
const MAX_READ_WEIGHTS = 10_000

function weightOf({ weight }: Line, unit: ColumnUnit | undefined, notices: string[]): string {
  // An empty weight is exported as 0.
  if (weight === '' || weight === '0' || isFarTooLong(weight, 24)) return ''
  const key = `${unit} ${weight}`
  const read = readWeights.get(key) ?? readWeight(weight, unit)
  if (readWeights.size < MAX_READ_WEIGHTS) readWeights.set(key, read)
  if (read.notice !== null) notices.push(read.notice)
  return read.value
}

function readWeight(weight: string, unit: ColumnUnit | undefined) {
  if (Number(weight) === 0) return { value: '', notice: null }
  const measure = parseMeasureWithUnit(weight, 'weight', unit)
  const note = 'note' in measure ? measure.note : null
  return {
    value: measure.value,
    notice: note === null ? null : texts.measureRead('Weight', note),
  }
}

/** A line break or tab inside a cell moves the rest of its line, so the line has too many cells. */
function noteExtraCells(
  draft: RowDraft,
  record: readonly string[],
  { header, cells }: Sheet,
): void {
  const width = cells.header.length
  if (record.length <= width) return
  const count = record.findLastIndex(cell => cell.trim() !== '') + 1
  if (count > width)
    draft.notices.push(texts.lineTooWide(count - width + header.length, header.length))
}

/**
 * Notes items that come twice, and says how many orders have several lines. `drafts`: of the orders
 * that have several in the file.
 */
function noteSeveralItems(drafts: readonly RowDraft[]): string[] {
  const byOrder = new Map<string, RowDraft[]>()
  for (const draft of drafts) {
    if (draft.orderId === '') continue
    const found = byOrder.get(draft.orderId)
    if (found) found.push(draft)
    else byOrder.set(draft.orderId, [draft])
  }
  const several = [...byOrder.values()].filter(lines => lines.length > 1)
  if (several.length === 0) return []
  for (const lines of several) {
    const seen = new Map<string, number>()
    for (const draft of lines) {
      const earlier = seen.get(draft.orderItemId)
      if (earlier === undefined) seen.set(draft.orderItemId, draft.line)
      else draft.notices.push(texts.duplicateItem(earlier))
    }
  }
  const total = several.reduce((sum, lines) => sum + lines.length, 0)
  return [texts.severalItems(several.length, total)]
}

/** `places`: of the columns that a field may be read from, in the order of the source's names. The first one is read. */
const preferredPlace = ([first]: readonly number[]): number | undefined => first
/** The leftmost of them, which the dialog named before mappings had a version. */
const firstPlaceInFile = (places: readonly number[]): number | undefined =>
  places.length === 0 ? undefined : Math.min(...places)

/** What each column of the file is read as. `placeOf`: which of a field's columns is read. */
function usesOf<More extends string>(
  { columns, weightUnit }: Marketplace<More>,
  { header, keys }: Sheet,
  placeOf = preferredPlace,
): ColumnUse[] {
  const uses = header.map((name): ColumnUse => ({ header: name, use: 'unused' }))
  for (const [field, names = []] of Object.entries<Names | undefined>(columns)) {
    const use = USES[field as LineField]
    const at = placeOf(placesByName(names, keys))
    if (!use || at === undefined || uses[at]!.use !== 'unused') continue
    const unit = use === 'PackageWeight' && weightUnit
    uses[at] = { header: header[at]!, use, ...(unit && { unit }) }
  }
  return uses
}

/**
 * Columns that fill no field, for example those that leave an order out, and the second names of those that do. A field
 * that the user reads from other columns has no second names.
 */
function alsoReadOf<More extends string>(
  { columns, finishReads }: Marketplace<More>,
  sheet: Sheet,
  own: OwnColumns | null,
): AlsoRead[] {
  const found = new Map<number, AlsoRead>()
  for (const [field, names = []] of Object.entries<Names | undefined>(columns)) {
    const use = USES[field as LineField]
    const places = placesByName(names, sheet.keys)
    if (!use) for (const at of places) found.set(at, { at })
    else if (!own?.changed.has(use))
      for (const at of places.slice(1))
        if (!found.has(at)) found.set(at, { at, ifEmpty: places[0]! })
  }
  for (const at of finishReads?.(sheet) ?? []) found.set(at, { at })
  return [...found.values()]
}

/** A file has few different ones. */
const statusKeys = new Map([['', '']])
const MAX_STATUS_KEYS = 1000

/** A status in lower case with single spaces. */
export function statusKey(status: string): string {
  if (status.length > 60) return status
  const known = statusKeys.get(status)
  if (known !== undefined) return known
  const key = status
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
  if (statusKeys.size < MAX_STATUS_KEYS) statusKeys.set(status, key)
  return key
}

/** Why a status that is not to be shipped leaves a line out: 'cancelled', or 'status On hold'. */
export function statusReason(status: string): string {
  const key = statusKey(status)
  if (/cancel|declined|void/.test(key.slice(0, 60))) return texts.reasons.cancelled
  if (/refund/.test(key.slice(0, 60))) return texts.reasons.refunded
  if (/^(?:shipped|completed?|delivered|in transit|fulfilled)$/.test(key))
    return texts.reasons.shipped
  return texts.reasons.status(shortenText(status))
}
