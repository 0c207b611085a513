import { withGroupName } from '#contract/row-rules.ts'
import { fieldByName } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import { isFarTooLong } from '#contract/text.ts'
import type { GridRow } from '#web/batches/grid-row.ts'

const LABEL_TEXT_FIELDS: readonly RowField[] = [
  'FromSenderName',
  'FromCompany',
  'FromStreet1',
  'FromStreet2',
  'FromCity',
  'ToRecipientName',
  'ToCompany',
  'ToStreet1',
  'ToStreet2',
  'ToCity',
]
const NOT_ASCII = /[^\x20-\x7e]/
const needsNotice = (row: BulkRow, name: RowField): boolean =>
  !isFarTooLong(row[name], fieldByName(name).max) && NOT_ASCII.test(row[name])

/**
 * Adds a notice about text that a label prints differently ('José' as JOSE). A row gets it
 * once. The transliteration is loaded only if a row needs it; null if it can't be.
 */
export async function withPrintNotices(rows: GridRow[]): Promise<GridRow[] | null> {
  if (!rows.some(row => LABEL_TEXT_FIELDS.some(name => needsNotice(row, name)))) return rows
  const library = await import('#contract/label-text.ts').catch(() => null)
  if (library === null) return null
  const { labelNotice } = library
  return rows.map(row => {
    const notices = LABEL_TEXT_FIELDS.flatMap(name => {
      const notice = needsNotice(row, name) ? labelNotice(row[name]) : null
      const text = `${withGroupName(name, `${fieldByName(name).label} ${notice}`)}.`
      return notice === null || row.notices.includes(text) ? [] : [text]
    })
    return notices.length === 0 ? row : { ...row, notices: [...row.notices, ...notices] }
  })
}
