/** The form of a new key. Pure. */
import type { createKey } from '#contract/api-keys.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { MAX_DOLLARS } from '#contract/endpoint.ts'
import { SCOPES } from '#contract/keys.ts'
import type { Scope } from '#contract/keys.ts'
import { parseDollars } from '#web/ui/money-text.ts'
import { ACCESS_TEXTS, SCOPE_TEXTS, texts } from './texts.ts'
import type { Access } from './texts.ts'

const t = texts.create
const DAY_MS = 86_400_000

/** What the presets let a key do. */
const SCOPES_OF: Record<Exclude<Access, 'custom'>, readonly Scope[]> = {
  read: ['labels:read', 'wallet:read'],
  buy: ['labels:buy', 'labels:read'],
  all: SCOPES,
}

/** `scopes`: chosen one by one, for `custom`. `limit` as typed; `lifetime` in days, '' without an end. */
export type KeyForm = {
  name: string
  access: Access
  scopes: readonly Scope[]
  limit: string
  lifetime: string
}

export const EMPTY_KEY_FORM: KeyForm = {
  name: '',
  access: 'buy',
  scopes: [],
  limit: '',
  lifetime: '',
}

export const scopesFrom = ({ access, scopes }: KeyForm): readonly Scope[] =>
  access === 'custom' ? scopes : SCOPES_OF[access]

/** With another access. A choice of one's own starts from the preset before it. */
export const withAccess = (form: KeyForm, access: Access): KeyForm => ({
  ...form,
  access,
  scopes: access === 'custom' ? scopesFrom(form) : form.scopes,
})

/** 'Buy labels, Read labels', or that it is everything. */
export const accessText = (scopes: readonly Scope[]): string =>
  SCOPES.every(scope => scopes.includes(scope))
    ? ACCESS_TEXTS.all.name
    : scopes.map(scope => SCOPE_TEXTS[scope].name).join(', ')

export type KeyFormErrors = Partial<Record<'name' | 'scopes' | 'dailyLimit', string | undefined>>

export function keyFormErrors(form: KeyForm): KeyFormErrors {
  const amount = limitFrom(form.limit)
  return {
    ...(form.name.trim() === '' && { name: t.nameRequired }),
    ...(scopesFrom(form).length === 0 && { scopes: t.scopesRequired }),
    ...(amount === undefined && { dailyLimit: t.limitWrong }),
  }
}

/** Dollars; null for an empty text, undefined for one that is no amount. */
export function limitFrom(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const dollars = parseDollars(text)
  return dollars !== null && dollars > 0 && dollars <= MAX_DOLLARS ? dollars : undefined
}

/** Of a form without errors. `now` in ms. */
export const keyBodyFrom = (
  form: KeyForm,
  now: number,
): RequestInput<typeof createKey>['body'] => ({
  name: form.name.trim(),
  scopes: [...scopesFrom(form)],
  dailyLimit: limitFrom(form.limit) ?? null,
  expiresAt:
    form.lifetime === '' ? null : new Date(now + Number(form.lifetime) * DAY_MS).toISOString(),
})
