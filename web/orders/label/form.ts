/** The form of one label: a row like those of a file, so that the same rules judge both (specification, 5 and 9). Pure. */
import { rowErrors } from '#contract/row-rules.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import { emptyRow, MEASURES, tidyRow, tidyText } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { texts } from './texts.ts'

export type LabelForm = BulkRow

/**
 * A fresh form. The specified receiver's state is CA; the specified sender's, 'TE', is no state, so none is chosen there and
 * none is sent by mistake.
 */
export const newLabelForm = (): LabelForm => ({ ...emptyRow(), ToStateProvince: 'CA' })

const TO_FIELDS = (Object.keys(emptyRow()) as RowField[]).filter(name => name.startsWith('To'))

/** The form for the next label: the sender and the parcel stay, the receiver is new. */
export function forNextReceiver(form: LabelForm): LabelForm {
  const fresh = newLabelForm()
  return { ...form, ...Object.fromEntries(TO_FIELDS.map(name => [name, fresh[name]])) }
}

/** What keeps the label from being ordered, by field; empty when it may be sent. `maxWeight` in pounds. */
export function labelFormErrors(form: LabelForm, maxWeight: number): RowErrors {
  const errors = rowErrors(tidyRow(form), { needService: false, maxWeight })
  return form.ServiceName === '' ? { ServiceName: texts.selectService, ...errors } : errors
}

/** A weight above the service's maximum is reset to the maximum (specification, 5). */
export const clampWeight = (weight: string, maxWeight: number): string =>
  Number(weight) > maxWeight ? String(maxWeight) : weight

/** The saved record of the SKU as it is typed; spaces around it do not count. */
export const findSku = (skus: readonly SkuRecord[], typed: string): SkuRecord | undefined => {
  const sku = tidyText(typed)
  return sku === '' ? undefined : skus.find(record => record.sku === sku)
}

/** A known SKU fills measures, weight and description. */
export function fillFormFromSku(form: LabelForm, record: SkuRecord): LabelForm {
  const [length, width, height, weight] = MEASURES
  return {
    ...form,
    [length]: String(record.length),
    [width]: String(record.width),
    [height]: String(record.height),
    [weight]: String(record.weight),
    PackageDescription: record.description || form.PackageDescription,
  }
}
