/** The archive of finished labels: what customers and administrators see and do is the same before and after. */
import { expect, test } from 'vitest'
import { applyAdjustments, listAdjustments } from '#contract/adjustments.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { statement } from '#contract/ledger.ts'
import { labelDetails } from '#contract/order-details.ts'
import { orderDetails } from '#contract/orders-admin.ts'
import { listOrders } from '#contract/orders.ts'
import { parcelPage } from '#contract/parcel-pages.ts'
import { listRefunds } from '#contract/refunds.ts'
import { voidOrder } from '#contract/voids.ts'
import { buildListRequests } from '#scripts/bench/lists.ts'
import { fillDatabase } from '#scripts/seed/fill.ts'
import { readBackupContents } from '#server/backup-contents.ts'
import { findViolations } from '#server/ledger/service.ts'
import { keepLabelArchive, putLabelArchive } from '#server/platform/database/label-archive.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { placeAndWait, untilDecided, voidAndWait } from '#tests/support/patient-calls.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

const MONTHS = 13
const app = await testApp()
const { pool, owner } = app.database
const DAY_MS = 86_400_000
// The seeded labels are of 90 days, and half of them are older than the retention.
const from = new Date(Date.now() - 397 * DAY_MS + 45 * DAY_MS)
// Nothing moves without evidence of the last weeks.
await owner.pool.query(
  `insert into audit_entry (action, created_at) values ('login', now() - interval '20 days')`,
)
await fillDatabase(owner.url, { users: 100, labels: 3_000, largest: 1_000, from })
const admin = await app.admin()

/** `orderId`: the first that is looked at. Their numbers follow the clock, except of those that a test has given another age. */
const archive = async (orderId?: string): Promise<void> => {
  await putLabelArchive(owner.pool, MONTHS)
  if (orderId !== undefined)
    await owner.pool.query('update label_archive set after_id = $1::bigint - 1', [orderId])
  await keepLabelArchive(pool, { say() {}, isStopped: () => false })
}
/** As if the label had been purchased two years ago. */
const age = (...orderIds: string[]): Promise<unknown> =>
  owner.pool.query(
    `update shipment_order set created_at = created_at - interval '2 years', purchased_at = purchased_at - interval '2 years',
        void_requested_at = void_requested_at - interval '2 years', voided_at = voided_at - interval '2 years'
      where id = any($1::bigint[])`,
    [orderIds],
  )
const isArchived = async (orderId: string): Promise<boolean> =>
  (
    await owner.pool.query<{ table: string }>(
      `select tableoid::regclass::text as table from shipment_order where id = $1`,
      [orderId],
    )
  ).rows.some(({ table }) => table === 'shipment_order_archive')

const customerWith = async (dollars: number): Promise<TestUser> => {
  const customer = await app.register()
  await app.creditDollars(customer.user._id, dollars)
  return customer
}
const buy = async ({ user, token }: TestUser) =>
  (await placeAndWait(app, singleOrderBody(user._id), token)).body.data
const bulkOrder = async ({ user, token }: TestUser, count: number): Promise<string> => {
  const params = { userId: user._id }
  const { orderId } = (await app.call(initBatch, { body: params }, token)).body
  await app.call(processBatch, { params, body: { orderId, orderData: rows(count) } }, token)
  await expect
    .poll(async () =>
      isTerminal(
        (await app.call(batchStatus, { params: { orderId }, query: {} }, token)).body.status,
      ),
    )
    .toBe(true)
  return orderId
}

/** Labels of two customers, bought two years ago: two single ones, of which one is refunded, and a bulk order. */
async function buyOldLabels() {
  const ana = await customerWith(200)
  const bo = await customerWith(200)
  const single = await buy(ana)
  const refunded = await buy(ana)
  expect(await voidAndWait(app, refunded.orderId, ana.token)).toBe(200)
  const bulk = await bulkOrder(bo, 3)
  const rowsOfBulk = (
    await owner.pool.query<{ id: string }>(
      'select id::text from shipment_order where batch_id = $1 order by id',
      [bulk],
    )
  ).rows.map(({ id }) => id)
  await owner.pool.query(
    `update parcel_tracking set page_token = 'AAAAAAAAAAAAAAAAAAAAAA', next_check_at = null where order_id = $1`,
    [single.orderId],
  )
  await age(single.orderId, refunded.orderId, ...rowsOfBulk)
  return { ana, bo, single, refunded, bulk, rowsOfBulk }
}

