/** What an administrator does with a customer's money and data is in the audit, under both names. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listAddresses } from '#contract/addresses.ts'
import { AUDIT_ACTIONS } from '#contract/audit.ts'
import type { AuditAction } from '#contract/audit.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder } from '#contract/orders.ts'
import { topUp } from '#contract/payments.ts'
import { createScanForms } from '#contract/scan-forms.ts'
import { addSkus } from '#contract/skus.ts'
import { testApp } from '#tests/support/app.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { ACCESS } from './access-table.ts'

const app = await testApp()
const admin = await app.admin()
const ana = await app.register('Ana')
const userId = ana.user._id
const params = { userId }
await app.creditDollars(userId, 200)

const placed = async (): Promise<string> =>
  (await app.call(placeOrder, { body: singleOrderBody(userId) }, ana.token)).body.data.orderId
const scanFormId = async (): Promise<string> => {
  const body = { orderIds: [await placed()] }
  return (await app.call(createScanForms, { params, body }, ana.token)).body.scanForms[0]!.id
}
const sku = { sku: 'MUG', maxQty: 1, weight: 1, length: 1, width: 1, height: 1, description: '' }
const skuId = async (): Promise<string> =>
  (await app.call(addSkus, { params, body: { parsedData: [sku] } }, ana.token)).body.SkuData[0]!._id
const { orderId: batchId } = (await app.call(initBatch, { body: { userId } }, ana.token)).body
await app.call(processBatch, { params, body: { orderId: batchId, orderData: rows(2) } }, ana.token)
const hasEnded = async (): Promise<boolean> =>
  isTerminal(
    (
      await app.call(
        batchStatus,
        { params: { orderId: batchId }, query: { failedLabels: 'none' } },
        ana.token,
      )
    ).body.status,
  )
while (!(await hasEnded())) await wait(50)
const invoice = async (): Promise<string> => (await app.call(topUp, { params }, ana.token)).body.id

const asAdmin = async (method: string, url: string, payload?: object): Promise<number> =>
  (
    await app.send({
      method: method as 'GET',
      url,
      headers: { token: admin.token },
      ...(payload && { payload }),
    })
  ).statusCode

/** Calls that a customer makes too, made by the administrator for Ana. */
const FOR_A_CUSTOMER: Record<string, [AuditAction, () => Promise<number>]> = {
  'GET /api/orders/download/:kind/:name': [
    'administrator-download',
    () => asAdmin('GET', `/api/orders/download/pdf/${batchId}`),
  ],
  'GET /api/orders/bulk/failed-rows/:orderId/file': [
    'administrator-download',
    () => asAdmin('GET', `/api/orders/bulk/failed-rows/${batchId}/file`),
  ],
  'GET /api/orders/bulk/packing-slips/:orderId': [
    'administrator-download',
    () => asAdmin('GET', `/api/orders/bulk/packing-slips/${batchId}`),
  ],
  'GET /api/orders/bulk/pick-list/:orderId': [
    'administrator-download',
    () => asAdmin('GET', `/api/orders/bulk/pick-list/${batchId}`),
  ],
  'GET /api/orders/file/scan-form/:scanFormId': [
    'administrator-download',
    async () => asAdmin('GET', `/api/orders/file/scan-form/${await scanFormId()}`),
  ],
  'GET /api/wallet/:userId/statement.csv': [
    'exported',
    () => asAdmin('GET', `/api/wallet/${userId}/statement.csv`),
  ],
  'GET /api/wallet/:userId/adjustments': [
    'adjustments-read',
    () => asAdmin('GET', `/api/wallet/${userId}/adjustments`),
  ],
  'GET /api/wallet/:userId/refunds': [
    'refunds-read',
    () => asAdmin('GET', `/api/wallet/${userId}/refunds`),
  ],
  'GET /api/wallet/:userId/statement': [
    'statement-read',
    () => asAdmin('GET', `/api/wallet/${userId}/statement`),
  ],
  'GET /api/auth/get-address/:userId': [
    'addresses-read',
    () => asAdmin('GET', `/api/auth/get-address/${userId}`),
  ],
  'GET /api/orders/:userId': ['orders-read', () => asAdmin('GET', `/api/orders/${userId}`)],
  'GET /api/payment/deposits/:userId': [
    'deposits-read',
    () => asAdmin('GET', `/api/payment/deposits/${userId}`),
  ],
  'GET /api/auth/get-sku/:userId': [
    'skus-read',
    () => asAdmin('GET', `/api/auth/get-sku/${userId}`),
  ],
  'GET /api/imports/:userId': ['columns-read', () => asAdmin('GET', `/api/imports/${userId}`)],
  'GET /api/keys/:userId': ['keys-read', () => asAdmin('GET', `/api/keys/${userId}`)],
  'GET /api/payment/top-up/:userId': [
    'administrator-request',
    () => asAdmin('GET', `/api/payment/top-up/${userId}`),
  ],
  'POST /api/auth/delete-sku/:skuId': [
    'administrator-request',
    async () => asAdmin('POST', `/api/auth/delete-sku/${await skuId()}`, {}),
  ],
  'POST /api/orders/:orderId/void': [
    'void-requested',
    async () => asAdmin('POST', `/api/orders/${await placed()}/void`, {}),
  ],
  'POST /api/orders/void': [
    'void-requested',
    async () => asAdmin('POST', '/api/orders/void', { orderIds: [await placed()] }),
  ],
  'POST /api/orders/bulk/retry-failed/:orderId': [
    'administrator-request',
    () => asAdmin('POST', `/api/orders/bulk/retry-failed/${batchId}`, {}),
  ],
  'POST /api/orders/bulk/:orderId/void': [
    'void-requested',
    () => asAdmin('POST', `/api/orders/bulk/${batchId}/void`, {}),
  ],
  'POST /api/payment/invoices/:id/check': [
    'administrator-request',
    async () => asAdmin('POST', `/api/payment/invoices/${await invoice()}/check`, {}),
  ],
  'POST /api/sandbox/invoices/:id/pay': [
    'administrator-request',
    async () => asAdmin('POST', `/api/sandbox/invoices/${await invoice()}/pay`, { amount: 5 }),
  ],
  'POST /api/sandbox/invoices/:id/expire': [
    'administrator-request',
    async () => asAdmin('POST', `/api/sandbox/invoices/${await invoice()}/expire`, {}),
  ],
  'POST /api/sandbox/invoices/:id/pay-late': [
    'administrator-request',
    async () => asAdmin('POST', `/api/sandbox/invoices/${await invoice()}/pay-late`, { amount: 5 }),
  ],
  'POST /api/userServices/:userId/initialize': [
    'services-initialized',
    () => asAdmin('POST', `/api/userServices/${userId}/initialize`, {}),
  ],
  'POST /api/auth/sessions/:userId/end': [
    'sign-out-everywhere',
    () => asAdmin('POST', `/api/auth/sessions/${userId}/end`, {}),
  ],
}

