/** Drafts of SKU records: the texts of the fields. Pure. */

import { skuErrors } from '#contract/sku-rules.ts'
import type { SkuErrors, SkuField } from '#contract/sku-rules.ts'
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

export const toSkuDraft = ({ _id, ...record }: SkuRecord): SkuDraft => ({
  ...record,
  maxQty: String(record.maxQty),
  weight: String(record.weight),
  length: String(record.length),
  width: String(record.width),
  height: String(record.height),
})

/** A known SKU is an error here: the server would replace its record, which a file may intend, but not this form. */
export function newSkuErrors(draft: SkuDraft, known: readonly SkuRecord[]): SkuErrors {
  const errors = skuErrors(draft)
  return known.some(({ sku }) => sku === draft.sku.trim())
    ? { ...errors, sku: texts.taken }
    : errors
}

export const isSameDraft = (a: SkuDraft, b: SkuDraft): boolean =>
  (Object.keys(b) as SkuField[]).every(field => a[field] === b[field])

export const skuLines = (record: SkuRecord): string[] => [
  ...(record.description ? [record.description] : []),
  texts.card.parcel(record.weight, record.length, record.width, record.height),
  texts.card.maxQty(record.maxQty),
]

/** The records with every word of a search in their SKU or description. */
export function searchSkus(records: readonly SkuRecord[], search: string): SkuRecord[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return records.filter(({ sku, description }) => {
    const text = `${sku} ${description}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** The page of a record, from 1; 1 when it is not in the list. */
export const pageOfSku = (records: readonly SkuRecord[], sku: string, size: number): number =>
  Math.floor(
    Math.max(
      0,
      records.findIndex(record => record.sku === sku),
    ) / size,
  ) + 1
