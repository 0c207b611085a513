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

/** How many forms a group becomes. */
export const formsOf = ({ ids }: ScanFormCandidates, maxLabels: number): number =>
  Math.max(1, Math.ceil(ids.length / Math.max(1, maxLabels)))

/** What a request has led to, as one state: the least certain one. */
export function outcomeOf(forms: readonly Pick<ScanForm, 'state'>[]): ScanFormState {
  const has = (state: ScanFormState): boolean => forms.some(form => form.state === state)
  return has('unknown') ? 'unknown' : has('failed') ? 'failed' : has('asked') ? 'asked' : 'made'
}
