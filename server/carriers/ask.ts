import { TRACKING_STATUSES } from '#contract/tracking.ts'
import { TOO_LATE, within } from '#server/platform/deadline.ts'
import type {
  Attempt,
  Bought,
  Carrier,
  FailureKind,
  Found,
  LabelAnswer,
  Outcome,
  Purchase,
  Shipment,
  Tracked,
  VoidAnswer,
} from './port.ts'

/**
 * Asks a carrier to buy and never throws: an answer later than `timeoutMs`, a broken connection or nonsense is an unknown
 * outcome, since the label may have been bought.
 */
export async function askToBuy(
  carrier: Carrier,
  attempt: Attempt,
  shipment: Shipment,
  timeoutMs: number,
): Promise<Outcome> {
  try {
    const outcome = await within(timeoutMs, signal => carrier.purchase(attempt, shipment, signal))
    return makesSense(outcome) ? plain(outcome) : NONSENSE
  } catch (error) {
    return { ok: false, kind: 'unknown', ...reasonOf(error) }
  }
}

/** Asks to void a label and never throws: without an answer in time it may have been voided, and may be asked for again. */
export async function askToVoid(
  carrier: Carrier,
  purchase: Bought,
  timeoutMs: number,
): Promise<VoidAnswer> {
  try {
    const answer = await within(timeoutMs, signal => carrier.void(purchase, signal))
    return VOID_ANSWERS.has(answer?.kind) ? plain(answer) : NONSENSE
  } catch (error) {
    return { kind: 'unknown', ...reasonOf(error) }
  }
}

/** Asks what became of an attempt; whatever goes wrong, the answer is that we still do not know. */
export async function askWhatBecame(
  carrier: Carrier,
  attempt: Attempt,
  timeoutMs: number,
): Promise<Found> {
  try {
    const found = await within(timeoutMs, signal => carrier.lookup(attempt, signal))
    const isClear =
      found?.found === 'not_purchased'
      || (found?.found === 'purchased' && isPurchase(found.purchase))
    return isClear ? found : { found: 'unknown' }
  } catch {
    return { found: 'unknown' }
  }
}

/** Asks for a label's file and never throws: whatever goes wrong, it has not come yet. For carriers that make labels. */
export async function askForLabel(
  carrier: Carrier,
  purchase: Bought,
  timeoutMs: number,
): Promise<LabelAnswer> {
  try {
    const answer = await within(timeoutMs, signal => carrier.fetchLabel!(purchase, signal))
    if (answer?.kind === 'gone' || answer?.kind === 'not_yet') return plain(answer)
    return answer?.kind === 'label' && answer.label?.bytes instanceof Uint8Array
      ? answer
      : { ...NONSENSE, kind: 'not_yet' }
  } catch (error) {
    return { kind: 'not_yet', ...reasonOf(error) }
  }
}

/** Asks where a parcel is and never throws: null where the carrier has not said it. For carriers that follow parcels. */
export async function askWhereParcelIs(
  carrier: Carrier,
  purchase: Bought,
  timeoutMs: number,
): Promise<Tracked | null> {
  try {
    const { status, detail, at } = await within(timeoutMs, signal =>
      carrier.track!(purchase, signal),
    )
    if (!TRACKING_STATUSES.includes(status)) return null
    return {
      status,
      detail: detail ? plainText(detail) : null,
      at: at && !Number.isNaN(at.getTime()) ? at : null,
    }
  } catch {
    return null
  }
}

/** Longer than any sentence of a carrier that is worth reading. */
const MOST_TEXT = 300
const plainText = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, MOST_TEXT)

/** The same answer, its words without what no book can hold (PostgreSQL takes no NUL): else nothing of it could be written down. */
function plain<A extends object>(answer: A): A {
  const { code, message } = answer as { code?: unknown; message?: unknown }
  return {
    ...answer,
    ...(code !== undefined && { code: plainText(String(code)) }),
    ...(message !== undefined && { message: plainText(String(message)) }),
  }
}

const NONSENSE = {
  ok: false,
  kind: 'unknown',
  code: 'NONSENSE',
  message: 'The carrier’s answer made no sense',
} as const

/** An adapter vouches for the shape of what it answers; money follows from it, so that we look all the same. */
const makesSense = (outcome: Outcome | undefined): boolean =>
  outcome?.ok === true
    ? isPurchase(outcome.purchase)
    : outcome?.ok === false && FAILURES.has(outcome.kind)
const isPurchase = (purchase: Purchase | undefined): boolean =>
  typeof purchase?.trackingNumber === 'string'
  && purchase.trackingNumber.trim() !== ''
  && !/\p{Cc}/u.test(purchase.trackingNumber)
  && (purchase.costCents === null
    || (Number.isSafeInteger(purchase.costCents) && purchase.costCents >= 0))
const FAILURES = new Set<FailureKind>(['permanent', 'retryable', 'unknown', 'account'])
const VOID_ANSWERS = new Set<VoidAnswer['kind']>([
  'voided',
  'submitted',
  'permanent',
  'retryable',
  'unknown',
])

function reasonOf(error: unknown): { code: string; message: string } {
  const code = (error as { code?: unknown } | null)?.code
  return {
    code: typeof code === 'string' ? code : 'NO_ANSWER',
    message:
      code === TOO_LATE
        ? 'The carrier did not answer in time'
        : 'The connection to the carrier broke',
  }
}
