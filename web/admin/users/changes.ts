/** A user's row while it is edited: what is wrong with it, and what saving would change. Pure. */
import type { Role, UserLine } from '#contract/accounts.ts'
import { MOST_DOLLARS } from '#contract/call.ts'
import { fromDollars, signedUsd, usdFromDollars } from '#contract/money.ts'
import type { FieldErrors } from '#web/client/draft.ts'
import { texts } from './texts.ts'

/** The fields as they are typed; they have the names of the calls' bodies. */
export type UserField = 'user_role' | 'balance' | 'referralCode' | 'reason'
export type UserDraft = Record<UserField, string>

/** What the row says before anything is typed. */
type Base = Pick<UserLine, 'user_role' | 'balance' | 'referralCode'>

export const draftOf = ({ user_role, balance, referralCode }: Base): UserDraft => ({
  user_role,
  balance: balance.toFixed(2),
  referralCode,
  reason: '',
})

/** Whether anything was typed that would be lost. */
export const isBegun = (draft: UserDraft, base: Base): boolean => {
  const untouched = draftOf(base)
  return Object.entries(draft).some(([field, text]) => text !== untouched[field as UserField])
}

/** '1,250.5' and '$1250.50' are dollars; null for what is none, or more than the server takes. */
export function dollarsOf(text: string): number | null {
  const plain = text.replace(/[$,\s]/g, '')
  if (!/^\d+(\.\d{0,2})?$|^\.\d{1,2}$/.test(plain)) return null
  const dollars = Number(plain)
  return dollars <= MOST_DOLLARS && fromDollars(dollars) !== null ? dollars : null
}

/** Codes are kept in capitals. */
const codeOf = (text: string): string => text.trim().toUpperCase()

/** Wrong fields, each with its sentence. A changed balance needs a reason: it stands on the user's statement. */
export function draftErrors(draft: UserDraft, base: Base): FieldErrors<UserField> {
  const { required, amount, code, reason } = texts.edit
  const balance = dollarsOf(draft.balance)
  return {
    ...(balance === null ? { balance: amount } : {}),
    ...(codeOf(draft.referralCode) === '' ? { referralCode: required(code) } : {}),
    ...(isBalanceChanged(draft, base) && draft.reason.trim() === ''
      ? { reason: required(reason) }
      : {}),
  }
}

/** Whether the balance would move; what is no amount moves nothing. */
export function isBalanceChanged(draft: UserDraft, { balance }: Base): boolean {
  const wanted = dollarsOf(draft.balance)
  return wanted !== null && fromDollars(wanted) !== fromDollars(balance)
}

/** What saving would change; what is missing stays as it is. */
export type Changes = {
  role?: Role
  balance?: { wanted: number; seen: number; reason: string }
  referralCode?: string
}

export function changesOf(draft: UserDraft, base: Base): Changes {
  return {
    ...(draft.user_role === base.user_role ? {} : { role: draft.user_role as Role }),
    ...(isBalanceChanged(draft, base)
      ? {
          balance: {
            wanted: dollarsOf(draft.balance)!,
            seen: base.balance,
            reason: draft.reason.trim(),
          },
        }
      : {}),
    ...(codeOf(draft.referralCode) === base.referralCode
      ? {}
      : { referralCode: codeOf(draft.referralCode) }),
  }
}

/** One change in words: 'Balance', '$20.00 → $25.00', '(+$5.00)', the reason. */
export type ChangeLine = { name: string; change: string; more?: string; note?: string }

export function changeLines({ role, balance, referralCode }: Changes, base: Base): ChangeLine[] {
  const { fromTo, difference, ...words } = texts.edit
  return [
    ...(role
      ? [{ name: words.role, change: fromTo(texts.roles[base.user_role], texts.roles[role]) }]
      : []),
    ...(balance
      ? [
          {
            name: words.balance,
            change: fromTo(usdFromDollars(balance.seen), usdFromDollars(balance.wanted)),
            more: difference(
              signedUsd((fromDollars(balance.wanted)! - fromDollars(balance.seen)!) / 100),
            ),
            note: balance.reason,
          },
        ]
      : []),
    ...(referralCode
      ? [{ name: words.code, change: fromTo(base.referralCode, referralCode) }]
      : []),
  ]
}
