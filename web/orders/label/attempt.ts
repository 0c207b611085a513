/**
 * Idempotent purchase. A form sent again unchanged while the outcome is uncertain (no response, or
 * 5xx) keeps its key, so the server returns the same label. A changed form, or one sent after a
 * definite response, gets a new key.
 */

/** `body` is the order as JSON. */
export type OrderAttempt = { key: string; body: string }

/** The attempt to send now. Reuses the last key for an unchanged body. */
export function orderAttemptFor(
  last: OrderAttempt | null,
  body: string,
  newKey: () => string,
): OrderAttempt {
  return last?.body === body ? last : { key: newKey(), body }
}

/** No response (status 0) or a server error: the label may have been bought. */
export const isOutcomeUncertain = (status: number): boolean => status === 0 || status >= 500

/** 128 random bits. Unlike randomUUID it also works on plain http. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
