import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '#contract/audit.ts'
import { auditKind, auditText } from './audit-text.ts'

test.each([
  [
    'adjusted',
    { from: 10, to: 25, difference: 15, reason: 'goodwill' },
    'Set the balance from $10.00 to $25.00 (+$15.00): goodwill',
  ],
  [
    'adjusted',
    { from: 25, to: 0.5, difference: -24.5, reason: 'Set by an administrator' },
    'Set the balance from $25.00 to $0.50 (-$24.50): Set by an administrator',
  ],
  ['role', { from: 'user', to: 'admin' }, 'Changed the role from user to admin'],
  [
    'referral-code',
    { from: 'AB2C', to: 'SPRING-SALE' },
    'Changed the referral code from AB2C to SPRING-SALE',
  ],
  ['deleted', { left: 12.5 }, 'Deleted; $12.50 stays on the books'],
  ['deleted', { left: 0 }, 'Deleted'],
  [
    'login-as',
    { reason: 'asked for help', network: '10.0.0.1' },
    'Signed in as this user. Reason: asked for help',
  ],
  ['login-as', {}, 'Signed in as this user'],
  [
    'acted-as',
    { call: 'POST /api/orders/:orderId/void', orderId: '12' },
    'Request as this user: POST /api/orders/:orderId/void (orderId 12)',
  ],
  [
    'acted-as',
    { call: 'GET /api/orders/download/:kind/:name', kind: 'v2', name: 'SAMPLE-1.pdf' },
    'As this user: downloaded the label SAMPLE-1.pdf',
  ],
  [
    'administrator-download',
    { call: 'GET /api/orders/download/:kind/:name', kind: 'v2', name: 'SAMPLE-1.pdf' },
    'Downloaded the label SAMPLE-1.pdf',
  ],
  [
    'administrator-download',
    { call: 'GET /api/orders/download/:kind/:name', kind: 'result-csv', name: '12' },
    'Downloaded the results of bulk order 12',
  ],
  [
    'administrator-download',
    { call: 'GET /api/orders/bulk/failed-rows/:orderId/file', orderId: '12' },
    'Downloaded the failed rows of bulk order 12',
  ],
  [
    'administrator-download',
    { call: 'GET /api/orders/file/scan-form/:scanFormId', scanFormId: '5' },
    'Downloaded SCAN form 5',
  ],
  [
    'key-used',
    { call: 'GET /api/orders/bulk/pick-list/:orderId', orderId: '12', key: 'ERP' },
    'Downloaded the pick list of bulk order 12, by API key ERP',
  ],
  ['acted-as', { call: 'POST /api/orders/v2' }, 'Request as this user: POST /api/orders/v2'],
  [
    'forbidden',
    { call: 'GET /api/orders/:userId', userId: '7' },
    'Refused: GET /api/orders/:userId is not allowed for user 7',
  ],
  [
    'deposit',
    { amount: '$40.00', invoice: 'inv-1' },
    'Credited a deposit of $40.00 from invoice inv-1',
  ],
  [
    'deposit-credited',
    { amount: '$40.00', invoice: 'inv-1' },
    'Credited a deposit of $40.00 after review, invoice inv-1',
  ],
  [
    'deposit-reversed',
    { amount: '$40.00', invoice: 'inv-1' },
    'Reversed a deposit of $40.00, invoice inv-1',
  ],
  [
    'deposit-reversed',
    { amount: '$4.00', owed: '$36.00', invoice: 'inv-1' },
    'Reversed a deposit of $4.00, still owed $36.00, invoice inv-1',
  ],
  [
    'deposit-dismissed',
    { invoice: 'inv-1', reason: 'paid back in coins' },
    'Dismissed a deposit in review, invoice inv-1: paid back in coins',
  ],
  [
    'service-priced',
    { service: 'USPS Ground Advantage', version: 2, from: '1-70 lb $6.50', to: '1-70 lb $7.00' },
    'Set the prices of USPS Ground Advantage from 1-70 lb $6.50 to 1-70 lb $7.00 (version 2)',
  ],
  [
    'service-options-priced',
    { service: 'USPS Ground Advantage', version: 1, from: 'none', to: 'Saturday delivery: $4.00' },
    'Set the prices of options of USPS Ground Advantage from none to Saturday delivery: $4.00 (version 1)',
  ],
  [
    'service-sources-set',
    { service: 'USPS Ground Advantage', from: 'main', to: 'main, then backup' },
    'Set the carrier accounts of USPS Ground Advantage from main to main, then backup',
  ],
  [
    'service-loss-limited',
    { service: 'USPS Ground Advantage', from: 'the limit of the installation', to: '$1.00' },
    'Set the maximum loss per label of USPS Ground Advantage from the limit of the installation to $1.00',
  ],
  ['service-renamed', { service: 'New', from: 'Old', to: 'New' }, 'Renamed the service Old to New'],
  [
    'service-disabled',
    { service: 'USPS Priority Mail' },
    'Disabled the service USPS Priority Mail',
  ],
  [
    'services-synchronized',
    { added: ['A', 'B'], vanished: [], returned: ['C'] },
    'Synchronized the services with the carrier; new: A, B; offered again: C',
  ],
  ['void-requested', { orderId: 81 }, 'Requested a void of label 81'],
  [
    'void-requested',
    { orderId: 81, automatic: true },
    'Requested a void of label 81, which was never used',
  ],
  [
    'void-requested',
    { batchId: 7, labels: 120 },
    'Requested voids of the unused labels of bulk order 7: 120',
  ],
  [
    'voided-scan-charged',
    { orderId: 81, amount: 9.5 },
    'Charged the refund of $9.50 back, as the carrier scanned voided label 81',
  ],
  [
    'voided-scan-returned',
    { orderId: 81, amount: 9.5, reason: 'Scanned in error' },
    'Gave the charge of $9.50 for scanned label 81 back: Scanned in error',
  ],
  ['forgot-password', { mailed: false }, 'Requested a password reset; no link was sent'],
] as const)('%s reads as a sentence', (action, detail, words) => {
  expect(auditText(action, detail)).toBe(words)
})

test('every action has a text and a kind, even without detail', () => {
  for (const [action, kind] of Object.entries(AUDIT_ACTIONS)) {
    expect(auditText(action, {})).toMatch(/^[A-Z][^{}[\]]{3,}$/)
    expect(auditText(action, {})).not.toMatch(/undefined|null|NaN|: $/)
    expect(auditKind(action)).toBe(kind)
  }
})

test('an entry with an unknown action is still shown', () => {
  expect(auditText('something-of-old', { a: 1 })).toBe('something-of-old')
  expect(auditText('toString', {})).toBe('toString')
})
