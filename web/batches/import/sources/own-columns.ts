/**
 * The user's columns of a file that a source knows. The source still decides which lines are shipped
 * and completes them; what the user reads from another column, or in another unit, replaces what the
 * source read.
 */
import { unitOf } from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports.ts'
import { OPTION_FIELDS } from '#contract/label-options.ts'
import { FIELDS, MEASURES } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import type { RowDraft } from '#web/batches/import/row-draft.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import {
  columnUses,
  fillConstants,
  FROM_FIELDS,
  readFields,
  SENDER_FIELDS,
  senderNotices,
} from './field-rows.ts'
import type { FieldColumn } from './field-rows.ts'
import { ADDRESS_USES } from './lines.ts'
import { matchedColumns } from './mapped.ts'
import type { ColumnUse, SourceContext } from './source.ts'

type Use = ColumnUse['use']

/**
 * `columns`: all that the user reads. `changed`: the uses whose columns are not the source's. `known`:
 * the uses that the source has columns for.
 */
export type OwnColumns = {
  columns: FieldColumn[]
  changed: ReadonlySet<Use>
  known: ReadonlySet<Use>
  constants: ColumnMapping['constants']
}

/** Uses that are read together: an item without an id has its order's, a sender is one address. */
const TOGETHER: readonly (readonly Use[])[] = [
  ['orderId', 'orderItemId'],
  ['PackageWeight', 'WeightUnit'],
  ['PackageLength', 'PackageWidth', 'PackageHeight', 'SizeUnit'],
  FROM_FIELDS,
]

/** `uses`: of the source for these columns. */
export function ownColumns(
  sheet: Sheet,
  mapping: ColumnMapping,
  uses: readonly ColumnUse[],
): OwnColumns {
  const columns = matchedColumns(sheet, mapping)
  const changed = new Set<Use>()
  for (const [at, now] of columnUses(sheet.header, columns).entries()) {
    const before = uses[at]!
    if (before.use === now.use && unitOf(before) === unitOf(now)) continue
    changed.add(before.use).add(now.use)
  }
  changed.delete('unused')
  const isEntered = (use: Use) => FROM_FIELDS.some(name => name === use && mapping.constants[name])
  for (const group of TOGETHER)
    if (group.some(use => changed.has(use) || isEntered(use)))
      for (const use of group) changed.add(use)
  const known = new Set(uses.map(({ use }) => use))
  return { columns, changed, known, constants: mapping.constants }
}

/** Whether the user's columns say where the parcels come from. */
export const namesSender = ({ columns, constants }: ColumnMapping): boolean =>
  SENDER_FIELDS.some(name => constants[name] || columns.some(({ use }) => use === name))

/** What lines of one order do not share. */
const OF_ITEM: ReadonlySet<Use> = new Set<Use>([
  'orderItemId',
  'skuNumber',
  'quantity',
  ...MEASURES,
])

/**
 * Replaces parts of the source's rows by the user's columns, except the receiver's address, which the
 * lines of the source have. `filledFrom`: for lines without an address, the place of the line that has
 * it: later lines of an order have what its first line says once. Returns sentences about the whole
 * file.
 */
export function readOwnColumns(
  drafts: readonly RowDraft[],
  sheet: Sheet,
  own: OwnColumns,
  context: SourceContext,
  filledFrom: ReadonlyMap<number, number>,
): string[] {
  const { changed, constants } = own
  const columns = own.columns.filter(({ use }) => changed.has(use) && !ADDRESS_USES.has(use))
  const ofOrder = columns.filter(({ use }) => !OF_ITEM.has(use)).map(({ at }) => at)
  const records = sheet.records.map((record, index) => {
    const from = filledFrom.get(index)
    return from === undefined ? record : completed(record, sheet.records[from]!, ofOrder)
  })
  const read = readFields({ ...sheet, records }, columns, constants, context)
  const names = FIELDS.map(({ name }) => name).filter(
    name => changed.has(name) && !ADDRESS_USES.has(name) && !REFERENCES.has(name),
  )
  const hasQuantity = own.columns.some(({ use }) => use === 'quantity')
  let filled = 0
  for (const draft of drafts) {
    const given = read.drafts[draft.line - 1]!
    if (read.filled.has(given)) filled += 1
    const { quantity, skuNumber, PackageReference1, PackageReference2 } = draft
    for (const name of names)
      if (given[name] !== '' || own.known.has(name) || isOfSender(name)) draft[name] = given[name]
    // The printed references follow quantity and SKU, as in a row that is edited.
    if (PackageReference1 === quantity) draft.PackageReference1 = draft.quantity
    if (PackageReference2 === skuNumber) draft.PackageReference2 = draft.skuNumber
    for (const name of REFERENCES)
      if (changed.has(name) && given[name] !== '') draft[name] = given[name]
    for (const name of OPTION_FIELDS) if (given[name] !== undefined) draft[name] = given[name]
    if (given.ToEmail !== undefined) draft.ToEmail = given.ToEmail
    draft.notices.push(...given.notices)
    fillConstants(draft, constants, hasQuantity)
  }
  return changed.has('FromCity') ? senderNotices(columns, filled, drafts.length) : []
}

const REFERENCES: ReadonlySet<RowField> = new Set(['PackageReference1', 'PackageReference2'])
const isOfSender = (name: RowField): boolean => FROM_FIELDS.includes(name)

/** The record with its empty cells at these places filled from another one. */
function completed(record: string[], from: string[], places: readonly number[]): string[] {
  const next = [...record]
  for (const at of places) if ((next[at] ?? '').trim() === '') next[at] = from[at] ?? ''
  return next
}