/** About the caller alone, or about no user. */
const OF_THE_CALLER = [
  'GET /api/orders/file/labels',
  'GET /api/orders/file/packing-slips',
  'GET /api/orders/file/pick-list',
  'GET /api/orders/file/test-page',
  'POST /api/admin/adjustments/preview',
  'POST /api/admin/price-tables/costs/check',
  'POST /api/admin/price-tables/preview',
  'POST /api/auth/logout',
  'POST /api/auth/proof',
  'POST /api/auth/proof/options',
  'POST /api/invite/referral/apply',
  'DELETE /v2/webhooks/:id',
  'PATCH /v2/webhooks/:id',
  'POST /v2/addresses',
  'POST /v2/addresses/create_and_verify',
  'POST /v2/batches',
  'POST /v2/batches/:id/add_shipments',
  'POST /v2/batches/:id/buy',
  'POST /v2/batches/:id/label',
  'POST /v2/batches/:id/remove_shipments',
  'POST /v2/batches/:id/scan_form',
  'POST /v2/parcels',
  'POST /v2/refunds',
  'POST /v2/scan_forms',
  'POST /v2/shipments',
  'POST /v2/shipments/:id/buy',
  'POST /v2/shipments/:id/refund',
  'POST /v2/shipments/:id/rerate',
  'POST /v2/trackers',
  'POST /v2/trackers/batch',
  'POST /v2/webhooks',
  'PUT /v2/webhooks/:id',
]

