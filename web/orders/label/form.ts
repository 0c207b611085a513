/**
 * The form of one label. It is a row like those of a file, so the same rules validate both. Pure.
 */
import { readReceiverEmail } from '#contract/receiver-email.ts'
import { rowErrors } from '#contract/row-rules.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import { emptyRow, tidyRow } from '#contract/rows.ts'
import type { BulkRow, RowField } from '#contract/rows.ts'
import type { SkuFill } from '#web/skus/fill.ts'
import { NOTHING_TICKED } from './label-options.ts'
import type { TickedOptions } from './label-options.ts'
import { texts } from './texts.ts'

/** `ToEmail`: of the receiver, for emails about the parcel. */
export type LabelForm = BulkRow & { ToEmail: string; ticked: TickedOptions }

export type LabelErrors = RowErrors & { ToEmail?: string }

/**
 * The receiver's default state is CA. The sender has no default: the specified 'TE' is not a state,
 * and would be sent by mistake.
 */
export const newLabelForm = (): LabelForm => ({
  ...emptyRow(),
  ToStateProvince: 'CA',
  ToEmail: '',
  ticked: NOTHING_TICKED,
})

export const isSameForm = (a: LabelForm, b: LabelForm): boolean =>
  a.ToEmail === b.ToEmail && FIELD_NAMES.every(name => a[name] === b[name])

const FIELD_NAMES = Object.keys(emptyRow()) as RowField[]
const FROM_FIELDS = FIELD_NAMES.filter(name => name.startsWith('From'))
const RECEIVER_FIELDS = [...FIELD_NAMES.filter(name => name.startsWith('To')), 'ToEmail'] as const

/** Whether nothing about the sender is entered yet. */
export function hasEmptySender(form: LabelForm): boolean {
  const fresh = newLabelForm()
  return FROM_FIELDS.every(name => form[name] === fresh[name])
}

export const isSameReceiver = (a: LabelForm, b: LabelForm): boolean =>
  RECEIVER_FIELDS.every(name => a[name] === b[name])

/**
 * The form for the next label: sender and package stay, the receiver of the form `ordered` is
 * cleared. A receiver that was changed while its label was being bought stays.
 */
export function forNextReceiver(form: LabelForm, ordered: LabelForm): LabelForm {
  if (!isSameReceiver(form, ordered)) return form
  const fresh = newLabelForm()
  return {
    ...form,
    ...Object.fromEntries(RECEIVER_FIELDS.map(name => [name, fresh[name]])),
  }
}

/** Errors by field. `maxWeight` in pounds. */
export function labelFormErrors(form: LabelForm, maxWeight: number): LabelErrors {
  const errors: LabelErrors = rowErrors(tidyRow(form), {
    needService: false,
    maxWeight,
    serviceUid: form.ServiceName,
  })
  if (readReceiverEmail(form.ToEmail) === 'malformed') errors.ToEmail = texts.emailMalformed
  return form.ServiceName === '' ? { ServiceName: texts.selectService, ...errors } : errors
}

export const clampWeight = (weight: string, maxWeight: number): string =>
  Number(weight) > maxWeight ? String(maxWeight) : weight

/** A weight that a SKU has filled in still counts as filled in, not as typed, after a service has limited it. */
export function limitFill(fill: SkuFill, form: BulkRow, maxWeight: number): SkuFill {
  const { PackageWeight = '' } = fill.values
  const limited = clampWeight(PackageWeight, maxWeight)
  if (limited === PackageWeight || limited !== form.PackageWeight) return fill
  return { ...fill, values: { ...fill.values, PackageWeight: limited } }
}
