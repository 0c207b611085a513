/** The rules for a SKU record, the same in the form, in an uploaded file and on the server. */
import { parseMeasure } from './row-rules.ts'
import { isFarTooLong, tidyWithin, tooLongText } from './text.ts'

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

const SKU_FIELD_BY_NAME = Object.fromEntries(SKU_FIELDS.map(rule => [rule.name, rule])) as Record<
  SkuField,
  SkuFieldRule
>

export type SkuErrors = Partial<Record<SkuField, string>>

/** Longest text of a number, in characters. */
const MAX_NUMBER_LENGTH = 24
const maxLengthOf = ({ kind, max }: SkuFieldRule): number =>
  kind === 'text' ? max : MAX_NUMBER_LENGTH

const cellText = (entry: SkuInput, rule: SkuFieldRule): string =>
  tidyWithin(String(entry[rule.name] ?? ''), maxLengthOf(rule))

/** Invalid fields of a record, each with its sentence; empty when it can be saved. */
export function skuErrors(entry: SkuInput): SkuErrors {
  const errors: SkuErrors = {}
  for (const rule of SKU_FIELDS) {
    const message = skuError(rule, cellText(entry, rule))
    if (message !== null) errors[rule.name] = message
  }
  return errors
}

function skuError(rule: SkuFieldRule, text: string): string | null {
  const { name, label, kind, max } = rule
  const maxLength = maxLengthOf(rule)
  if (isFarTooLong(text, maxLength)) return tooLongText(label, maxLength, text.length)
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
  const text = (name: SkuField) => cellText(entry, SKU_FIELD_BY_NAME[name])
  const figure = (name: SkuField) => parseMeasure(text(name)) ?? 0
  return {
    sku: text('sku'),
    maxQty: figure('maxQty'),
    weight: figure('weight'),
    length: figure('length'),
    width: figure('width'),
    height: figure('height'),
    description: text('description'),
  }
}
