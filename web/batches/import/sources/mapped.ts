import type { ColumnMapping } from '#contract/imports.ts'
import { columnKey } from '#web/batches/import/sheet.ts'
import type { Header, Sheet } from '#web/batches/import/sheet.ts'
import { fieldsRead, readFieldRows } from './field-rows.ts'
import type { FieldColumn } from './field-rows.ts'
import type { SourceContext, SourceRows } from './source.ts'
import { columnUses } from './template.ts'

/**
 * The columns of a file that the user has matched. They are found by name; of equal names by their
 * order.
 */
function mappedColumns(header: readonly string[], mapping: ColumnMapping): FieldColumn[] {
  const taken = new Set<number>()
  const columns: FieldColumn[] = []
  const keys = header.map(columnKey)
  mapping.columns.forEach(({ header: name, use, unit, values }, index) => {
    const key = columnKey(name)
    const at =
      keys[index] === key ? index : keys.findIndex((one, i) => one === key && !taken.has(i))
    if (at < 0 || taken.has(at)) return
    taken.add(at)
    if (use !== 'unused')
      columns.push({ at, use, ...(unit && { unit }), ...(values && { values }) })
  })
  return columns
}

/** Which columns `readMapped` looks at, by place. */
export const mappingReads = (header: Header, mapping: ColumnMapping): boolean[] =>
  fieldsRead(header, mappedColumns(header.header, mapping))

/** Reads a file whose columns the user has matched. */
export function readMapped(
  sheet: Sheet,
  mapping: ColumnMapping,
  context: SourceContext,
): SourceRows {
  const columns = mappedColumns(sheet.header, mapping)
  const { drafts, notices } = readFieldRows(sheet, columns, mapping.constants, context)
  return { drafts, notices, leftOut: [], columns: columnUses(sheet.header, columns) }
}
