import { AUDIT_ACTIONS } from '#contract/audit.ts'
import type { AuditAction, AuditKind } from '#contract/audit.ts'
import {
  BATCH_FILE_KINDS,
  downloadFailedRows,
  downloadFile,
  downloadLabels,
  downloadPackingSlips,
  downloadPickList,
  downloadSelectedPackingSlips,
  downloadSelectedPickList,
} from '#contract/downloads.ts'
import type { BatchFileKind } from '#contract/downloads.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { statementCsv } from '#contract/ledger.ts'
import { signedUsd, usdFromDollars } from '#contract/money.ts'
import { exportOrders } from '#contract/orders.ts'
import { downloadScanForm } from '#contract/scan-forms.ts'

/** An entry's stored detail. Old entries may lack fields of newer ones. */
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
    `${what} the service${withAffixes(' ', name)}`
const webhook =
  (what: string) =>
  ({ webhookId }: Detail): string =>
    `${what} webhook${withAffixes(' ', webhookId)}`
const factorText = (kind: unknown): string =>
  kind === 'passkey' ? 'a passkey' : 'an authenticator app'
const changeText = (difference: unknown): string =>
  typeof difference === 'number' ? ` (${signedUsd(difference)})` : ''
/** Addresses are stored as marks: two entries about one address have the same. */
const addressChange = (from: unknown, to: unknown): string =>
  text(from) === '' ? '' : ` (${text(from)} to ${text(to)})`
const linesText = (count: unknown): string => (count === 1 ? '1 line' : `${text(count)} lines`)
/** ', 2 without a label'; nothing for none. */
const countedAfter = (count: unknown, what: string): string =>
  count === 0 ? '' : withAffixes(', ', count, ` ${what}`)
const fixedText = (words: string) => (): string => words

