import { countText } from '#contract/format.ts'
import { emptyRow } from '#contract/rows.ts'
/** A marketplace export of orders: columns by name, one line per order item (specification, 3 and 9). */
import { headerKey } from '#web/client/delimited-text.ts'
import type { CellTable } from '#web/client/delimited-text.ts'
import { noteMangledNumbers, senderFields } from './row-draft.ts'
import type { RowDraft, SenderAddress } from './row-draft.ts'

/**
 * Which columns are read. Where several names stand, the first that has content on a line counts: the specification reads
 * buyer-company, every known report writes buyer-company-name.
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

/** Whether the header line is a marketplace's. */
export const looksLikeAmazon = (keys: string[]): boolean =>
  ['orderid', 'amazonorderid', 'recipientname', 'shipaddress1'].some(key => keys.includes(key))

const UNSHIPPED_REPORT_HINT =
  'Please download the "Unshipped orders" report from Seller Central (Orders, Order Reports) and upload that file.'

/** Why a marketplace file is the wrong one, or null. */
export function amazonReportProblem(keys: string[]): string | null {
  if (keys.includes('amazonorderid'))
    return `This is the "All orders" report, which has no street addresses. ${UNSHIPPED_REPORT_HINT}`
  const confirms = keys.includes('carriercode') && keys.includes('trackingnumber')
  if (confirms)
    return `This is a shipping confirmation, not a list of orders. ${UNSHIPPED_REPORT_HINT}`
  const missing = REQUIRED_COLUMNS.filter(
    column => !AMAZON_COLUMNS[column].some(name => keys.includes(headerKey(name))),
  )
  return missing.length > 0
    ? `This report has no column ${missing.map(column => AMAZON_COLUMNS[column][0]).join(', ')}. ${UNSHIPPED_REPORT_HINT}`
    : null
}

/** Rows in the order of the file. Lines with nothing left to ship are left out and named. */
export function draftsFromAmazon(
  sheet: CellTable,
  sender: SenderAddress,
): { drafts: RowDraft[]; notices: string[] } {
  const lines = amazonLinesOf(sheet)
  const firsts = new Map<string, AmazonLine>()
  const seen = new Map<string, number>()
  const done: number[] = []
  const drafts: RowDraft[] = []
  lines.forEach((line, index) => {
    const first = firsts.get(line.order)
    if (line.order !== '' && first) copyMissingAddress(first, line)
    else firsts.set(line.order, line)
    if (line.toShip !== '' && Number(line.toShip) === 0) {
      done.push(index + 1)
      return
    }
    const draft = draftFromLine(line, index, sender)
    noteExtraCells(draft, sheet, index)
    noteDuplicate(draft, seen)
    drafts.push(draft)
  })
  return { drafts, notices: [...sheet.notices, ...reportNotices(drafts, done)] }
}

function amazonLinesOf(sheet: CellTable): AmazonLine[] {
  const keys = sheet.header.map(headerKey)
  const places = Object.entries(AMAZON_COLUMNS).map(
    ([column, names]) =>
      [
        column as AmazonColumn,
        names.map(name => keys.indexOf(headerKey(name))).filter(at => at >= 0),
      ] as const,
  )
  return sheet.records.map(record => {
    const line = {} as AmazonLine
    for (const [column, at] of places)
      line[column] = at.map(place => record[place]?.trim() ?? '').find(cell => cell !== '') ?? ''
    return line
  })
}

/** Later lines of an order may come without its address: they go where the first one goes. */
function copyMissingAddress(first: AmazonLine, line: AmazonLine): void {
  if (REQUIRED_COLUMNS.some(column => column !== 'order' && line[column] !== '')) return
  for (const column of ADDRESS_COLUMNS) line[column] = first[column]
}

function draftFromLine(line: AmazonLine, index: number, sender: SenderAddress): RowDraft {
  const notices: string[] = []
  let { street1, street2 } = line
  if (street1 === '' && street2 !== '') {
    ;[street1, street2] = [street2, '']
    notices.push('Address line 1 was empty; line 2 took its place.')
  }
  if (line.street3 !== '') {
    street2 = street2 === '' ? line.street3 : `${street2}, ${line.street3}`
    notices.push(`Address line 3 ('${line.street3}') was joined to line 2.`)
  }
  const quantity = line.toShip || line.bought || '1'
  if (line.toShip !== '' && line.bought !== '' && line.toShip !== line.bought) {
    notices.push(`${line.toShip} of ${line.bought} are still to ship.`)
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
  noteMangledNumbers(draft, index)
  return draft
}

/** A line break or a tab inside a cell moves the rest of its line: the counts of cells give it away. */
function noteExtraCells(draft: RowDraft, sheet: CellTable, index: number): void {
  const record = sheet.records[index] ?? []
  const width = sheet.header.length
  const cells = record.findLastIndex(cell => cell.trim() !== '') + 1
  if (cells > width)
    draft.notices.push(
      `This line has ${cells} cells where the header has ${width}. Please check that none has moved.`,
    )
}

function noteDuplicate(draft: RowDraft, seen: Map<string, number>): void {
  if (draft.orderId === '') return
  const key = `${draft.orderId} ${draft.orderItemId}`
  const earlier = seen.get(key)
  if (earlier === undefined) seen.set(key, draft.line)
  else draft.notices.push(`The same order item is in line ${earlier} too; both would get a label.`)
}

function reportNotices(drafts: RowDraft[], done: number[]): string[] {
  const notices: string[] = []
  if (done.length > 0) {
    const named = done.slice(0, 10).join(', ') + (done.length > 10 ? ', …' : '')
    notices.push(
      `Nothing is left to ship in ${countText(done.length, 'line')} (${named}); left out.`,
    )
  }
  const lines = new Map<string, number>()
  for (const { orderId } of drafts)
    if (orderId !== '') lines.set(orderId, (lines.get(orderId) ?? 0) + 1)
  const several = [...lines.values()].filter(count => count > 1)
  if (several.length > 0) {
    const total = several.reduce((sum, count) => sum + count, 0)
    notices.push(
      `${countText(several.length, 'order')} with several items: each of their ${total} lines gets a label of its own.`,
    )
  }
  return notices
}
