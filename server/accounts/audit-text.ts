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
const put = (before: string, value: unknown, after = ''): string =>
  text(value) === '' ? '' : `${before}${text(value)}${after}`
const list = (value: unknown): string => (Array.isArray(value) ? value.map(text).join(', ') : '')
const named = (before: string, value: unknown): string =>
  list(value) === '' ? '' : `${before}${list(value)}`

const service =
  (what: string) =>
  ({ service: name }: Detail): string =>
    `Service${put(' ', name)} ${what}`
const plain = (words: string) => (): string => words

const WORDS: Record<AuditAction, (detail: Detail) => string> = {
  login: plain('Signed in'),
  logout: plain('Signed out'),
  register: plain('Opened an account'),
  'sign-out-device': plain('Signed a device out'),
  'sign-out-everywhere': plain('Signed all other devices out'),
  'forgot-password': ({ mailed }) =>
    `Asked for a new password; ${mailed === false ? 'no' : 'a'} link was mailed`,
  'reset-password': plain('Set a new password by a mailed link'),
  'login-denied': plain('Sign-in refused: wrong e-mail or password'),
  'login-blocked': plain('Sign-in refused: the account is blocked'),
  'login-throttled': plain('Sign-in slowed: too many wrong tries'),
  'reset-denied': plain('New password refused: the link is unknown, used or too old'),
  forbidden: ({ call, userId }) =>
    `Refused: ${text(call) || 'a call'} is not allowed${put(' for user ', userId)}`,
  deposit: ({ amount, invoice }) =>
    `Deposit of ${money(amount)} credited${put(' from invoice ', invoice)}`,
  'deposit-credited': ({ amount, invoice }) =>
    `Deposit of ${money(amount)} credited after review${put(', invoice ', invoice)}`,
  'deposit-reversed': ({ amount, owed, invoice }) =>
    `Deposit of ${money(amount)} taken back${put(', still owed ', owed)}${put(', invoice ', invoice)}`,
  'deposit-dismissed': ({ reason, invoice }) =>
    `Deposit in review laid aside${put(', invoice ', invoice)}${put(': ', reason)}`,
  adjusted: ({ from, to, difference, reason }) =>
    `Balance set from ${money(from)} to ${money(to)}`
    + `${typeof difference === 'number' ? ` (${signedUsd(difference)})` : ''}${put(': ', reason)}`,
  'service-enabled': service('enabled'),
  'service-disabled': service('disabled'),
  'service-renamed': ({ service: name, from, to }) =>
    `Service ${text(from) || text(name)} renamed to ${text(to)}`,
  'service-priced': ({ service: name, from, to, version }) =>
    `Prices${put(' of ', name)} set${put(' from ', from)}${put(' to ', to)}${put(' (version ', version, ')')}`,
  'services-synchronized': ({ added, vanished, returned }) =>
    'Services synchronized with the carrier'
    + `${named('; new: ', added)}${named('; no longer offered: ', vanished)}${named('; offered again: ', returned)}`,
  'services-initialized': ({ services }) => `Own services and prices begun${named(': ', services)}`,
  'first-administrator': plain('First administrator made'),
  role: ({ from, to }) => `Role changed${put(' from ', from)}${put(' to ', to)}`,
  allow: plain('Allowed to sign in again'),
  block: plain('Blocked'),
  deleted: ({ left }) =>
    `Deleted${typeof left === 'number' && left > 0 ? `; ${money(left)} stays on the books` : ''}`,
  'referral-code': ({ from, to }) =>
    `Referral code changed${put(' from ', from)}${put(' to ', to)}`,
  'login-as': ({ reason }) => `Signed in as this user${put(': ', reason)}`,
  'login-as-ended': plain('Returned from being signed in as this user'),
  'acted-as': ({ call, ...ids }) => `Did as this user: ${text(call) || 'a call'}${shown(ids)}`,
  'void-requested': ({ orderId, batchId, labels, automatic }) =>
    batchId === undefined
      ? `Asked to void label${put(' ', orderId)}${automatic === true ? ', which nobody has used' : ''}`
      : `Asked to void the unused labels of bulk order${put(' ', batchId)}${put(': ', labels)}`,
  'label-checked': ({ orderId }) => `Asked the carrier about label${put(' ', orderId)}`,
  'label-ended': ({ orderId, outcome, trackingNumber, reason }) =>
    `Ended label${put(' ', orderId)} by hand: the carrier `
    + `${outcome === 'sold' ? `sold it${put(' as ', trackingNumber)}` : 'did not sell it'}${put('; ', reason)}`,
  'void-ended': ({ orderId, outcome, reason }) =>
    `Ended the void of label${put(' ', orderId)} by hand: the carrier `
    + `${outcome === 'paid-back' ? 'paid it back' : 'refused it'}${put('; ', reason)}`,
  'carrier-tried': ({ reason }) => `Tried the carrier account again${put(' after: ', reason)}`,
  'files-made-again': ({ batchId }) => `Made the files of bulk order${put(' ', batchId)} again`,
  name: plain('Changed the name'),
  password: plain('Changed the password'),
  referral: ({ invitedBy }) => `Named who invited him${put(': user ', invitedBy)}`,
}

/** ' (orderId 12)' */
function shown(ids: Detail): string {
  const parts = Object.entries(ids)
    .filter(([, value]) => text(value) !== '')
    .map(([name, value]) => `${name} ${text(value)}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** What was done, in a sentence that needs no actor: 'Balance set from $10.00 to $25.00 (+$15.00): goodwill'. */
export const auditText = (action: string, detail: Detail): string =>
  isKnown(action) ? WORDS[action](detail) : action

/** The kind of an action. */
export const auditKind = (action: string): AuditKind =>
  isKnown(action) ? AUDIT_ACTIONS[action] : 'account'

const isKnown = (action: string): action is AuditAction => Object.hasOwn(AUDIT_ACTIONS, action)
