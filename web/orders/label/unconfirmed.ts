/**
 * Idempotent purchase. A form sent again unchanged while the outcome is uncertain (no response, or 5xx) keeps its key
 * (client/attempt.ts), so the server returns the same label. A changed form, or one sent after a definite response, gets a new key.
 * Form and key stay in this tab until the response, so that a reload does not lead to a second label.
 */
import type { Attempt } from '#web/client/attempt.ts'
import { newLabelForm } from './form.ts'
import type { LabelForm } from './form.ts'

/** No response (status 0) or a server error: the label may have been bought. */
export const isOutcomeUncertain = (status: number): boolean => status === 0 || status >= 500

/** A form that was sent, and its key. */
export type UnconfirmedLabel = { form: LabelForm; attempt: Attempt }

/** Less than the server keeps keys for (24 h): after that the same key would buy again. */
const KEPT_MS = 20 * 60 * 60_000

const storageKey = (userId: string): string => `evenpost.unconfirmed-label.${userId}`

/** Storage may be closed, as in private windows. Then a form lasts as long as its page. */
function tryStorage<T>(access: () => T): T | null {
  try {
    return access()
  } catch {
    return null
  }
}

/** `now` in ms since the epoch. */
export const saveUnconfirmed = (userId: string, sent: UnconfirmedLabel, now = Date.now()): void =>
  void tryStorage(() =>
    sessionStorage.setItem(storageKey(userId), JSON.stringify({ ...sent, at: now })),
  )

export const clearUnconfirmed = (userId: string): void =>
  void tryStorage(() => sessionStorage.removeItem(storageKey(userId)))

/** What this user has sent from this tab and got no clear response to; null without it. */
export function loadUnconfirmed(userId: string, now = Date.now()): UnconfirmedLabel | null {
  const found = tryStorage(
    () =>
      JSON.parse(sessionStorage.getItem(storageKey(userId)) ?? 'null') as
        | (Partial<UnconfirmedLabel> & { at?: number })
        | null,
  )
  if (!found?.form || !found.attempt || !(now - (found.at ?? 0) < KEPT_MS)) return null
  return { form: { ...newLabelForm(), ...found.form }, attempt: found.attempt }
}