const AUDIT_TEXTS: Record<AuditAction, (detail: Detail) => string> = {
  login: fixedText('Signed in'),
  logout: fixedText('Signed out'),
  register: fixedText('Created an account'),
  'second-factor-asked': fixedText('Entered the right password; the second factor was next'),
  proven: ({ method }) => `Confirmed their identity${withAffixes(' (', method, ')')}`,
  'sign-out-device': fixedText('Signed out a device'),
  'sign-out-everywhere': fixedText('Signed out all other devices'),
  'forgot-password': ({ mailed }) =>
    `Requested a password reset; ${mailed === false ? 'no' : 'a'} link was sent`,
  'reset-password': fixedText('Reset the password with a mailed link'),
  'invitation-accepted': fixedText('Accepted an invitation and chose a password'),
  'login-denied': fixedText('Sign-in refused: wrong email or password'),
  'login-blocked': fixedText('Sign-in refused: the account is blocked'),
  'login-throttled': fixedText('Sign-in throttled: too many wrong attempts'),
  'second-factor-denied': ({ method }) =>
    `Sign-in refused: the second factor was wrong${withAffixes(' (', method, ')')}`,
  'proof-denied': ({ method }) =>
    `Could not confirm their identity${withAffixes(' (', method, ')')}`,
  'reset-denied': fixedText('Password reset refused: the link is unknown, used or expired'),
  'email-link-denied': fixedText('Link for an email address refused: it is unknown or expired'),
  forbidden: ({ call, userId }) =>
    `Refused: ${text(call) || 'a request'} is not allowed${withAffixes(' for user ', userId)}`,
  deposit: ({ amount, invoice }) =>
    `Credited a deposit of ${money(amount)}${withAffixes(' from invoice ', invoice)}`,
  'deposit-credited': ({ amount, invoice }) =>
    `Credited a deposit of ${money(amount)} after review${withAffixes(', invoice ', invoice)}`,
  'deposit-reversed': ({ amount, owed, invoice }) =>
    `Reversed a deposit of ${money(amount)}${withAffixes(', still owed ', owed)}${withAffixes(', invoice ', invoice)}`,
  'deposit-dismissed': ({ reason, invoice }) =>
    `Dismissed a deposit in review${withAffixes(', invoice ', invoice)}${withAffixes(': ', reason)}`,
  adjusted: ({ from, to, difference, reason, askedBy }) =>
    `Set the balance from ${money(from)} to ${money(to)}`
    + `${changeText(difference)}${withAffixes(': ', reason)}`
    + withAffixes('; requested by ', askedBy),
  'adjustment-requested': ({ to, difference, reason }) =>
    `Asked a second administrator to set the balance to ${money(to)}${changeText(difference)}${withAffixes(': ', reason)}`,
  'adjustment-declined': ({ difference, askedBy, reason }) =>
    `Declined a change of the balance${changeText(difference)}${withAffixes(', requested by ', askedBy)}${withAffixes(': ', reason)}`,
  'adjustment-withdrawn': ({ difference }) =>
    `Withdrew the request to change the balance${changeText(difference)}`,
  'adjustments-started': ({ file, lines }) =>
    `Started applying carrier adjustments${withAffixes(' from ', file)}: ${linesText(lines)}`,
  'adjustments-applied': ({ file, lines, repeated, unmatched, charged, credited }) =>
    `Applied carrier adjustments${withAffixes(' from ', file)}: ${linesText(lines)}`
    + `${countedAfter(repeated, 'already applied')}${countedAfter(unmatched, 'without a label')}`
    + `. Charged ${money(charged)}, credited ${money(credited)}`,
  'adjustment-credited': ({ amount, orderId }) =>
    `Credited back a carrier adjustment of ${money(amount)}${withAffixes(', label ', orderId)}`,
  'adjustment-matched': ({ amount, orderId }) =>
    `Assigned a carrier adjustment${withAffixes(' to label ', orderId)}; the customer pays ${money(amount)}`,
  'adjustment-rule-set': ({ rule, limit }) =>
    `Set the rule for carrier adjustments${withAffixes(' to ', rule)}${typeof limit === 'number' ? ` of ${money(limit)}` : ''}`,
  'dispute-declined': ({ orderId }) =>
    `Declined the dispute of a carrier adjustment${withAffixes(', label ', orderId)}`,
  'service-enabled': service('Enabled'),
  'service-disabled': service('Disabled'),
  'service-renamed': ({ service: name, from, to }) =>
    `Renamed the service ${text(from) || text(name)} to ${text(to)}`,
  'service-priced': ({ service: name, from, to, version }) =>
    `Set the prices${withAffixes(' of ', name)}${withAffixes(' from ', from)}${withAffixes(' to ', to)}`
    + withAffixes(' (version ', version, ')'),
  'service-options-priced': ({ service: name, from, to, version }) =>
    `Set the prices of options${withAffixes(' of ', name)}${withAffixes(' from ', from)}${withAffixes(' to ', to)}`
    + withAffixes(' (version ', version, ')'),
  'service-sources-set': ({ service: name, from, to }) =>
    `Set the carrier accounts${withAffixes(' of ', name)}${withAffixes(' from ', from)}${withAffixes(' to ', to)}`,
  'service-loss-limited': ({ service: name, from, to }) =>
    `Set the maximum loss per label${withAffixes(' of ', name)}${withAffixes(' from ', from)}${withAffixes(' to ', to)}`,
  'prices-changed': ({ services, file, scheduledAt, reason }) =>
    `Changed the prices${listAfter(' of ', services)}${withAffixes(' from ', file)}`
    + `${withAffixes(', by the schedule of ', scheduledAt)}${withAffixes(': ', reason)}`,
  'prices-scheduled': ({ services, file, from, reason }) =>
    `Scheduled the prices${listAfter(' of ', services)}${withAffixes(' from ', file)}`
    + `${withAffixes(', to start at ', from)}${withAffixes(': ', reason)}`,
  'prices-schedule-canceled': ({ services, reason }) =>
    `Canceled the scheduled prices${listAfter(' of ', services)}${withAffixes(': ', reason)}`,
  'costs-changed': ({ services, file, reason }) =>
    `Changed the costs${listAfter(' of ', services)}${withAffixes(' from ', file)}${withAffixes(': ', reason)}`,
  'zones-changed': ({ pairs, reason }) =>
    `Replaced the zone matrix${withAffixes(', pairs of ZIPs: ', pairs)}${withAffixes(': ', reason)}`,
  'services-synchronized': ({ added, vanished, returned }) =>
    'Synchronized the services with the carrier'
    + `${listAfter('; new: ', added)}${listAfter('; no longer offered: ', vanished)}${listAfter('; offered again: ', returned)}`,
  'services-initialized': ({ services }) => `Created custom services${listAfter(': ', services)}`,
  'services-reset': ({ services }) =>
    `Returned to the default services${listAfter('; custom services: ', services)}`,
  'first-administrator': fixedText('Created the first administrator'),
  role: ({ from, to }) =>
    `Changed the role${withAffixes(' from ', from)}${withAffixes(' to ', to)}`,
  allow: fixedText('Unblocked'),
  'evidence-dropped': ({ table, before }) =>
    `Deleted the rows${withAffixes(' of ', table)}${withAffixes(' before ', before)}, as EVIDENCE_RETENTION_MONTHS says`,
  'mail-retried': ({ kind }) => `Tried to send an email again${withAffixes(' (', kind, ')')}`,
  'mail-canceled': ({ kind }) => `Canceled an email${withAffixes(' (', kind, ')')}`,
  block: fixedText('Blocked'),
  deleted: ({ left, reason }) =>
    `Deleted${reason === 'unused' ? ': never verified and never used' : ''}`
    + (typeof left === 'number' && left > 0 ? `; ${money(left)} stays on the books` : ''),
  'referral-code': ({ from, to }) =>
    `Changed the referral code${withAffixes(' from ', from)}${withAffixes(' to ', to)}`,
  'email-corrected': ({ from, to, reason }) =>
    `Corrected the email address${addressChange(from, to)}${withAffixes(': ', reason)}`,
  'reset-link-sent': fixedText('Sent a link to choose a new password'),
  'user-invited': ({ role }) => `Invited${withAffixes(' as ', role)}`,
  'invitation-resent': fixedText('Sent the invitation again'),
  'invitation-canceled': fixedText('Canceled the invitation'),
  'administrator-request': detail => `Request for this user${callText(detail)}`,
  'administrator-download': detail =>
    withAffixes('Downloaded ', downloadedFile(detail))
    || `Downloaded a file of this user${callText(detail)}`,
  'addresses-read': fixedText('Viewed the address book'),
  'columns-read': fixedText('Viewed the saved columns of uploaded files'),
  'keys-read': fixedText('Viewed API keys'),
  'deposits-read': fixedText('Viewed deposits'),
  'orders-read': fixedText('Viewed orders'),
  'skus-read': fixedText('Viewed SKUs'),
  'statement-read': fixedText('Viewed the statement'),
  'adjustments-read': fixedText('Viewed carrier adjustments'),
  'refunds-read': fixedText('Viewed refunds'),
  'label-read': fixedText('Viewed a label as its owner sees it'),
  exported: ({ what, rows, more, filter }) =>
    `Exported ${text(what) || 'records'}${withAffixes(': ', rows)}${more === true ? ' or more' : ''}`
    + `${withAffixes('; filter: ', filter)}`,
  'login-as': ({ reason }) => `Signed in as this user${withAffixes('. Reason: ', reason)}`,
  'login-as-ended': fixedText('Stopped being signed in as this user'),
  'acted-as': detail =>
    withAffixes('As this user: downloaded ', downloadedFile(detail))
    || `Request as this user${callText(detail)}`,
  'void-requested': ({ orderId, batchId, labels, automatic }) =>
    batchId === undefined
      ? `Requested a void of label${withAffixes(' ', orderId)}${automatic === true ? ', which was never used' : ''}`
      : `Requested voids of the unused labels of bulk order${withAffixes(' ', batchId)}${withAffixes(': ', labels)}`,
  'voided-scan-charged': ({ orderId, amount }) =>
    `Charged the refund${withAffixes(' of ', money(amount))} back, as the carrier scanned voided label${withAffixes(' ', orderId)}`,
  'voided-scan-returned': ({ orderId, amount, reason }) =>
    `Gave the charge${withAffixes(' of ', money(amount))} for scanned label${withAffixes(' ', orderId)} back${withAffixes(': ', reason)}`,
  'label-checked': ({ orderId }) => `Looked up label${withAffixes(' ', orderId)} at the carrier`,
  'label-ended': ({ orderId, outcome, trackingNumber, reason }) =>
    `Resolved label${withAffixes(' ', orderId)} manually: the carrier `
    + `${outcome === 'sold' ? `sold it${withAffixes(' as ', trackingNumber)}` : 'did not sell it'}${withAffixes('; ', reason)}`,
  'void-ended': ({ orderId, outcome, reason }) =>
    `Resolved the void of label${withAffixes(' ', orderId)} manually: the carrier `
    + `${outcome === 'paid-back' ? 'refunded it' : 'refused it'}${withAffixes('; ', reason)}`,
  'carrier-tried': ({ account, reason }) =>
    `Resumed the carrier account${withAffixes(' ', account)}${withAffixes(' after: ', reason)}`,
  'files-made-again': ({ batchId }) =>
    `Rebuilt the files of bulk order${withAffixes(' ', batchId)}`,
  name: fixedText('Changed the name'),
  password: fixedText('Changed the password'),
  'email-verified': fixedText('Verified the email address'),
  'email-change-asked': ({ from, to }) =>
    `Asked to change the email address${addressChange(from, to)}`,
  'email-change-canceled': fixedText('Canceled the change of the email address'),
  'email-changed': ({ from, to }) => `Changed the email address${addressChange(from, to)}`,
  'email-change-undone': ({ from, to }) =>
    `Undid a change of the email address${addressChange(from, to)}`,
  'factor-added': ({ kind }) => `Set up ${factorText(kind)}`,
  'factor-renamed': ({ kind }) => `Renamed ${factorText(kind)}`,
  'factor-removed': ({ kind }) => `Removed ${factorText(kind)}`,
  'factors-unlocked': fixedText('Removed the second factors on the server machine'),
  'recovery-codes': fixedText('Created new recovery codes'),
  'recovery-code-used': ({ left }) => `Used a recovery code${withAffixes('; ', left, ' left')}`,
  'webhook-created': webhook('Created'),
  'webhook-changed': webhook('Changed'),
  'webhook-deleted': webhook('Deleted'),
  'webhook-secret-changed': ({ webhookId }) => `Changed the secret of webhook ${text(webhookId)}`,
  'webhook-replayed': ({ webhookId, deliveryId }) =>
    `Sent delivery ${text(deliveryId)} of webhook ${text(webhookId)} again`,
  'webhook-off': ({ webhookId, reason }) =>
    `Switched off webhook ${text(webhookId)}: ${reason === 'gone' ? 'it answered 410' : 'nothing was delivered for three days'}`,
  'key-created': ({ name, last4, scopes }) =>
    `Created the API key${withAffixes(' ', name)}${withAffixes(' (…', last4, ')')}${listAfter(': ', scopes)}`,
  'key-rotated': ({ name, from, last4, graceHours }) =>
    `Rotated the API key${withAffixes(' ', name)}${withAffixes(' (…', from)}${withAffixes(' to …', last4, ')')}`
    + withAffixes('; the old one works for ', graceHours, ' hours more'),
  'key-deleted': ({ name, last4 }) =>
    `Deleted the API key${withAffixes(' ', name)}${withAffixes(' (…', last4, ')')}`,
  'key-used': detail =>
    withAffixes('Downloaded ', downloadedFile(detail)) || `Request${callText(detail)}`,
  referral: ({ invitedBy }) => `Applied a referral code${withAffixes(' of user ', invitedBy)}`,
}

