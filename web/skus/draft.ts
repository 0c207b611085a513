import { skuErrors } from '#contract/sku-rules.ts'
import type { SkuErrors, SkuField } from '#contract/sku-rules.ts'
/** A SKU record while it is typed: texts, as fields hold them. Pure. */
import type { SkuRecord } from '#contract/skus.ts'
import { texts } from './texts.ts'

export type SkuDraft = Record<SkuField, string>

export const newSku = (): SkuDraft => ({
  sku: '',
  maxQty: '',
  weight: '',
  length: '',
  width: '',
  height: '',
  description: '',
})

/** What can be typed of a record. */
export const toSkuDraft = ({ _id, ...record }: SkuRecord): SkuDraft => ({
  ...record,
  maxQty: String(record.maxQty),
  weight: String(record.weight),
  length: String(record.length),
  width: String(record.width),
  height: String(record.height),
})

/**
 * Wrong fields of a new record. A SKU that is there already is one of them: the server would put the new record in its place,
 * which a file may mean and a form never does.
 */
export function newSkuErrors(draft: SkuDraft, known: readonly SkuRecord[]): SkuErrors {
  const errors = skuErrors(draft)
  return known.some(({ sku }) => sku === draft.sku.trim())
    ? { ...errors, sku: texts.taken }
    : errors
}

/** The page on which a record stands, from 1; 1 when it does not. */
export const pageOfSku = (records: readonly SkuRecord[], sku: string, size: number): number =>
  Math.floor(
    Math.max(
      0,
      records.findIndex(record => record.sku === sku),
    ) / size,
  ) + 1
