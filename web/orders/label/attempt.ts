/**
 * Buying once although the answer may be lost. A form that is sent again unchanged after an answer that never came carries the
 * same key, so the server gives the same label; a changed form, or the same one after an answer, is a new wish. Pure.
 */

/** `body` is the wish as text, `key` what it is known by. */
export type OrderAttempt = { key: string; body: string }

/** The attempt to send now; `newKey` is asked only when the last one does not serve. */
export function orderAttemptFor(
  last: OrderAttempt | null,
  body: string,
  newKey: () => string,
): OrderAttempt {
  return last?.body === body ? last : { key: newKey(), body }
}

/** Whether it is not known what became of the wish: no answer at all (status 0), or the server failed over it. */
export const isOutcomeUncertain = (status: number): boolean => status === 0 || status >= 500

/** 128 random bits; unlike randomUUID it is also there on plain http. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
