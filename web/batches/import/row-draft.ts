/** A row while its file is being read, before it has an id. */
import { isMangledNumber } from '#contract/row-rules.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { texts } from './texts.ts'

export type RowDraft = Omit<GridRow, 'id'>

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

/** The sender columns of a row. */
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

/**
 * Handles long numbers that a spreadsheet has rounded ('1.8E+13'). An item id with lost digits
 * could confirm another customer's order, so `item-{index}` replaces it. A phone gets a notice
 * only.
 */
export function repairMangledNumbers(draft: RowDraft, index: number): void {
  for (const phone of ['FromPhone', 'ToPhone'] as const) {
    if (isMangledNumber(draft[phone])) draft.notices.push(texts.mangledPhone(draft[phone]))
  }
  if (!isMangledNumber(draft.orderItemId)) return
  draft.notices.push(texts.mangledItemId(draft.orderItemId))
  draft.orderItemId = `item-${index}`
}
