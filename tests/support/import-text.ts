/** Reads made-up files as the bulk page does. */
import { TEMPLATE_HEADERS } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import type { ImportContext, ImportResult } from '#web/batches/import/import-file.ts'

export const SENDER = {
  name: 'Wanda Osei',
  company: 'Osei Goods',
  street: '1 Mill Rd',
  city: 'Roseburg',
  state: 'OR',
  zip: '97470',
}
export const MUG: SkuMeasures = {
  sku: 'MUG',
  maxQty: 4,
  weight: 1.5,
  length: 8,
  width: 6,
  height: 4,
  description: 'Mug',
}
export const utf8 = (text: string) => new TextEncoder().encode(text)

export function importText(
  text: string | Uint8Array,
  change: Partial<ImportContext> & { name?: string } = {},
): ImportResult {
  const answer = tryImport(text, change)
  if (!('rows' in answer)) throw new Error(JSON.stringify(answer))
  return answer
}
export const tryImport = (
  text: string | Uint8Array,
  { name = 'orders.csv', ...change }: Partial<ImportContext> & { name?: string } = {},
) =>
  importFile(typeof text === 'string' ? utf8(text) : text, name, {
    senderAddress: SENDER,
    skus: [MUG],
    maxRows: 100,
    ...change,
  })
export const problem = (...given: Parameters<typeof tryImport>) => {
  const answer = tryImport(...given)
  return 'problem' in answer ? answer.problem : 'no problem'
}
export const firstImportedRow = (imported: ImportResult): GridRow => {
  const [row] = imported.rows
  if (!row) throw new Error('no rows')
  return row
}

export const LINE =
  'Wanda Osei,,,1 Mill Rd,,Roseburg,OR,97470,Ana Lee,,,9 Oak St,,Portland,ME,04101,9,6,3,1'
export const csv = (...lines: string[]) => [TEMPLATE_HEADERS.join(','), ...lines].join('\r\n')