/** What the customers and the administrators see of these labels. */
const pagesOf = async ({
  ana,
  bo,
  single,
  refunded,
  bulk,
  rowsOfBulk,
}: Awaited<ReturnType<typeof buyOldLabels>>): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {}
  for (const { user, token } of [ana, bo]) {
    const params = { userId: user._id }
    found[`labels of ${user.name}`] = (
      await app.call(listOrders, { params, query: {} }, token)
    ).body
    found[`cancelled of ${user.name}`] = (
      await app.call(listOrders, { params, query: { status: 'cancelled' } }, token)
    ).body
    found[`search of ${user.name}`] = (
      await app.call(listOrders, { params, query: { search: 'June' } }, token)
    ).body
    found[`statement of ${user.name}`] = (
      await app.call(statement, { params, query: {} }, token)
    ).body
    found[`refunds of ${user.name}`] = (
      await app.call(listRefunds, { params, query: {} }, token)
    ).body
  }
  for (const [orderId, { token }] of [
    [single.orderId, ana],
    [refunded.orderId, ana],
    [rowsOfBulk[1]!, bo],
  ] as const) {
    found[`details of ${orderId}`] = (
      await app.call(labelDetails, { params: { orderId } }, token)
    ).body
    found[`timeline of ${orderId}`] = (
      await app.call(orderDetails, { params: { orderId } }, admin.token)
    ).body
  }
  found['page of the parcel'] = (
    await app.call(parcelPage, { params: { link: 'AAAAAAAAAAAAAAAAAAAAAA' } })
  ).body
  found['bulk order'] = (
    await app.call(batchStatus, { params: { orderId: bulk }, query: {} }, bo.token)
  ).body
  for (const [url, { token }] of [
    [`/api/orders/download/v2/${single.pdfName}`, ana],
    [`/api/orders/download/pdf/${bulk}`, bo],
    [`/api/orders/download/result-csv/${bulk}`, bo],
    [`/api/orders/file/labels?ids=${rowsOfBulk.join()}`, bo],
  ] as const) {
    const { statusCode, rawPayload } = await app.send({ method: 'GET', url, headers: { token } })
    found[url] = [statusCode, rawPayload.length]
    expect(statusCode, url).toBe(200)
  }
  return found
}

/** Reports end at the moment when they are read. */
const withoutNow = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'string' && Math.abs(Date.parse(value) - Date.now()) < 600_000 ? 'now' : value,
  )

test('every list, page and file shows the same before and after old labels have moved', async () => {
  const labels = await buyOldLabels()
  const all = [labels.single.orderId, labels.refunded.orderId, ...labels.rowsOfBulk]
  // Reading is recorded in the audit, which has no labels.
  const lists = (await buildListRequests({ admin: app.admin, call: app.call } as never)).filter(
    ({ name }) => !name.startsWith('audit'),
  )
  const read = async (): Promise<Record<string, unknown>> => {
    const found = await pagesOf(labels)
    for (const { name, send } of lists) {
      const { status, body } = await send()
      expect(status, name).toBe(200)
      found[name] = body
    }
    return found
  }
  const before = await read()
  const contents = await readBackupContents(owner.pool as never)
  await archive()
  await archive(labels.single.orderId)
  expect(await Promise.all(all.map(isArchived))).toEqual(Array.from({ length: 5 }, () => true))
  const { rows: counted } = await owner.pool.query<{ share: number }>(
    `select (select count(*) from shipment_order_archive)::float8 / count(*) as share from shipment_order`,
  )
  expect(counted[0]!.share).toBeGreaterThan(0.4)
  expect(counted[0]!.share).toBeLessThan(0.6)
  const after = await read()
  for (const name of Object.keys(before))
    expect(withoutNow(after[name]), name).toEqual(withoutNow(before[name]))
  expect(await readBackupContents(owner.pool as never)).toEqual(contents)
})