/** ': POST /api/orders/:orderId/void (orderId 12)' */
const callText = ({ call, ...ids }: Detail): string => `: ${text(call) || 'unknown'}${idsText(ids)}`

const ofBulkOrder =
  (file: string) =>
  ({ orderId }: Detail): string =>
    `${file} of bulk order${withAffixes(' ', orderId)}`
const BATCH_FILES: Record<BatchFileKind, string> = {
  pdf: 'the labels',
  'result-csv': 'the results',
  'auto-csv': 'the Auto Confirm file',
}
const callOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** What each download gives, by its call. */
const DOWNLOADED_FILES = new Map<string, (detail: Detail) => string>([
  [
    callOf(downloadFile),
    ({ kind, name }) => {
      const batchFile = BATCH_FILE_KINDS.find(known => known === kind)
      return batchFile
        ? ofBulkOrder(BATCH_FILES[batchFile])({ orderId: name })
        : `the label${withAffixes(' ', name)}`
    },
  ],
  [callOf(downloadLabels), fixedText('chosen labels as one file')],
  [callOf(downloadPackingSlips), ofBulkOrder('the packing slips')],
  [callOf(downloadPickList), ofBulkOrder('the pick list')],
  [callOf(downloadSelectedPackingSlips), fixedText('the packing slips of chosen labels')],
  [callOf(downloadSelectedPickList), fixedText('the pick list of chosen labels')],
  [callOf(downloadFailedRows), ofBulkOrder('the failed rows')],
  [callOf(downloadScanForm), ({ scanFormId }) => `SCAN form${withAffixes(' ', scanFormId)}`],
  [callOf(exportOrders), fixedText('the list of orders')],
  [callOf(statementCsv), fixedText('the statement')],
])

/** 'the label SAMPLE-1.pdf'; '' for other calls. */
const downloadedFile = (detail: Detail): string =>
  DOWNLOADED_FILES.get(text(detail.call))?.(detail) ?? ''

/** ' (orderId 12)' */
function idsText(ids: Detail): string {
  const parts = Object.entries(ids)
    .filter(([name, value]) => name !== 'key' && text(value) !== '')
    .map(([name, value]) => `${name} ${text(value)}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** A sentence without an actor: 'Set the balance from $10.00 to $25.00 (+$15.00): goodwill'. */
export const auditText = (action: string, detail: Detail): string =>
  (isAuditAction(action) ? AUDIT_TEXTS[action](detail) : action)
  + withAffixes(', by API key ', detail.key)

export const auditKind = (action: string): AuditKind =>
  isAuditAction(action) ? AUDIT_ACTIONS[action] : 'account'

const isAuditAction = (action: string): action is AuditAction =>
  Object.hasOwn(AUDIT_ACTIONS, action)
