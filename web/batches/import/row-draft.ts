/** Rows while their file is being read. */
import { isMangledNumber } from '#contract/row-rules.ts'
import type { BulkRow } from '#contract/rows.ts'
import { shortenText } from '#contract/text.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { texts } from './texts.ts'

/** A row that has no id of its own yet: it is changed in place, and numbered at the end. */
export type RowDraft = GridRow
export const NO_ID = 'row-0'

/** The fields of a saved address that a row needs. */
export type SenderAddress = {
  name: string
  company?: string
  phone?: string
  street: string
  street2?: string
  city: string
  state: string
  zip: string
}

export const senderFields = (from: SenderAddress): Partial<BulkRow> => ({
  FromSenderName: from.name,
  FromCompany: from.company ?? '',
  FromPhone: from.phone ?? '',
  FromStreet1: from.street,
  FromStreet2: from.street2 ?? '',
  FromCity: from.city,
  FromStateProvince: from.state,
  FromZipPostal: from.zip,
  FromCountry: 'US',
})

/** Excel keeps 15 digits of a number. */
const KEPT_DIGITS = 15

/**
 * Ids that a spreadsheet has rounded. '1.8E+17' always is. '577384719283746000' is, if all the long
 * numbers of its column end in zeros from the 16th digit on: one that does so by chance is not
 * enough.
 */
export function roundedIds(ids: readonly string[]): ReadonlySet<string> {
  const rounded = new Set<string>()
  const long = new Set<string>()
  let lostDigits = 0
  let allEndInZeros = true
  for (const id of ids) {
    if (isMangledNumber(id)) rounded.add(id)
    if (id.length <= KEPT_DIGITS || id.length > 30 || long.has(id) || !/^\d+$/.test(id)) continue
    long.add(id)
    lostDigits += id.length - KEPT_DIGITS
    allEndInZeros &&= /^0+$/.test(id.slice(KEPT_DIGITS))
  }
  return allEndInZeros && lostDigits > 1 ? new Set([...rounded, ...long]) : rounded
}

/** Which ids of a file are rounded, by column. */
export type RoundedIds = { orders: ReadonlySet<string>; items: ReadonlySet<string> }

/**
 * Ids with lost digits could confirm another customer's order: an order id is left out, `itemId`
 * takes the place of an item id.
 */
export function dropRoundedIds(draft: RowDraft, rounded: RoundedIds, itemId: string): void {
  if (rounded.orders.size === 0 && rounded.items.size === 0) return
  if (rounded.orders.has(draft.orderId)) {
    draft.notices.push(texts.roundedOrderId(shortenText(draft.orderId)))
    draft.orderId = ''
  }
  if (!rounded.items.has(draft.orderItemId)) return
  draft.notices.push(texts.mangledItemId(shortenText(draft.orderItemId)))
  draft.orderItemId = itemId
}

/** '2.0' of a numeric cell is '2'. */
export const wholeNumber = (text: string): string => text.replace(/^(\d{1,6})\.0+$/, '$1')
