/** A user's row while it is edited: field errors, and what saving would change. Pure. */
import type { Role, AdminUser } from '#contract/accounts.ts'
import { MAX_DOLLARS } from '#contract/endpoint.ts'
import { fromDollars, usdFromDollars } from '#contract/money.ts'
import type { FieldErrors } from '#web/client/form-problems.ts'
import { parseDollars, signedMoneyText } from '#web/ui/money-text.ts'
import { texts } from './texts.ts'

/** The fields as typed, named as in the request bodies. */
export type UserFieldName = 'user_role' | 'balance' | 'referralCode' | 'reason'
export type UserDraft = Record<UserFieldName, string>

type EditedUser = Pick<AdminUser, 'user_role' | 'balance' | 'referralCode'>

export const toUserDraft = ({ user_role, balance, referralCode }: EditedUser): UserDraft => ({
  user_role,
  balance: balance.toFixed(2),
  referralCode,
  reason: '',
})

/** Whether there is unsaved input. */
export const isUserDraftChanged = (draft: UserDraft, base: EditedUser): boolean => {
  const untouched = toUserDraft(base)
  return Object.entries(draft).some(([field, text]) => text !== untouched[field as UserFieldName])
}

/** The fields that still have the values of `old`, as they are `now`: what has changed meanwhile is no edit. */
export function untouchedValues(
  draft: UserDraft,
  old: EditedUser,
  now: EditedUser,
): Partial<UserDraft> {
  const [before, after] = [toUserDraft(old), toUserDraft(now)]
  const fields = Object.keys(after) as UserFieldName[]
  return Object.fromEntries(
    fields.filter(field => draft[field] === before[field]).map(field => [field, after[field]]),
  )
}

/** In dollars; null if it is no amount or exceeds the server's maximum. */
function typedBalance({ balance }: UserDraft): number | null {
  const dollars = parseDollars(balance)
  return dollars !== null && dollars <= MAX_DOLLARS ? dollars : null
}

/** Codes are stored in capitals. */
const normalizeCode = (text: string): string => text.trim().toUpperCase()

/** Errors by field. A changed balance needs a reason, which appears on the user's statement. */
export function userDraftErrors(draft: UserDraft, base: EditedUser): FieldErrors<UserFieldName> {
  const { required, amount, code, reason } = texts.edit
  const balance = typedBalance(draft)
  return {
    ...(balance === null ? { balance: amount } : {}),
    ...(normalizeCode(draft.referralCode) === '' ? { referralCode: required(code) } : {}),
    ...(isBalanceChanged(draft, base) && draft.reason.trim() === ''
      ? { reason: required(reason) }
      : {}),
  }
}

/** An invalid amount counts as no change. */
export function isBalanceChanged(draft: UserDraft, { balance }: EditedUser): boolean {
  const typed = typedBalance(draft)
  return typed !== null && fromDollars(typed) !== fromDollars(balance)
}

/** What saving would change; a missing member stays as it is. */
export type UserChanges = {
  role?: Role
  balance?: { next: number; seen: number; reason: string }
  referralCode?: string
}

export function userChangesFrom(draft: UserDraft, base: EditedUser): UserChanges {
  return {
    ...(draft.user_role === base.user_role ? {} : { role: draft.user_role as Role }),
    ...(isBalanceChanged(draft, base)
      ? {
          balance: {
            next: typedBalance(draft)!,
            seen: base.balance,
            reason: draft.reason.trim(),
          },
        }
      : {}),
    ...(normalizeCode(draft.referralCode) === normalizeCode(base.referralCode)
      ? {}
      : { referralCode: normalizeCode(draft.referralCode) }),
  }
}

/** One change as text: 'Balance', '$20.00 → $25.00', '(+$5.00)', the reason. */
type ChangeLine = { name: string; change: string; more?: string; note?: string }

export function changeLines(
  { role, balance, referralCode }: UserChanges,
  base: EditedUser,
): ChangeLine[] {
  const { fromTo, difference, ...t } = texts.edit
  return [
    ...(role
      ? [{ name: t.role, change: fromTo(texts.roles[base.user_role], texts.roles[role]) }]
      : []),
    ...(balance
      ? [
          {
            name: t.balance,
            change: fromTo(usdFromDollars(balance.seen), usdFromDollars(balance.next)),
            more: difference(
              signedMoneyText((fromDollars(balance.next)! - fromDollars(balance.seen)!) / 100),
            ),
            note: balance.reason,
          },
        ]
      : []),
    ...(referralCode ? [{ name: t.code, change: fromTo(base.referralCode, referralCode) }] : []),
  ]
}
