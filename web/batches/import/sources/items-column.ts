/** The order items of combined rows in a file of failed or faulty rows: a column of JSON. */
import { ITEMS_HEADER } from '#contract/faulty-rows.ts'
import { itemsProblem } from '#contract/row-items.ts'
import { parseItems } from '#contract/rows.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { texts } from '#web/batches/import/texts.ts'
import { headerKey } from '#web/client/delimited-text.ts'

const KEY = headerKey(ITEMS_HEADER)

/** The place of the column; -1 if there is none, or another one of that name. */
export function itemsColumn({ keys, records }: Sheet): number {
  const at = keys.indexOf(KEY)
  const isOurs = (cell: string) => cell === '' || cell.startsWith('[')
  return at >= 0 && records.every(record => isOurs((record[at] ?? '').trim())) ? at : -1
}

/** `drafts`: of the sheet's records, in their order. Items that are not valid are a notice. */
export function readItems(drafts: readonly RowDraft[], { records }: Sheet, at: number): void {
  if (at < 0) return
  for (const [index, draft] of drafts.entries()) {
    const cell = (records[index]?.[at] ?? '').trim()
    if (cell === '') continue
    const given = parseJson(cell)
    if (given === undefined || itemsProblem(given) !== null) draft.notices.push(texts.itemsUnread)
    else draft.items = parseItems(given)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
