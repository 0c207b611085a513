import type { Attempt, Carrier, Failure, VoidAnswer } from '#server/carriers/port.ts'
import type { Notes } from '#server/carriers/notes-store.ts'
import { orTryLater } from '#server/carriers/wire/http.ts'
import { cancellingOf } from './answer.ts'
import type { Desk } from './desk.ts'
import { mailingDay } from './request.ts'

/**
 * Cancels labels. One whose data are with the postal system already cannot be cancelled; USPS opens a dispute for its refund then, and
 * no call of the contract says how that ends: it stays submitted.
 */
export function uspsVoids(desk: Desk, notes: Notes, now: () => Date): Carrier['void'] {
  return ({ attempt, trackingNumber }, signal) => orTryLater(async (): Promise<VoidAnswer> => {
    const told = voidNotes(notes, attempt)
    const today = mailingDay(now())
    const disputedOn = await told.find('disputed')
    // On the same day a second wish makes no second dispute; later it might.
    if (disputedOn !== null && disputedOn < today) return { kind: 'submitted' }
    const askedOn = await told.find('asked')
    if (askedOn === null) await told.add('asked', today)
    const path = `/labels/v3/label/${encodeURIComponent(trackingNumber)}`
    const answer = await desk.ask({ method: 'DELETE', path, accept: 'application/json' }, signal)
    if ('ok' in answer) return laterOf(answer)
    const outcome = cancellingOf(answer, desk.context({ trackingNumber }))
    if (outcome.kind === 'cancelled') return { kind: 'voided' }
    if (outcome.kind === 'disputed') {
      await told.add('disputed', today)
      return { kind: 'submitted' }
    }
    if (disputedOn !== null) return { kind: 'submitted' }
    // A cancelled label is gone from the carrier's books: it was cancelled by a question whose answer was lost.
    if (outcome.kind === 'missing' && askedOn !== null && await told.find('refused') === null) return { kind: 'voided' }
    if (outcome.failure.kind === 'permanent') await told.add('refused', today)
    return laterOf(outcome.failure)
  })
}

/** An account with a problem keeps a void waiting: no label is to blame. */
function laterOf({ kind, code, message, retryAfterMs }: Failure): VoidAnswer {
  return { kind: kind === 'account' ? 'retryable' : kind, code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

type Step = 'asked' | 'disputed' | 'refused'

/** How far a void has come, with the day of each step, is noted beside the attempt's own note: the carrier tells each thing once only. */
function voidNotes(notes: Notes, { reference, round }: Attempt) {
  const of = (step: Step): Attempt => ({ reference: `${reference} void ${step}`, round })
  return {
    find: (step: Step): Promise<string | null> => notes.find(of(step)),
    add: (step: Step, day: string): Promise<string> => notes.write(of(step), day),
  }
}
