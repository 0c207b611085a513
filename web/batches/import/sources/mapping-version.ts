import type { ColumnMapping } from '#contract/imports.ts'
import type { ColumnUse } from './source.ts'

/**
 * Converts a mapping to version 2. In one without a version, a field of which the file has several columns is at the first of them in the
 * file, although the source reads its preferred one first: where the user has changed neither of the two, the use moves there.
 * `inFile`: the source's uses by that old order; `preferred`: by its own.
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
