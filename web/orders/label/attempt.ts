/**
 * Idempotent purchase. A form sent again unchanged while the outcome is uncertain (no response, or
 * 5xx) keeps its key (client/attempt.ts), so the server returns the same label. A changed form, or
 * one sent after a definite response, gets a new key.
 */

/** No response (status 0) or a server error: the label may have been bought. */
export const isOutcomeUncertain = (status: number): boolean => status === 0 || status >= 500
