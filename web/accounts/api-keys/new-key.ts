/** The form of a new key. Pure. */
import type { createKey } from '#contract/api-keys.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { MAX_DOLLARS } from '#contract/endpoint.ts'
import type { Scope } from '#contract/keys.ts'
import { fromDollars } from '#contract/money.ts'
import { texts } from './texts.ts'

const t = texts.create
const DAY_MS = 86_400_000

/** `limit` as typed; `lifetime` in days, '' without an end. */
export type KeyForm = { name: string; scopes: readonly Scope[]; limit: string; lifetime: string }

export const EMPTY_KEY_FORM: KeyForm = {
  name: '',
  scopes: ['labels:buy', 'labels:read'],
  limit: '',
  lifetime: '',
}

export type KeyFormErrors = Partial<Record<'name' | 'scopes' | 'dailyLimit', string | undefined>>

export function keyFormErrors({ name, scopes, limit }: KeyForm): KeyFormErrors {
  const amount = limitFrom(limit)
  return {
    ...(name.trim() === '' && { name: t.nameRequired }),
    ...(scopes.length === 0 && { scopes: t.scopesRequired }),
    ...(amount === undefined && { dailyLimit: t.limitWrong }),
  }
}

/** Dollars; null for an empty text, undefined for one that is no amount. */
export function limitFrom(text: string): number | null | undefined {
  const digits = text.replace(/[$,\s]/g, '')
  if (digits === '') return null
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(digits)) return undefined
  const cents = fromDollars(Number(digits))
  return cents !== null && cents > 0 && Number(digits) <= MAX_DOLLARS ? Number(digits) : undefined
}

/** Of a form without errors. `now` in ms. */
export const keyBodyFrom = (
  { name, scopes, limit, lifetime }: KeyForm,
  now: number,
): RequestInput<typeof createKey>['body'] => ({
  name: name.trim(),
  scopes: [...scopes],
  dailyLimit: limitFrom(limit) ?? null,
  expiresAt: lifetime === '' ? null : new Date(now + Number(lifetime) * DAY_MS).toISOString(),
})
