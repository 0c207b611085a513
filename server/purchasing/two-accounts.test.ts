import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { placeOrder } from '#contract/orders.ts'
import { createScanForms } from '#contract/scan-forms.ts'
import { voidOrder } from '#contract/voids.ts'
import { openCarrierAccounts } from '#server/carriers/open.ts'
import type { Shipment } from '#server/carriers/port.ts'
import { replaceServiceSources } from '#server/carriers/source-store.ts'
import { testApp } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { openTwoAccounts } from '#tests/support/two-accounts.ts'
import { resetLabelsAfterRestore } from './after-restore.ts'
import { writeVerdicts } from './queue-store.ts'
import { verdictOnPurchase } from './rules.ts'

const GROUND = 'USPS Ground Advantage'
const PRIORITY = 'USPS Priority Mail'

const { behavior, main, backup, env, close } = await openTwoAccounts()
afterAll(close)

const app = await testApp({ env })
const { database } = app
const ana = await app.register()
await app.creditDollars(ana.user._id, 1_000)
await database.pool.query(`insert into service_source (service_uid, rank, account_name) values
  ('usps:GROUND_ADVANTAGE', 1, 'main'), ('usps:GROUND_ADVANTAGE', 2, 'backup'), ('usps:PRIORITY_MAIL', 1, 'main')`)

beforeEach(async () => {
  Object.assign(behavior, { main: 'fine', backup: 'fine' })
  await database.pool.query(
    `update carrier_budget set paused_until = null, pause_reason = null, paused_since = null, silent_until = null,
      waits_for_administrator = false`,
  )
})

/** A queued label that a carrier is asked for does not wait in the queue. */
const STATE = `case when state = 'queued' and id in (select order_id from open_carrier_call) then 'purchasing' else state end as state`
type Label = { id: number; state: string; kind: string | null; reason: string | null }
const newest = async (): Promise<Label> =>
  (
    await database.pool.query<Label>(
      `select id, ${STATE}, split_part(carrier_account, ':', 1) as kind, reason from shipment_order order by id desc limit 1`,
    )
  ).rows[0]!
const callsOf = async (id: number): Promise<string[]> =>
  (
    await database.pool.query<{ call: string }>(
      `select split_part(account, ':', 1) || ' ' || coalesce(outcome, 'open') as call from carrier_call
        where order_id = $1 order by id`,
      [id],
    )
  ).rows.map(({ call }) => call)
const order = (service: string) =>
  app.call(
    placeOrder,
    { body: singleOrderBody(ana.user._id, { service_name: service }) },
    ana.token,
  )
/** Orders a label that is not bought at once, and waits for its state. */
const orderUntil = async (service: string, state: string): Promise<Label> => {
  const before = await database.pool.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from shipment_order',
  )
  void order(service)
  await expect
    .poll(newest)
    .toMatchObject({ state, id: expect.toSatisfy(id => id > before.rows[0]!.id) })
  return newest()
}
const soldByMain = () =>
  [...main.shipments.values()].filter(({ purchasedLevel }) => purchasedLevel !== null).length
const countOpen = async (): Promise<number> =>
  (
    await database.pool.query(
      `select from shipment_order where state in ('queued', 'purchasing', 'unknown')`,
    )
  ).rowCount!
const isSilent = async (): Promise<boolean> =>
  (await database.pool.query('select from carrier_budget where silent_until is not null')).rowCount!
  > 0
/** The account's pause is over; the next label tries it. */
const endPauses = () =>
  database.pool.query(
    'update carrier_budget set paused_until = now() where paused_until is not null',
  )
/** Waits until the label has this state, and returns the carrier of its account. */
async function carrierOnce(id: number, state: string): Promise<string | null> {
  const find = async (): Promise<Label> =>
    (
      await database.pool.query<Label>(
        `select id, ${STATE}, split_part(carrier_account, ':', 1) as kind, reason from shipment_order where id = $1`,
        [id],
      )
    ).rows[0]!
  await expect.poll(find).toMatchObject({ state })
  return (await find()).kind
}

/** As after the backup: sold by the second source, which this database does not know. */
async function sellByBackup(id: number): Promise<void> {
  const [, second] = openCarrierAccounts(app.ctx)
  const {
    rows: [shipment],
  } = await database.pool.query(
    `select service_uid as "serviceUid", sender, receiver, package from shipment_order where id = $1`,
    [id],
  )
  const sold = await second!.carrier.purchase(
    { reference: String(id), round: 1 },
    shipment as Shipment,
    new AbortController().signal,
  )
  expect(sold.ok).toBe(true)
}
async function restoreNow(): Promise<void> {
  await database.tx(async tx => {
    await resetLabelsAfterRestore(tx)
    await sql`insert into app_setting (key, value) values ('restored_at', clock_timestamp()::text)
      on conflict (key) do update set value = excluded.value`.execute(tx)
  })
  // The second source records a sale at once, so that its quarantine need not pass.
  await database.pool.query(
    `update shipment_order set unknown_since = now() - interval '3 minutes', run_after = now() where state = 'unknown'`,
  )
}

