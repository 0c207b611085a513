/** A marketplace export of orders: columns by name, one line per order item. */
import { emptyRow } from '#contract/rows.ts'
import { shortenText } from '#contract/text.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import type { CellTable } from '#web/client/delimited-text.ts'
import { repairMangledNumbers, senderFields } from './row-draft.ts'
import type { RowDraft, SenderAddress } from './row-draft.ts'
import { texts } from './texts.ts'

const t = texts.amazon

/**
 * The columns that are read. Of several names, the first with content on a line counts: the product
 * promises buyer-company, but every known report writes buyer-company-name.
 */
const AMAZON_COLUMNS = {
  order: ['order-id'],
  item: ['order-item-id'],
  sku: ['sku'],
  bought: ['quantity-purchased'],
  toShip: ['quantity-to-ship'],
  name: ['recipient-name'],
  phone: ['buyer-phone-number', 'ship-phone-number'],
  company: ['buyer-company', 'buyer-company-name'],
  street1: ['ship-address-1'],
  street2: ['ship-address-2'],
  street3: ['ship-address-3'],
  city: ['ship-city'],
  state: ['ship-state'],
  zip: ['ship-postal-code'],
  country: ['ship-country'],
} as const
type AmazonColumn = keyof typeof AMAZON_COLUMNS
type AmazonLine = Record<AmazonColumn, string>

const REQUIRED_COLUMNS: AmazonColumn[] = ['order', 'name', 'street1', 'city', 'state', 'zip']
const ADDRESS_COLUMNS: AmazonColumn[] = [
  'name',
  'phone',
  'company',
  'street1',
  'street2',
  'street3',
  'city',
  'state',
  'zip',
  'country',
]

/** Whether the header line is that of a marketplace. */
export const looksLikeAmazon = (keys: string[]): boolean =>
  ['orderid', 'amazonorderid', 'recipientname', 'shipaddress1'].some(key => keys.includes(key))

/** Why this is the wrong marketplace file, or null. */
export function amazonReportProblem(keys: string[]): string | null {
  if (keys.includes('amazonorderid')) return t.allOrders
  if (keys.includes('carriercode') && keys.includes('trackingnumber')) return t.confirmation
  const missing = REQUIRED_COLUMNS.filter(
    column => !AMAZON_COLUMNS[column].some(name => keys.includes(headerKey(name))),
  )
  return missing.length > 0
    ? t.missingColumns(missing.map(column => AMAZON_COLUMNS[column][0]))
    : null
}

/** Rows in file order. Lines with nothing left to ship are left out; a notice lists them. */
export function draftsFromAmazon(
  sheet: CellTable,
  sender: SenderAddress,
): { drafts: RowDraft[]; notices: string[] } {
  const lines = amazonLinesOf(sheet)
  const firsts = new Map<string, AmazonLine>()
  const seen = new Map<string, number>()
  const shippedLines: number[] = []
  const drafts: RowDraft[] = []
  lines.forEach((line, index) => {
    const first = firsts.get(line.order)
    if (line.order !== '' && first) copyMissingAddress(first, line)
    else firsts.set(line.order, line)
    if (line.toShip !== '' && Number(line.toShip) === 0) {
      shippedLines.push(index + 1)
      return
    }
    const draft = draftFromLine(line, index, sender)
    noteExtraCells(draft, sheet, index)
    noteDuplicate(draft, seen)
    drafts.push(draft)
  })
  return { drafts, notices: [...sheet.notices, ...reportNotices(drafts, shippedLines)] }
}

function amazonLinesOf(sheet: CellTable): AmazonLine[] {
  const keys = sheet.header.map(headerKey)
  const indexes = Object.entries(AMAZON_COLUMNS).map(
    ([column, names]) =>
      [
        column as AmazonColumn,
        names.map(name => keys.indexOf(headerKey(name))).filter(index => index >= 0),
      ] as const,
  )
  return sheet.records.map(record => {
    const line = {} as AmazonLine
    for (const [column, candidates] of indexes)
      line[column] =
        candidates.map(index => record[index]?.trim() ?? '').find(cell => cell !== '') ?? ''
    return line
  })
}

/** Later lines of an order may come without its address; they take that of the first line. */
function copyMissingAddress(first: AmazonLine, line: AmazonLine): void {
  if (REQUIRED_COLUMNS.some(column => column !== 'order' && line[column] !== '')) return
  for (const column of ADDRESS_COLUMNS) line[column] = first[column]
}

function draftFromLine(line: AmazonLine, index: number, sender: SenderAddress): RowDraft {
  const notices: string[] = []
  let { street1, street2 } = line
  if (street1 === '' && street2 !== '') {
    ;[street1, street2] = [street2, '']
    notices.push(t.line2MovedUp)
  }
  if (line.street3 !== '') {
    street2 = street2 === '' ? line.street3 : `${street2}, ${line.street3}`
    notices.push(t.line3Joined(shortenText(line.street3, 100)))
  }
  const quantity = line.toShip || line.bought || '1'
  if (line.toShip !== '' && line.bought !== '' && line.toShip !== line.bought) {
    notices.push(t.partlyShipped(line.toShip, line.bought))
  }
  const draft: RowDraft = {
    ...emptyRow(),
    ...senderFields(sender),
    ToRecipientName: line.name,
    ToCompany: line.company,
    ToPhone: line.phone.replace(/ext[\s\S]*$/i, '').trim(),
    ToStreet1: street1,
    ToStreet2: street2,
    ToCity: line.city,
    ToStateProvince: line.state,
    ToZipPostal: line.zip,
    ToCountry: line.country || 'US',
    PackageReference1: quantity,
    PackageReference2: line.sku,
    orderId: line.order,
    orderItemId: line.item || `item-${index}`,
    quantity,
    skuNumber: line.sku,
    line: index + 1,
    notices,
  }
  repairMangledNumbers(draft, index)
  return draft
}

/** A line break or tab inside a cell moves the rest of its line, so the line has too many cells. */
function noteExtraCells(draft: RowDraft, sheet: CellTable, index: number): void {
  const record = sheet.records[index] ?? []
  const width = sheet.header.length
  const cells = record.findLastIndex(cell => cell.trim() !== '') + 1
  if (cells > width) draft.notices.push(t.extraCells(cells, width))
}

function noteDuplicate(draft: RowDraft, seen: Map<string, number>): void {
  if (draft.orderId === '') return
  const key = `${draft.orderId} ${draft.orderItemId}`
  const earlier = seen.get(key)
  if (earlier === undefined) seen.set(key, draft.line)
  else draft.notices.push(t.duplicateItem(earlier))
}

function reportNotices(drafts: RowDraft[], shippedLines: number[]): string[] {
  const notices: string[] = []
  if (shippedLines.length > 0) {
    const named = shippedLines.slice(0, 10).join(', ') + (shippedLines.length > 10 ? ', …' : '')
    notices.push(t.leftOut(shippedLines.length, named))
  }
  const lines = new Map<string, number>()
  for (const { orderId } of drafts)
    if (orderId !== '') lines.set(orderId, (lines.get(orderId) ?? 0) + 1)
  const orders = [...lines.values()].filter(count => count > 1)
  if (orders.length > 0) {
    const total = orders.reduce((sum, count) => sum + count, 0)
    notices.push(t.severalItems(orders.length, total))
  }
  return notices
}
