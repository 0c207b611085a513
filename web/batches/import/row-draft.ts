/** A row while its file is being read: it has no place in the table yet. */
import { isMangledNumber } from '#contract/row-rules.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

export type RowDraft = Omit<GridRow, 'id'>

/** What is needed of a saved address (specification, 3). */
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

/** The sender's half of a row. */
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
 * Undoes what can be undone after a spreadsheet, and says what cannot: an item id whose digits are gone is replaced by
 * `item-{index}`, because it would confirm a stranger's order; a phone is left for the reader to mend.
 */
export function noteMangledNumbers(draft: RowDraft, index: number): void {
  for (const phone of ['FromPhone', 'ToPhone'] as const) {
    if (isMangledNumber(draft[phone]))
      draft.notices.push(`Phone '${draft[phone]}' was changed by a spreadsheet.`)
  }
  if (!isMangledNumber(draft.orderItemId)) return
  draft.notices.push(`Item id '${draft.orderItemId}' was changed by a spreadsheet and is left out.`)
  draft.orderItemId = `item-${index}`
}