test('while both work, each service is sold through its first source', async () => {
  expect((await order(GROUND)).status).toBe(200)
  expect(await newest()).toMatchObject({ state: 'purchased', kind: 'easypost' })
  expect(backup.labels).toHaveLength(0)
})

test('a label that an account without money refused is sold by the second source', async () => {
  behavior.main = 'no-funds'
  expect((await order(GROUND)).status).toBe(200)
  const label = await newest()
  expect(label).toMatchObject({ state: 'purchased', kind: 'shipengine' })
  expect(await callsOf(label.id)).toEqual(['easypost account', 'shipengine bought'])
  // The pause is known now: the next label goes to the second source at once.
  expect((await order(GROUND)).status).toBe(200)
  expect(await callsOf((await newest()).id)).toEqual(['shipengine bought'])
})

test('after 20 single labels without an answer the second source sells, until the first one answers a label', async () => {
  behavior.main = 'resets-before'
  const users = await Promise.all(Array.from({ length: 20 }, () => app.register()))
  for (const { user } of users) await app.creditDollars(user._id, 100)
  for (const { user, token } of users)
    void app.call(placeOrder, { body: singleOrderBody(user._id, { service_name: GROUND }) }, token)
  await expect.poll(isSilent).toBe(true)
  // Not the newest label: some of the twenty may be placed after this one.
  const next = await order(GROUND)
  expect(next.status).toBe(200)
  expect(await callsOf(Number(next.body.data.orderId))).toEqual(['shipengine bought'])

  behavior.main = 'fine'
  await expect.poll(countOpen).toBe(0)
  await expect.poll(isSilent).toBe(false)
  expect((await order(GROUND)).status).toBe(200)
  expect(await callsOf((await newest()).id)).toEqual(['easypost bought'])
})

test('a service without a second source waits for its account, and is sold there', async () => {
  behavior.main = 'no-funds'
  await order(GROUND)
  const label = await orderUntil(PRIORITY, 'queued')
  behavior.main = 'fine'
  await endPauses()
  expect(await carrierOnce(label.id, 'purchased')).toBe('easypost')
})

test('a label whose answer was lost is not sold by the second source, even when the first denies it and is down', async () => {
  const before = { main: soldByMain(), backup: backup.labels.length }
  behavior.main = 'resets-before'
  const label = await orderUntil(GROUND, 'unknown')
  behavior.main = 'no-funds'
  // The look-up proves that nothing was sold; the repetition at the same account meets its problem. Before the
  // account had the problem, another call may have been lost.
  await expect
    .poll(async () => (await callsOf(label.id)).join())
    .toMatch(/^(easypost unknown,){1,3}easypost account$/)
  expect((await order(GROUND)).status).toBe(200)
  expect(backup.labels).toHaveLength(before.backup + 1)
  behavior.main = 'fine'
  await endPauses()
  expect(await carrierOnce(label.id, 'purchased')).toBe('easypost')
  expect(soldByMain()).toBe(before.main + 1)
  expect(backup.labels).toHaveLength(before.backup + 1)
})

test('a label whose refusal may come from a proxy stays with its account, and the next one goes to the second source', async () => {
  behavior.main = 'no-funds'
  const label = await orderUntil(PRIORITY, 'queued')
  const {
    rows: [claim],
  } = await database.pool.query<{ id: number; fence: number }>(
    `insert into open_carrier_call (order_id, round, attempt, fence, account, lease_until)
      select id, round, attempt + 1, fence + 1, carrier_account, now() + interval '1 minute' from shipment_order
        where id = $1 and state = 'queued' returning order_id as id, fence`,
    [label.id],
  )
  const verdict = verdictOnPurchase(
    { ok: false, kind: 'account', code: '403', message: 'Forbidden', isUncertain: true },
    { attempt: 2, waitedMs: 0, doubtMs: null },
    true,
  )
  await database.tx(tx => writeVerdicts(tx, [{ claim: claim!, verdict }]))
  await database.pool.query(
    `insert into service_source (service_uid, rank, account_name) values ('usps:PRIORITY_MAIL', 2, 'backup')`,
  )
  expect((await order(PRIORITY)).status).toBe(200)
  expect(await newest()).toMatchObject({ state: 'purchased', kind: 'shipengine' })
  expect((await callsOf(label.id)).filter(call => call.startsWith('shipengine'))).toEqual([])
  behavior.main = 'fine'
  await endPauses()
  expect(await carrierOnce(label.id, 'purchased')).toBe('easypost')
  await database.pool.query(
    `delete from service_source where service_uid = 'usps:PRIORITY_MAIL' and rank = 2`,
  )
})

