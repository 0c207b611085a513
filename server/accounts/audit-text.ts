/** The audit in words. Pure. */
import { AUDIT_ACTIONS } from '#contract/audit.ts'
import type { AuditAction, AuditKind } from '#contract/audit.ts'
import { signedUsd, usdFromDollars } from '#contract/money.ts'

/** What was written down beside an action. Old lines may lack what newer ones have. */
type Detail = Record<string, unknown>

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const money = (value: unknown): string =>
  typeof value === 'number' ? usdFromDollars(value) : text(value)
/** `${before}${value}${after}`, or nothing where there is no value. */
const withAffixes = (before: string, value: unknown, after = ''): string =>
  text(value) === '' ? '' : `${before}${text(value)}${after}`
const list = (value: unknown): string => (Array.isArray(value) ? value.map(text).join(', ') : '')
const listAfter = (before: string, value: unknown): string =>
  list(value) === '' ? '' : `${before}${list(value)}`

const service =
  (what: string) =>
  ({ service: name }: Detail): string =>
    `Service${withAffixes(' ', name)} ${what}`
const fixedText = (words: string) => (): string => words

const AUDIT_TEXTS: Record<AuditAction, (detail: Detail) => string> = {
  login: fixedText('Signed in'),
  logout: fixedText('Signed out'),
  register: fixedText('Opened an account'),
  'sign-out-device': fixedText('Signed a device out'),
  'sign-out-everywhere': fixedText('Signed all other devices out'),
  'forgot-password': ({ mailed }) =>
    `Asked for a new password; ${mailed === false ? 'no' : 'a'} link was mailed`,
  'reset-password': fixedText('Set a new password by a mailed link'),
  'login-denied': fixedText('Sign-in refused: wrong e-mail or password'),
  'login-blocked': fixedText('Sign-in refused: the account is blocked'),
  'login-throttled': fixedText('Sign-in slowed: too many wrong tries'),
  'reset-denied': fixedText('New password refused: the link is unknown, used or too old'),
  forbidden: ({ call, userId }) =>
    `Refused: ${text(call) || 'a call'} is not allowed${withAffixes(' for user ', userId)}`,
  deposit: ({ amount, invoice }) =>
    `Deposit of ${money(amount)} credited${withAffixes(' from invoice ', invoice)}`,
  'deposit-credited': ({ amount, invoice }) =>
    `Deposit of ${money(amount)} credited after review${withAffixes(', invoice ', invoice)}`,
  'deposit-reversed': ({ amount, owed, invoice }) =>
    `Deposit of ${money(amount)} taken back${withAffixes(', still owed ', owed)}${withAffixes(', invoice ', invoice)}`,
  'deposit-dismissed': ({ reason, invoice }) =>
    `Deposit in review laid aside${withAffixes(', invoice ', invoice)}${withAffixes(': ', reason)}`,
  adjusted: ({ from, to, difference, reason }) =>
    `Balance set from ${money(from)} to ${money(to)}`
    + `${typeof difference === 'number' ? ` (${signedUsd(difference)})` : ''}${withAffixes(': ', reason)}`,
  'service-enabled': service('enabled'),
  'service-disabled': service('disabled'),
  'service-renamed': ({ service: name, from, to }) =>
    `Service ${text(from) || text(name)} renamed to ${text(to)}`,
  'service-priced': ({ service: name, from, to, version }) =>
    `Prices${withAffixes(' of ', name)} set${withAffixes(' from ', from)}${withAffixes(' to ', to)}${withAffixes(' (version ', version, ')')}`,
  'services-synchronized': ({ added, vanished, returned }) =>
    'Services synchronized with the carrier'
    + `${listAfter('; new: ', added)}${listAfter('; no longer offered: ', vanished)}${listAfter('; offered again: ', returned)}`,
  'services-initialized': ({ services }) =>
    `Own services and prices begun${listAfter(': ', services)}`,
  'first-administrator': fixedText('First administrator made'),
  role: ({ from, to }) => `Role changed${withAffixes(' from ', from)}${withAffixes(' to ', to)}`,
  allow: fixedText('Allowed to sign in again'),
  block: fixedText('Blocked'),
  deleted: ({ left }) =>
    `Deleted${typeof left === 'number' && left > 0 ? `; ${money(left)} stays on the books` : ''}`,
  'referral-code': ({ from, to }) =>
    `Referral code changed${withAffixes(' from ', from)}${withAffixes(' to ', to)}`,
  'login-as': ({ reason }) => `Signed in as this user${withAffixes(': ', reason)}`,
  'login-as-ended': fixedText('Returned from being signed in as this user'),
  'acted-as': ({ call, ...ids }) => `Did as this user: ${text(call) || 'a call'}${idsText(ids)}`,
  'void-requested': ({ orderId, batchId, labels, automatic }) =>
    batchId === undefined
      ? `Asked to void label${withAffixes(' ', orderId)}${automatic === true ? ', which nobody has used' : ''}`
      : `Asked to void the unused labels of bulk order${withAffixes(' ', batchId)}${withAffixes(': ', labels)}`,
  'label-checked': ({ orderId }) => `Asked the carrier about label${withAffixes(' ', orderId)}`,
  'label-ended': ({ orderId, outcome, trackingNumber, reason }) =>
    `Ended label${withAffixes(' ', orderId)} by hand: the carrier `
    + `${outcome === 'sold' ? `sold it${withAffixes(' as ', trackingNumber)}` : 'did not sell it'}${withAffixes('; ', reason)}`,
  'void-ended': ({ orderId, outcome, reason }) =>
    `Ended the void of label${withAffixes(' ', orderId)} by hand: the carrier `
    + `${outcome === 'paid-back' ? 'paid it back' : 'refused it'}${withAffixes('; ', reason)}`,
  'carrier-tried': ({ reason }) =>
    `Tried the carrier account again${withAffixes(' after: ', reason)}`,
  'files-made-again': ({ batchId }) =>
    `Made the files of bulk order${withAffixes(' ', batchId)} again`,
  name: fixedText('Changed the name'),
  password: fixedText('Changed the password'),
  referral: ({ invitedBy }) => `Named who invited him${withAffixes(': user ', invitedBy)}`,
}

/** ' (orderId 12)' */
function idsText(ids: Detail): string {
  const parts = Object.entries(ids)
    .filter(([, value]) => text(value) !== '')
    .map(([name, value]) => `${name} ${text(value)}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** What was done, in a sentence that needs no actor: 'Balance set from $10.00 to $25.00 (+$15.00): goodwill'. */
export const auditText = (action: string, detail: Detail): string =>
  isAuditAction(action) ? AUDIT_TEXTS[action](detail) : action

/** The kind of an action. */
export const auditKind = (action: string): AuditKind =>
  isAuditAction(action) ? AUDIT_ACTIONS[action] : 'account'

const isAuditAction = (action: string): action is AuditAction =>
  Object.hasOwn(AUDIT_ACTIONS, action)
