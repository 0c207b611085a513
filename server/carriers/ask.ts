import { TOO_LATE, within } from '#server/platform/deadline.ts'
import type { Attempt, Bought, Carrier, Found, Outcome, Shipment, VoidAnswer } from './port.ts'

/**
 * Asks a carrier to buy and never throws: an answer later than `timeoutMs`, a broken connection or nonsense is an unknown
 * outcome, since the label may have been bought.
 */
export async function askToBuy(carrier: Carrier, attempt: Attempt, shipment: Shipment, timeoutMs: number): Promise<Outcome> {
  try {
    return await within(timeoutMs, signal => carrier.purchase(attempt, shipment, signal))
  } catch (error) {
    return { ok: false, kind: 'unknown', ...reasonOf(error) }
  }
}

/** Asks to void a label and never throws: without an answer in time it may have been voided, and may be asked for again. */
export async function askToVoid(carrier: Carrier, purchase: Bought, timeoutMs: number): Promise<VoidAnswer> {
  try {
    return await within(timeoutMs, signal => carrier.void(purchase, signal))
  } catch (error) {
    return { kind: 'unknown', ...reasonOf(error) }
  }
}

/** Asks what became of an attempt; whatever goes wrong, the answer is that we still do not know. */
export async function askWhatBecame(carrier: Carrier, attempt: Attempt, timeoutMs: number): Promise<Found> {
  try {
    return await within(timeoutMs, signal => carrier.lookup(attempt, signal))
  } catch {
    return { found: 'unknown' }
  }
}

function reasonOf(error: unknown): { code: string, message: string } {
  const code = (error as { code?: unknown } | null)?.code
  return {
    code: typeof code === 'string' ? code : 'NO_ANSWER',
    message: code === TOO_LATE ? 'The carrier did not answer in time' : 'The connection to the carrier broke',
  }
}
