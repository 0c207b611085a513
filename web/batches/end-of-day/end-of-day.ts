/** What the page End of day shows. Pure. */
import type {
  ScanForm,
  ScanFormCandidates,
  ScanFormState,
  WaitingLabel,
} from '#contract/scan-forms.ts'
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

type Chosen = Pick<ScanFormCandidates, 'services' | 'ids'>

/** By id. Null: one that is not described, left out with all others. */
export type LeftOut = ReadonlyMap<string, WaitingLabel | null>

/** Without any parcel of the group. */
export const noneOf = ({ ids, labels }: ScanFormCandidates): LeftOut =>
  new Map(ids.map(id => [id, labels.find(label => label.id === id) ?? null]))

/** Without the parcels that are left out, which may have gone meanwhile. */
export function chosenOf({ ids, services, labels }: ScanFormCandidates, leftOut: LeftOut): Chosen {
  const out = ids.flatMap(id => leftOut.get(id) ?? [])
  // Those that are not described are in or out together.
  const isNoneBut = ids.some(id => leftOut.get(id) === null)
  const chosenLabels = labels.filter(({ id }) => !leftOut.has(id))
  const countOf = (list: readonly WaitingLabel[], name: string) =>
    list.filter(({ service }) => service === name).length
  return {
    ids: ids.filter(id => !leftOut.has(id)),
    services: services
      .map(({ name, labels: all }) => ({
        name,
        labels: isNoneBut ? countOf(chosenLabels, name) : all - countOf(out, name),
      }))
      .filter(service => service.labels > 0),
  }
}

/** How many forms these labels become. */
export const formsOf = ({ ids }: Pick<Chosen, 'ids'>, maxLabels: number): number =>
  Math.max(1, Math.ceil(ids.length / Math.max(1, maxLabels)))

/** What a request has led to, as one state: the least certain one. */
export function outcomeOf(forms: readonly Pick<ScanForm, 'state'>[]): ScanFormState {
  const has = (state: ScanFormState): boolean => forms.some(form => form.state === state)
  return has('unknown') ? 'unknown' : has('failed') ? 'failed' : has('asked') ? 'asked' : 'made'
}
