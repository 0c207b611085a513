import { unitOf } from '#contract/imports.ts'
import type { ColumnMapping } from '#contract/imports.ts'
import { addsUp } from '#contract/measures.ts'
import { columnKey } from '#web/batches/import/sheet.ts'
import type { Sheet } from '#web/batches/import/sheet.ts'
import { columnUses, readFieldRows } from './field-rows.ts'
import type { FieldColumn } from './field-rows.ts'
import type { SourceContext, SourceRows } from './source.ts'

/** Reads a file that no source knows, by the columns that the user has matched. */
export function readMapped(
  sheet: Sheet,
  mapping: ColumnMapping,
  context: SourceContext,
): SourceRows {
  const columns = matchedColumns(sheet, mapping)
  const { drafts, notices } = readFieldRows(sheet, columns, mapping.constants, context)
  return { drafts, notices, leftOut: [], columns: columnUses(sheet.header, columns) }
}

/**
 * The columns that are read. They are found by name; of equal names by their order. Older mappings may give a
 * measure in two units that do not add up: its first column is read.
 */
export function matchedColumns(sheet: Sheet, mapping: ColumnMapping): FieldColumn[] {
  const taken = new Set<number>()
  const columns: FieldColumn[] = []
  const keys = sheet.header.map(columnKey)
  mapping.columns.forEach(({ header, use, unit, values }, index) => {
    const key = columnKey(header)
    const at =
      keys[index] === key ? index : keys.findIndex((one, i) => one === key && !taken.has(i))
    if (at < 0 || taken.has(at)) return
    taken.add(at)
    const own = unitOf({ use, unit })
    const isTwice =
      own !== undefined
      && columns.some(column => column.use === use && !addsUp(unitOf(column)!, own))
    if (use !== 'unused' && !isTwice)
      columns.push({ at, use, ...(unit && { unit }), ...(values && { values }) })
  })
  return columns
}
