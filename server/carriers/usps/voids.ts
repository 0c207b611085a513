import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type {
  Attempt,
  Carrier,
  CarrierFailure,
  CarrierLabelFormat,
  CarrierVoidResult,
  PurchasedLabel,
} from '#server/carriers/port.ts'
import { failureAfterPurchase } from '#server/carriers/wire/failures.ts'
import { NotSentError, retryableIfNotSent } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import type { ApiClient } from './client.ts'
import { mailingDay } from './request.ts'
import { parseCancelResult, parseReprintProof } from './response.ts'
import type { CancelResult, ReprintProof } from './response.ts'

/** Reprints the label of an attempt. */
export type Reprint = (
  attempt: Attempt,
  format: CarrierLabelFormat,
  signal: AbortSignal,
) => Promise<CarrierResponse | CarrierFailure>

/**
 * Cancels labels. If an earlier request had no answer, a refusal is checked by a reprint: USPS
 * reprints a valid label up to three times and no cancelled one. One already in the postal system cannot be cancelled: USPS opens a refund
 * dispute, whose result no call reports, so the void stays submitted.
 */
export function createUspsVoid(
  client: ApiClient,
  reprint: Reprint,
  notes: AttemptNotes,
  now: () => Date,
): Carrier['void'] {
  return ({ attempt, trackingNumber, isUnanswered = false }, signal) =>
    retryableIfNotSent(async (): Promise<CarrierVoidResult> => {
      const told = voidNotes(notes, attempt)
      const today = mailingDay(now())
      const disputedOn = await told.find('disputed')
      // On the same day a second request opens no second dispute; later it might.
      if (disputedOn !== null && disputedOn < today) return { kind: 'submitted' }
      if ((await told.find('cancelled')) !== null) return { kind: 'voided' }
      const mayBeDone = await recordVoidRequest(told, today)
      const outcome = await cancelLabel(client, trackingNumber, signal).catch(
        async (error: unknown) => {
          await told.add(error instanceof NotSentError ? 'answered' : 'unclear', today)
          throw error
        },
      )
      if (outcome.kind === 'cancelled') {
        await told.add('cancelled', today)
        return { kind: 'voided' }
      }
      if (outcome.kind === 'disputed') {
        await told.add('disputed', today)
        return { kind: 'submitted' }
      }
      await told.add(outcome.failure.kind === 'unknown' ? 'unclear' : 'answered', today)
      if (disputedOn !== null) return { kind: 'submitted' }
      // A missing label was cancelled by a request whose response was lost.
      if (outcome.kind === 'missing' && mayBeDone && (await told.find('refused')) === null)
        return { kind: 'voided' }
      if (outcome.failure.kind !== 'permanent') return failureAfterPurchase(outcome.failure)
      await told.add('refused', today)
      const { code, message } = outcome.failure
      const refusal = { kind: 'permanent', code, message } as const
      if (!mayBeDone && !isUnanswered) return refusal
      const proof = await reprintProof(client, reprint, { attempt, trackingNumber }, signal)
      if (proof === 'unclear') return refusal
      if (proof === 'valid') return { ...refusal, isStillValid: true }
      await told.add('cancelled', today)
      return { kind: 'voided' }
    })
}

async function reprintProof(
  client: ApiClient,
  reprint: Reprint,
  { attempt, trackingNumber }: PurchasedLabel,
  signal: AbortSignal,
): Promise<ReprintProof> {
  const response = await reprint(attempt, PURCHASED_FORMAT, signal)
  return 'ok' in response
    ? 'unclear'
    : parseReprintProof(response, trackingNumber, client.responseContext())
}

async function cancelLabel(
  client: ApiClient,
  trackingNumber: string,
  signal: AbortSignal,
): Promise<CancelResult> {
  const path = `/labels/v3/label/${encodeURIComponent(trackingNumber)}`
  const response: CarrierResponse | CarrierFailure = await client.send(
    { method: 'DELETE', path, accept: 'application/json' },
    signal,
  )
  return 'ok' in response
    ? { kind: 'failed', failure: response }
    : parseCancelResult(response, client.responseContext({ trackingNumber }))
}

/**
 * Notes a request before it is sent. Returns whether an earlier one may have cancelled the label
 * without a response.
 */
async function recordVoidRequest(told: VoidNotes, today: string): Promise<boolean> {
  if ((await told.find('unclear')) !== null) return true
  const wasAsked = (await told.find('asked')) !== null
  if (!wasAsked) await told.add('asked', today)
  if (!wasAsked || (await told.find('answered')) !== null) return false
  // Another process died during its request, or is still sending it.
  await told.add('unclear', today)
  return true
}

/**
 * `answered`: the first request has a result; `unclear`: one may have cancelled the label without a
 * response.
 */
type VoidStep = 'asked' | 'answered' | 'unclear' | 'cancelled' | 'disputed' | 'refused'

type VoidNotes = ReturnType<typeof voidNotes>

/**
 * Steps of a void with their days, stored beside the attempt's note: the carrier reports each of
 * them only once.
 */
function voidNotes(notes: AttemptNotes, { reference, round }: Attempt) {
  const of = (step: VoidStep): Attempt => ({ reference: `${reference} void ${step}`, round })
  return {
    find: (step: VoidStep): Promise<string | null> => notes.find(of(step)),
    add: (step: VoidStep, day: string): Promise<string> => notes.write(of(step), day),
  }
}
