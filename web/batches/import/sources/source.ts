import type { ColumnMapping } from '#contract/imports.ts'
import type { SourceId } from '#contract/sources.ts'
import type { LeftOut } from '#web/batches/import/left-out.ts'
import type { RowDraft, SenderAddress } from '#web/batches/import/row-draft.ts'
import type { Header, Sheet } from '#web/batches/import/sheet.ts'
import type { ServiceNames } from './service-column.ts'

/** How a column of the file is read. */
export type ColumnUse = ColumnMapping['columns'][number]

/**
 * A column that the source reads beside those of the fields, such as the status of an order. `ifEmpty`: the
 * place of the column whose empty cells it fills; without it, it is read on every line.
 */
export type AlsoRead = { at: number; ifEmpty?: number }

/** `drafts` in file order. `notices` have a sentence for each of `leftOut`. */
export type SourceRows = {
  drafts: RowDraft[]
  notices: string[]
  leftOut: LeftOut[]
  columns: ColumnUse[]
  alsoRead?: AlsoRead[]
}

/**
 * `services`: of the user; a file's column of services is not read without them.
 * `keepsUnknownServices`: a row keeps the name of a service that the user does not have, so that it is
 * faulty; otherwise it is left to the service of the page.
 */
export type SourceContext = {
  senderAddress?: SenderAddress
  services?: readonly ServiceNames[]
  keepsUnknownServices?: boolean
}

/**
 * Reads the files of one source. `match`: how many of the source's columns a header row has; 0 if it
 * is not this source's. `needsSender`: its files name no sender, so a saved address is required.
 * `reads`: the columns whose cells the records need to have, by place; without it, all. `read`:
 * `mapping`, the user's columns for this header row, replaces what the source reads by itself.
 */
export type Source = {
  id: SourceId
  needsSender?: true
  match: (header: readonly string[], context: SourceContext) => number
  reads?: (header: Header) => boolean[]
  read: (sheet: Sheet, context: SourceContext, mapping?: ColumnMapping) => SourceRows
}
