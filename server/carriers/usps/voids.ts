import type { Notes } from '#server/carriers/notes-store.ts'
import type { Attempt, Carrier, Failure, VoidAnswer } from '#server/carriers/port.ts'
import { NotSent, orTryLater } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { cancellingOf } from './answer.ts'
import type { Cancelling } from './answer.ts'
import type { Desk } from './desk.ts'
import { mailingDay } from './request.ts'

/**
 * Cancels labels. One whose data are with the postal system already cannot be cancelled; USPS opens a dispute for its refund then, and
 * no call of the contract says how that ends: it stays submitted.
 */
export function uspsVoids(desk: Desk, notes: Notes, now: () => Date): Carrier['void'] {
  return ({ attempt, trackingNumber }, signal) =>
    orTryLater(async (): Promise<VoidAnswer> => {
      const told = voidNotes(notes, attempt)
      const today = mailingDay(now())
      const disputedOn = await told.find('disputed')
      // On the same day a second wish makes no second dispute; later it might.
      if (disputedOn !== null && disputedOn < today) return { kind: 'submitted' }
      if ((await told.find('cancelled')) !== null) return { kind: 'voided' }
      const mayBeDone = await beginAsking(told, today)
      const outcome = await cancel(desk, trackingNumber, signal).catch(async (error: unknown) => {
        await told.add(error instanceof NotSent ? 'answered' : 'unclear', today)
        throw error
      })
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
      // A cancelled label is gone from the carrier's books: it was cancelled by a question whose answer was lost.
      if (outcome.kind === 'missing' && mayBeDone && (await told.find('refused')) === null)
        return { kind: 'voided' }
      if (outcome.failure.kind === 'permanent') await told.add('refused', today)
      return laterOf(outcome.failure)
    })
}

async function cancel(
  desk: Desk,
  trackingNumber: string,
  signal: AbortSignal,
): Promise<Cancelling> {
  const path = `/labels/v3/label/${encodeURIComponent(trackingNumber)}`
  const answer: Answer | Failure = await desk.ask(
    { method: 'DELETE', path, accept: 'application/json' },
    signal,
  )
  return 'ok' in answer
    ? { kind: 'failed', failure: answer }
    : cancellingOf(answer, desk.context({ trackingNumber }))
}

/** Notes that the carrier is about to be asked. Returns whether an earlier question may have cancelled the label unheard. */
async function beginAsking(told: VoidNotes, today: string): Promise<boolean> {
  if ((await told.find('unclear')) !== null) return true
  const wasAsked = (await told.find('asked')) !== null
  if (!wasAsked) await told.add('asked', today)
  if (!wasAsked || (await told.find('answered')) !== null) return false
  // A process died over its question, or is still at it.
  await told.add('unclear', today)
  return true
}

/** An account with a problem keeps a void waiting: no label is to blame. */
function laterOf({ kind, code, message, retryAfterMs }: Failure): VoidAnswer {
  return {
    kind: kind === 'account' ? 'retryable' : kind,
    code,
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

/** `answered`: what became of the first question is known; `unclear`: one may have cancelled the label, and nobody heard of it. */
type Step = 'asked' | 'answered' | 'unclear' | 'cancelled' | 'disputed' | 'refused'

type VoidNotes = ReturnType<typeof voidNotes>

/** How far a void has come, with the day of each step, is noted beside the attempt's own note: the carrier tells each thing once only. */
function voidNotes(notes: Notes, { reference, round }: Attempt) {
  const of = (step: Step): Attempt => ({ reference: `${reference} void ${step}`, round })
  return {
    find: (step: Step): Promise<string | null> => notes.find(of(step)),
    add: (step: Step, day: string): Promise<string> => notes.write(of(step), day),
  }
}