/** Calls for administrators only; each writes an entry of its own, which tests of its module prove. */
const FOR_ADMINISTRATORS: Record<string, AuditAction> = {
  'DELETE /api/admin/price-tables/:id': 'prices-schedule-canceled',
  'DELETE /api/userServices/:userId': 'services-reset',
  'DELETE /api/auth/users/:userId': 'deleted',
  'GET /api/admin/orders.csv': 'exported',
  'PATCH /api/defaultServices/:id/toggle': 'service-disabled',
  'PATCH /api/userServices/:userId/:serviceId/toggle': 'service-disabled',
  'POST /api/admin/adjustments': 'adjustments-applied',
  'POST /api/admin/adjustments/:id/credit': 'adjustment-credited',
  'POST /api/admin/adjustments/:id/decline': 'dispute-declined',
  'POST /api/admin/adjustments/:id/match': 'adjustment-matched',
  'POST /api/admin/balance-requests/:requestId/confirm': 'adjusted',
  'POST /api/admin/balance-requests/:requestId/decline': 'adjustment-declined',
  'POST /api/admin/batches/:batchId/files': 'files-made-again',
  'POST /api/admin/carrier/try': 'carrier-tried',
  'POST /api/admin/deposits/:id/credit': 'deposit-credited',
  'POST /api/admin/deposits/:id/dismiss': 'deposit-dismissed',
  'POST /api/admin/deposits/:id/reverse': 'deposit-reversed',
  'POST /api/admin/mails/:id/cancel': 'mail-canceled',
  'POST /api/admin/mails/:id/retry': 'mail-retried',
  'POST /api/admin/orders/:orderId/check': 'label-checked',
  'POST /api/admin/orders/:orderId/end': 'label-ended',
  'POST /api/admin/orders/:orderId/void/end': 'void-ended',
  'POST /api/admin/price-tables': 'prices-changed',
  'POST /api/admin/voided-scans/:orderId/charge': 'voided-scan-charged',
  'POST /api/admin/voided-scans/:orderId/return': 'voided-scan-returned',
  'POST /api/auth/login-as-user/:userId': 'login-as',
  'POST /api/auth/users/activation/:userId': 'block',
  'POST /api/auth/users/details/:userId': 'adjusted',
  'POST /api/auth/users/email/:userId': 'email-corrected',
  'POST /api/auth/users/invite': 'user-invited',
  'POST /api/auth/users/invite/:userId/cancel': 'invitation-canceled',
  'POST /api/auth/users/invite/:userId/resend': 'invitation-resent',
  'POST /api/auth/users/reset-link/:userId': 'reset-link-sent',
  'POST /api/auth/users/role/:userId': 'role',
  'POST /api/defaultServices/sync': 'services-synchronized',
  'PUT /api/admin/adjustment-rules': 'adjustment-rule-set',
  'PUT /api/admin/carrier/sources': 'service-sources-set',
  'PUT /api/admin/zone-matrix': 'zones-changed',
  'PUT /api/defaultServices/:id/losses': 'service-loss-limited',
  'PUT /api/defaultServices/:id/name': 'service-renamed',
  'PUT /api/defaultServices/:id/options': 'service-options-priced',
  'PUT /api/defaultServices/:id/prices': 'service-priced',
  'PUT /api/userServices/:userId/:serviceId/name': 'service-renamed',
  'PUT /api/userServices/:userId/:serviceId/prices': 'service-priced',
}

type Entry = { action: string; actor: string; subject: string | null }

const entriesAfter = async (work: () => Promise<unknown>): Promise<Entry[]> => {
  const { pool } = app.database
  const { rows: before } = await pool.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from audit_entry',
  )
  await work()
  const { rows: found } = await pool.query<Entry>(
    `select action, actor_id::text as actor, subject_id::text as subject from audit_entry
      where id > $1 and actor_id = $2 order by id`,
    [before[0]!.id, admin.user._id],
  )
  return found
}

test('every change and every file that an administrator can make is in one of the lists of this test', () => {
  const changes = Object.entries(ACCESS)
    .filter(([call, access]) => {
      const isRead = call.startsWith('GET ') && !access.includes('by cookie')
      if (access.includes('administrators write')) return true
      return !isRead && (access.startsWith('signed-in') || access.startsWith('admin'))
    })
    .map(([call]) => call)
  const listed = [
    ...Object.keys(FOR_A_CUSTOMER),
    ...OF_THE_CALLER,
    ...Object.keys(FOR_ADMINISTRATORS),
  ]
  expect(changes.filter(call => !listed.includes(call))).toEqual([])
  expect(listed.filter(call => !(call in ACCESS))).toEqual([])
  for (const action of Object.values(FOR_ADMINISTRATORS))
    expect(AUDIT_ACTIONS).toHaveProperty(action)
})

test.each(Object.entries(FOR_A_CUSTOMER))('%s leaves one entry', async (_, [action, act]) => {
  const entries = await entriesAfter(act)
  expect(entries).toEqual([{ action, actor: admin.user._id, subject: userId }])
})

test('an export is recorded with its filter and its number of rows, without what was searched for', async () => {
  // The calls above wait only so long for their voids, which a worker may settle.
  const voiding = async () =>
    (await app.database.pool.query(`select 1 from shipment_order where state = 'voiding'`)).rowCount
  await expect.poll(voiding).toBe(0)
  await asAdmin('GET', `/api/admin/orders.csv?userId=${userId}&search=Rivera&state=voided`)
  await asAdmin('GET', '/api/admin/orders.csv')
  const { rows: found } = await app.database.pool.query(
    `select detail from audit_entry where action = 'exported' and detail ->> 'what' = 'labels' order by id`,
  )
  expect(found.map(({ detail }) => detail)).toMatchObject([
    { filter: `state voided, userId ${userId}, a search`, rows: 2 },
    { filter: '', rows: 5 },
  ])
})

test('reads of one customer are recorded once in ten minutes, and a customer’s own reads never', async () => {
  const again = await entriesAfter(async () => {
    for (let n = 0; n < 3; n++) await asAdmin('GET', `/api/wallet/${userId}/statement`)
  })
  expect(again).toEqual([])
  const ben = await app.register('Ben')
  const of = { params: { userId: ben.user._id } }
  await app.call(statement, { ...of, query: {} }, ben.token)
  await app.call(listAddresses, of, ben.token)
  const { rows: own } = await app.database.pool.query(
    `select 1 from audit_entry where subject_id = $1 and action <> 'register'`,
    [ben.user._id],
  )
  expect(own).toEqual([])
})
