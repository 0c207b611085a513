/** A SKU file before it is sent: all of its records can be saved, or it says why not. Pure. */
import { parseSkuFile } from '#contract/sku-rules.ts'
import type { SkuFileError, SkuMeasures } from '#contract/sku-rules.ts'
import { texts } from './texts.ts'

/** The server takes no more at once (contract/skus.ts). */
const MAX_RECORDS = 20_000

/** Why nothing was uploaded; `invalid` names each wrong field of each record. */
export type SkuFileProblem = { text: string; invalid: readonly SkuFileError[] }
export type SkuFileRecords = { records: SkuMeasures[]; notices: string[] }

/** One wrong record refuses the file: half an upload would have to be found out and finished by hand. */
export function readSkuFile(bytes: Uint8Array, name: string): SkuFileRecords | SkuFileProblem {
  const file = parseSkuFile(bytes, name)
  if ('problem' in file) return { text: file.problem, invalid: [] }
  const { records, invalid, total, notices } = file
  if (invalid.length > 0)
    return { text: texts.file.nothing(new Set(invalid.map(({ row }) => row)).size, total), invalid }
  if (records.length > MAX_RECORDS)
    return { text: texts.file.tooMany(records.length, MAX_RECORDS), invalid: [] }
  return { records, notices }
}

/** How many of the records stand in for known ones. */
export const countReplaced = (
  records: readonly SkuMeasures[],
  known: readonly { sku: string }[],
): number => {
  const skus = new Set(known.map(({ sku }) => sku))
  return records.filter(({ sku }) => skus.has(sku)).length
}
