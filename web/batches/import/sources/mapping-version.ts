import type { ColumnMapping } from '#contract/imports.ts'
import type { ColumnUse } from './source.ts'

/**
 * Converts a mapping to version 2. Before, a field with several columns in the file was at the first of them, although the source reads
 * its preferred column first. Where the user has changed neither of the two, the use moves to the preferred column. `inFile`: the
 * source's uses by the order of the file; `preferred`: by its own order.
 */
export function toVersion2(
  mapping: ColumnMapping,
  inFile: readonly ColumnUse[],
  preferred: readonly ColumnUse[],
): ColumnMapping {
  if (mapping.version === 2) return mapping
  const columns = [...mapping.columns]
  for (const [to, { use }] of preferred.entries()) {
    const from = inFile.findIndex(one => one.use === use)
    const [old, free] = [columns[from], columns[to]]
    if (use === 'unused' || from === to || old?.use !== use || free?.use !== 'unused') continue
    columns[to] = { ...old, header: free.header }
    columns[from] = { header: old.header, use: 'unused' }
  }
  return { ...mapping, columns, version: 2 }
}
