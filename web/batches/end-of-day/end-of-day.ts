/** What the page End of day shows. Pure. */
import type { ScanForm, ScanFormCandidates, ScanFormState } from '#contract/scan-forms.ts'
import type { Tone } from '#web/ui/tone.ts'

export const FORM_TONE: Record<ScanFormState, Tone> = {
  asked: 'blue',
  made: 'green',
  failed: 'red',
  unknown: 'yellow',
}

type Sender = ScanForm['sender']

/** 'Mason Trading'. */
export const senderName = ({ name, company }: Sender): string => name || company

/** '100 Congress Ave, Austin, TX 78701'. */
export const senderPlace = ({ street1, street2, city, state, zip }: Sender): string =>
  [street1, street2, city, `${state} ${zip}`].filter(part => part.trim() !== '').join(', ')

/** The same as long as parcels of this sender wait. */
export const groupKey = ({ sender }: ScanFormCandidates): string => Object.values(sender).join('\n')

/** So many parcels of each sender are described at first. */
export const FIRST_LABELS = 25

/**
 * Whether all parcels are loaded when a service is opened. The first ones are counted over all services of a sender, the largest
 * service first, so that few or none of a small one are there.
 */
export const loadsWhenOpened = (described: number, all: number): boolean =>
  described < Math.min(all, FIRST_LABELS)

/** Ids of the parcels that are to stay off the form. */
export type LeftOut = ReadonlySet<string>

/** Those of `ids` that are not left out. */
export const chosenOf = (ids: readonly string[], leftOut: LeftOut): string[] =>
  ids.filter(id => !leftOut.has(id))

/** Puts these parcels on the form or takes them off it. */
export function withIncluded(
  leftOut: LeftOut,
  ids: readonly string[],
  isIncluded: boolean,
): LeftOut {
  const next = new Set(leftOut)
  for (const id of ids) {
    if (isIncluded) next.delete(id)
    else next.add(id)
  }
  return next
}

/** How many forms so many labels become. */
export const formsOf = (labels: number, maxLabels: number): number =>
  Math.max(1, Math.ceil(labels / Math.max(1, maxLabels)))

/** What a request has led to, as one state: the least certain one. */
export function outcomeOf(forms: readonly Pick<ScanForm, 'state'>[]): ScanFormState {
  const has = (state: ScanFormState): boolean => forms.some(form => form.state === state)
  return has('unknown') ? 'unknown' : has('failed') ? 'failed' : has('asked') ? 'asked' : 'made'
}
