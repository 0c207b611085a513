import type { FieldFault } from '#contract/faults.ts'
import { notPositive, skuFaults, toSkuMeasures } from '#contract/sku-rules.ts'
import type { SkuInput, SkuFaults, SkuMeasures } from '#contract/sku-rules.ts'
import { Refusal, refuseFields, firstWrongFields } from '#server/platform/http/refusal.ts'

/** Per user: the page loads the whole list when it reads a file. */
export const MAX_SKUS = 50_000

const MEASURES = [
  ['weight', 'Weight'],
  ['length', 'Length'],
  ['width', 'Width'],
  ['height', 'Height'],
] as const

// Measures are stored to a ten-thousandth of an inch or a pound.
const roundMeasure = (value: number): number => Math.round(value * 10_000) / 10_000

function checkSkuEntry(entry: SkuInput): { record: SkuMeasures; faults: SkuFaults } {
  const record = toSkuMeasures(entry)
  const faults = skuFaults(entry)
  for (const [name, label] of MEASURES) {
    record[name] = roundMeasure(record[name])
    if (record[name] === 0) faults[name] ??= notPositive(label)
  }
  return { record, faults }
}

/** Throws Refusal 422 with a text for each invalid field. */
export function checkedSkuRecord(entry: SkuInput): SkuMeasures {
  const { record, faults } = checkSkuEntry(entry)
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  return record
}

/**
 * The records of a list that is added in parts; of records with the same SKU the last one counts.
 * One invalid record refuses all.
 */
export class SkuList {
  readonly #records = new Map<string, SkuMeasures>()
  readonly #wrong: [field: string, fault: FieldFault][] = []
  #length = 0

  add(entries: readonly SkuInput[]): void {
    for (const entry of entries) {
      this.#length++
      const { record, faults } = checkSkuEntry(entry)
      this.#records.set(record.sku, record)
      for (const [field, fault] of Object.entries(faults))
        this.#wrong.push([`${this.#length}.${field}`, fault])
    }
  }

  /**
   * Throws Refusal 422 with a text for each invalid field, '2.weight', records counted
   * from 1; of many only the first, with the number of the others.
   */
  records(): SkuMeasures[] {
    const [first] = this.#wrong
    if (first === undefined) return [...this.#records.values()]
    const [field, { code, text }] = first
    const { fields, more } = firstWrongFields(this.#wrong)
    throw new Refusal(
      code,
      this.#length === 1 ? text : `Row ${field.split('.')[0]}: ${text}${more}`,
      { fields },
    )
  }
}