test('a label in the archive is voided to its end, and its price comes back once', async () => {
  const cem = await customerWith(50)
  const { orderId } = await buy(cem)
  await age(orderId)
  await archive(orderId)
  expect(await isArchived(orderId)).toBe(true)
  const { body, status } = await app.call(voidOrder, { params: { orderId } }, cem.token)
  expect(await untilDecided(app, orderId, cem.token, status)).toBe(200)
  // Otherwise it was answered before the carrier had decided.
  if (status === 200) expect(body.message).toContain('$9.50')
  const { rows } = await owner.pool.query(
    `select state, (select count(*)::int from transfer where order_id = o.id and kind = 'refund') as refunds
      from shipment_order_archive o where id = $1`,
    [orderId],
  )
  expect(rows).toEqual([{ state: 'voided', refunds: 1 }])
  expect(await findViolations(app.database.db)).toEqual([])
})

test('a correction of the carrier for a label in the archive reaches its customer', async () => {
  const dee = await customerWith(50)
  const { orderId, trackingNumber } = await buy(dee)
  await age(orderId)
  await archive(orderId)
  expect(await isArchived(orderId)).toBe(true)
  const body = {
    fileName: 'corrections.csv',
    rows: [
      ['tracking_number', 'amount', 'id'],
      [trackingNumber!, '-2.25', 'c1'],
    ],
  }
  const { body: applied } = await app.call(applyAdjustments, { body }, admin.token)
  expect(applied).toMatchObject({ lines: 1, unmatched: 0 })
  const { rows } = await owner.pool.query('select order_id::text from carrier_adjustment')
  expect(rows).toEqual([{ order_id: orderId }])
  const params = { userId: dee.user._id }
  expect((await app.call(listAdjustments, { params, query: {} }, dee.token)).status).toBe(200)
  expect(await findViolations(app.database.db)).toEqual([])
})

/** Calls `work` while a label is on its way to the archive, and lets it arrive when `work` waits for the label. */
async function whileMoving<Result>(orderId: string, work: () => Promise<Result>): Promise<Result> {
  const moving = await owner.pool.connect()
  await moving.query(`update label_archive set after_id = ${orderId}::bigint - 1`)
  await moving.query('begin')
  const { rows } = await moving.query<{ moved: number }>('select archive_labels(1) as moved')
  expect(rows).toEqual([{ moved: 1 }])
  const working = work()
  await expect
    .poll(
      async () =>
        (
          await owner.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount,
      { interval: 10 },
    )
    .toBeGreaterThan(0)
  await moving.query('commit')
  moving.release()
  const result = await working
  expect(await isArchived(orderId)).toBe(true)
  return result
}

test('a void that is asked for while its label moves to the archive is carried out', async () => {
  const eve = await customerWith(50)
  const { orderId } = await buy(eve)
  await age(orderId)
  const { status } = await whileMoving(orderId, () =>
    app.call(voidOrder, { params: { orderId } }, eve.token),
  )
  expect(await untilDecided(app, orderId, eve.token, status)).toBe(200)
  const { rows } = await owner.pool.query('select state from shipment_order where id = $1', [
    orderId,
  ])
  expect(rows).toEqual([{ state: 'voided' }])
})

test('a correction that is applied while its label moves to the archive reaches its customer', async () => {
  const fay = await customerWith(50)
  const { orderId, trackingNumber } = await buy(fay)
  await age(orderId)
  const body = {
    fileName: 'more.csv',
    rows: [
      ['tracking_number', 'amount', 'id'],
      [trackingNumber!, '-1.25', 'c2'],
    ],
  }
  const { body: applied } = await whileMoving(orderId, () =>
    app.call(applyAdjustments, { body }, admin.token),
  )
  expect(applied).toMatchObject({ lines: 1, unmatched: 0 })
})
