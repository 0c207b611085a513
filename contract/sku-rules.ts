/** The rules for a SKU record, the same in the form, in an uploaded file and on the server. */
import { parseMeasure } from './row-rules.ts'
import { tidyText } from './rows.ts'

/** `maxQty`: most pieces in one package; pounds and inches. */
export type SkuMeasures = {
  sku: string
  maxQty: number
  weight: number
  length: number
  width: number
  height: number
  description: string
}
export type SkuField = keyof SkuMeasures

/** A record as typed or read: numbers or numeric text. */
export type SkuInput = { sku: string; description?: string | null } & Partial<
  Record<'maxQty' | 'weight' | 'length' | 'width' | 'height', number | string | null>
>

export type SkuFieldRule = {
  name: SkuField
  label: string
  kind: 'text' | 'count' | 'measure'
  max: number
}
export const SKU_FIELDS: readonly SkuFieldRule[] = [
  {
    name: 'sku',
    label: 'SKU',
    kind: 'text',
    max: 60,
  },
  {
    name: 'maxQty',
    label: 'Max Quantity',
    kind: 'count',
    max: 999_999,
  },
  {
    name: 'weight',
    label: 'Weight',
    kind: 'measure',
    max: 999,
  },
  {
    name: 'length',
    label: 'Length',
    kind: 'measure',
    max: 999,
  },
  {
    name: 'width',
    label: 'Width',
    kind: 'measure',
    max: 999,
  },
  {
    name: 'height',
    label: 'Height',
    kind: 'measure',
    max: 999,
  },
  {
    name: 'description',
    label: 'Description',
    kind: 'text',
    max: 200,
  },
]

export type SkuErrors = Partial<Record<SkuField, string>>

const cellText = (value: unknown): string =>
  tidyText(value === null || value === undefined ? '' : String(value))

/** Invalid fields of a record, each with its sentence; empty when it can be saved. */
export function skuErrors(entry: SkuInput): SkuErrors {
  const errors: SkuErrors = {}
  for (const rule of SKU_FIELDS) {
    const message = skuError(rule, cellText(entry[rule.name]))
    if (message !== null) errors[rule.name] = message
  }
  return errors
}

function skuError({ name, label, kind, max }: SkuFieldRule, text: string): string | null {
  if (kind === 'text') {
    if (name === 'sku' && text === '') return `${label} is required`
    if (text.length > max) return `${label} must be at most ${max} characters`
    return /[\p{Cc}\p{Cs}]/u.test(text)
      ? `${label} contains a character that cannot be printed`
      : null
  }
  const value = parseMeasure(text)
  if (value === null) return `${label} must be greater than 0`
  if (value > max) return `${label} must be at most ${max}`
  return kind === 'count' && !Number.isInteger(value) ? `${label} must be a whole number` : null
}

/** The record of an entry without errors. */
export function toSkuMeasures(entry: SkuInput): SkuMeasures {
  const figure = (value: unknown) => parseMeasure(cellText(value)) ?? 0
  return {
    sku: cellText(entry.sku),
    maxQty: figure(entry.maxQty),
    weight: figure(entry.weight),
    length: figure(entry.length),
    width: figure(entry.width),
    height: figure(entry.height),
    description: cellText(entry.description),
  }
}