test('a pause for losses sends nothing to the second source: prices have to be looked at first', async () => {
  await database.pool.query(
    `update carrier_budget set waits_for_administrator = true, pause_reason = 'losses', paused_since = now()
      where account like 'easypost:%'`,
  )
  const label = await orderUntil(GROUND, 'queued')
  expect(await callsOf(label.id)).toEqual([])
  await database.pool.query(
    `update carrier_budget set waits_for_administrator = false, pause_reason = null, paused_since = null`,
  )
  expect(await carrierOnce(label.id, 'purchased')).toBe('easypost')
})

test('labels of both accounts are voided, and put on SCAN forms, each by its own account', async () => {
  const bought: Record<string, number[]> = { easypost: [], shipengine: [] }
  for (const kind of ['easypost', 'easypost', 'shipengine', 'shipengine']) {
    await database.pool.query(
      `update carrier_budget set silent_until = case when $1 then now() + interval '1 hour' end where account like 'easypost:%'`,
      [kind === 'shipengine'],
    )
    expect((await order(GROUND)).status).toBe(200)
    const label = await newest()
    expect(label.kind).toBe(kind)
    bought[kind]!.push(label.id)
  }
  const firsts = [bought.easypost![0]!, bought.shipengine![0]!]
  const { body, status } = await app.call(
    createScanForms,
    { params: { userId: ana.user._id }, body: { orderIds: firsts.map(String) } },
    ana.token,
  )
  expect(status, body.message).toBe(200)
  expect(body.scanForms).toHaveLength(2)
  const { rows: forms } = await database.pool.query<{ kind: string; state: string }>(
    `select split_part(carrier_account, ':', 1) as kind, state from scan_form order by 1`,
  )
  expect(forms).toEqual([
    { kind: 'easypost', state: 'made' },
    { kind: 'shipengine', state: 'made' },
  ])
  for (const id of [bought.easypost![1]!, bought.shipengine![1]!]) {
    const voided = await app.call(voidOrder, { params: { orderId: String(id) } }, ana.token)
    expect([200, 202], voided.body.message).toContain(voided.status)
  }
  expect(await carrierOnce(bought.easypost![1]!, 'voided')).toBe('easypost')
  expect(await carrierOnce(bought.shipengine![1]!, 'voided')).toBe('shipengine')
})

test('a label that was open in a restored backup is looked up at every account, and the one that sold it keeps it', async () => {
  const before = soldByMain()
  behavior.main = 'resets-before'
  const label = await orderUntil(GROUND, 'unknown')
  await sellByBackup(label.id)
  await restoreNow()
  expect(await carrierOnce(label.id, 'purchased')).toBe('shipengine')
  expect(soldByMain()).toBe(before)
})

test('a label that was open in a restored backup is asked for elsewhere even when its own account is closed', async () => {
  const before = soldByMain()
  behavior.main = 'resets-before'
  const label = await orderUntil(GROUND, 'unknown')
  await sellByBackup(label.id)
  behavior.main = 'away'
  await restoreNow()
  expect(await carrierOnce(label.id, 'purchased')).toBe('shipengine')
  expect(soldByMain()).toBe(before)
})

test('a label that was not sent before the backup is sold by the first source of its service, not by the first account', async () => {
  const before = { main: soldByMain(), backup: backup.labels.length }
  const sellPriorityBy = (account: string) =>
    database.tx(tx => replaceServiceSources(tx, 'usps:PRIORITY_MAIL', [account]))
  const pauseBackup = (isPaused: boolean) =>
    database.pool.query(
      `update carrier_budget set waits_for_administrator = $1::boolean, pause_reason = case when $1::boolean then 'losses' end,
        paused_since = case when $1::boolean then now() end where account like 'shipengine:%'`,
      [isPaused],
    )
  await sellPriorityBy('backup')
  await pauseBackup(true)
  const label = await orderUntil(PRIORITY, 'queued')
  await restoreNow()
  await pauseBackup(false)
  expect(await carrierOnce(label.id, 'purchased')).toBe('shipengine')
  expect(await callsOf(label.id)).toEqual(['shipengine bought'])
  expect({ main: soldByMain(), backup: backup.labels.length }).toEqual({
    ...before,
    backup: before.backup + 1,
  })
  await sellPriorityBy('main')
})
