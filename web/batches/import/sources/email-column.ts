/** Email addresses of receivers: a column that a file may have beside the template's. */
import { EMAIL_HEADER } from '#contract/faulty-rows.ts'
import { readReceiverEmail } from '#contract/receiver-email.ts'
import { shortenText } from '#contract/text.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import { readCell } from '#web/client/read-cell.ts'

const KEYS = [EMAIL_HEADER, 'Recipient email', 'Receiver email'].map(headerKey)

/** The place of the column; -1 without one. */
export const emailColumn = ({ keys }: Sheet): number => keys.findIndex(key => KEYS.includes(key))

/** `drafts`: of the sheet's records, in their order. */
export function readEmails(drafts: readonly RowDraft[], { records }: Sheet, at: number): void {
  if (at < 0) return
  for (const [index, draft] of drafts.entries()) setEmail(draft, readCell(records[index]?.[at]))
}

/** Text that is no address is a notice: the label needs none. */
export function setEmail(draft: RowDraft, text: string): void {
  const found = readReceiverEmail(text)
  if (found === 'malformed') draft.notices.push(texts.emailUnread(shortenText(text)))
  else if (found.email !== '') draft.ToEmail = found.email
}
