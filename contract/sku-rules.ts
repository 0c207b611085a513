/** The rules for a SKU record, the same in the form, in an uploaded file and on the server. */
import { textsOf } from './fault-texts.ts'
import type { FieldFault } from './faults.ts'
import { parseMeasure } from './row-rules.ts'
import { isFarTooLong, tidyWithin, tooLong } from './text.ts'

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

export type SkuFaults = Partial<Record<SkuField, FieldFault>>
export type SkuErrors = Partial<Record<SkuField, string>>

/** Longest text of a number, in characters. */
const MAX_NUMBER_LENGTH = 24
const maxLengthOf = ({ kind, max }: SkuFieldRule): number =>
  kind === 'text' ? max : MAX_NUMBER_LENGTH

const cellText = (entry: SkuInput, rule: SkuFieldRule): string =>
  tidyWithin(String(entry[rule.name] ?? ''), maxLengthOf(rule))

/** Invalid fields of a record; empty when it can be saved. */
export function skuFaults(entry: SkuInput): SkuFaults {
  const faults: SkuFaults = {}
  for (const rule of SKU_FIELDS) {
    const fault = skuFault(rule, cellText(entry, rule))
    if (fault !== null) faults[rule.name] = fault
  }
  return faults
}

export const skuErrors = (entry: SkuInput): SkuErrors => textsOf(skuFaults(entry))

function skuFault(rule: SkuFieldRule, value: string): FieldFault | null {
  const { name, label, kind, max } = rule
  const maxLength = maxLengthOf(rule)
  if (isFarTooLong(value, maxLength)) return tooLong(label, maxLength, value.length)
  if (kind === 'text') {
    if (name === 'sku' && value === '') return { code: 'required', text: `${label} is required` }
    if (value.length > max)
      return { code: 'too_long', text: `${label} must be at most ${max} characters` }
    return /[\p{Cc}\p{Cs}]/u.test(value)
      ? {
          code: 'character_not_printable',
          text: `${label} contains a character that cannot be printed`,
        }
      : null
  }
  const figure = parseMeasure(value)
  if (figure === null) return notPositive(label)
  if (figure > max)
    return { code: 'above_limit', text: `${label} must be less than or equal to ${max}` }
  return kind === 'count' && !Number.isInteger(figure)
    ? { code: 'not_a_whole_number', text: `${label} must be a whole number` }
    : null
}

export const notPositive = (label: string): FieldFault => ({
  code: 'measure_not_positive',
  text: `${label} must be greater than 0`,
})

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
