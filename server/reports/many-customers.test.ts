import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { hold, inSnapshot, postTransfers, settle } from '#server/ledger/service.ts'
import type { Db } from '#server/platform/database/database.ts'
import { floorTo } from '#server/platform/local-days.ts'
import { testDatabase } from '#tests/support/database.ts'
import { periodsSince } from './rules.ts'
import type { Periods } from './rules.ts'
import { selectReportView } from './sums-store.ts'
import type { ReportView } from './sums-store.ts'
import { findCustomers } from './trade-service.ts'
import { selectCustomers } from './trade-store.ts'
import type { CustomerFigures } from './trade-store.ts'

const database = await testDatabase()
const CUSTOMERS = 6_000
const DAYS = 100
const QUARTER_MS = 15 * 60_000

await database.owner.pool.query(
  `insert into app_user (name, email, email_key, password_hash, referral_code)
    select 'User ' || n, n || '@example.test', n || '@example.test', '-', 'CODE' || n from generate_series(1, $1::int) n`,
  [CUSTOMERS],
)

/** Sums of quarters of an hour, in cents, of customer number `n`; none where `charged` is null. */
async function fillSums(charged: string, refunded: string): Promise<void> {
  await database.owner.pool.query(`delete from user_sum; delete from customer_sum`)
  await database.owner.pool.query(
    `insert into user_sum (user_id, period_start, service_uid, service_name, labels, charged_cents, cost_cents, voided, refunded_cents,
        refunded_cost_cents, deposited_cents, available_cents, held_cents)
      select u.id, date_bin('15 minutes', now() - make_interval(days => day) - make_interval(mins => n * 7 % 1400), 'epoch'), 'any', 'Any',
          1, ${charged}, 0, 0, ${refunded}, 0, 0, 0, 0
        from generate_series(0, $1::int - 1) day, (select id, row_number() over (order by id)::int as n from app_user) u
        where ${charged} is not null`,
    [DAYS],
  )
  for (const days of [1, 16])
    await database.owner.pool.query(
      `insert into customer_sum
        select $1::int, date_bin(make_interval(days => $1::int), period_start, 'epoch'), user_id, sum(labels), sum(charged_cents), 0, 0,
            sum(refunded_cents), 0
          from user_sum group by 2, 3`,
      [days],
    )
  await database.owner.pool.query('vacuum (analyze) customer_sum, user_sum, app_user')
}

const since = (days: number, now: Date) =>
  periodsSince(
    floorTo(now.getTime() - days * 86_400_000 + 5 * QUARTER_MS, QUARTER_MS),
    now.getTime(),
  )

const findOfAll = (view: ReportView, periods: Periods) => selectCustomers(view, periods, 10, null)

/** The customers of 7, 30 and 90 days as they are found, and those of all. */
const findBoth = () =>
  inSnapshot(database.db, async db => {
    const view = await selectReportView(db)
    const [found, ofAll]: CustomerFigures[][][] = [[], []]
    for (const days of [7, 30, 90]) {
      const periods = since(days, view.now)
      found!.push(await findCustomers(view, periods))
      ofAll!.push(await findOfAll(view, periods))
    }
    return { found: found!, ofAll: ofAll! }
  })

/** Rows of sums that `find` reads for 90 days. */
const countRead = (
  find: (view: ReportView, periods: Periods) => Promise<unknown>,
): Promise<number> =>
  inSnapshot(database.db, async db => {
    const before = await readRows(db)
    const view = await selectReportView(db)
    await find(view, since(90, view.now))
    return (await readRows(db)) - before
  })

const readRows = async (db: Db): Promise<number> =>
  (
    await sql<{ n: number }>`
      select sum(seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables
        where relname in ('user_sum', 'customer_sum')`.execute(db)
  ).rows[0]!.n

/** A few have much, most have little, and not each day. */
const SKEWED = 'case when (n * 31 + day * 17) % 20 = 0 or n < 20 then 5000000 / (n + day % 7) end'

test('the largest customers are found without adding up all of them', async () => {
  await fillSums(SKEWED, 'case when n % 3 = 0 then 1000 else 0 end')
  const both = await findBoth()
  expect(both.found).toEqual(both.ofAll)
  expect(both.found.map(({ length }) => length)).toEqual([10, 10, 10])
  const rowsOfAll = await countRead(findOfAll)
  expect(rowsOfAll).toBeGreaterThan(CUSTOMERS * 3)
  expect(await countRead(findCustomers)).toBeLessThan(rowsOfAll / 3)
})

test('customers who are as large as each other are found among all', async () => {
  await fillSums('case when (n + day) % 20 = 0 then 100 end', '0')
  const both = await findBoth()
  expect(both.found).toEqual(both.ofAll)
})

test('refunds of more than was charged since then move a customer down', async () => {
  await fillSums(SKEWED, 'case when n < 15 then 400000 + n * 1000 else 0 end')
  const moved = await findBoth()
  expect(moved.found).toEqual(moved.ofAll)
  await fillSums('case when (n + day) % 20 = 0 then 0 end', 'n')
  const negative = await findBoth()
  expect(negative.found).toEqual(negative.ofAll)
})

test('few customers are all of them', async () => {
  await fillSums('case when n in (7, 70, 700) then n end', '0')
  const both = await findBoth()
  expect(both.found).toEqual(both.ofAll)
})

test('a customer is among the largest by sales that are in no sum yet', async () => {
  await fillSums(SKEWED, '0')
  await database.owner.tx(async tx => {
    const { rows } = await sql<{ id: number; owner: number }>`
      insert into shipment_order (user_id, state, service_uid, service_name, price_cents, sender, receiver, package, tracking_number,
          cost_cents)
        select max(id), 'purchased', 'any', 'Any', 900000000, '{}', '{}', '{}', 'any', 1 from app_user
        returning id, user_id as owner`.execute(tx)
    const { id: orderId, owner: ownerId } = rows[0]!
    await sql`insert into account (kind, owner_id) select kind, ${ownerId} from unnest(array['available', 'held']) kind`.execute(
      tx,
    )
    const price = cents(900_000_000)
    const funds = { kind: 'adjust_up' as const, cents: price, key: 'funds', actorId: ownerId }
    await postTransfers(tx, [{ ownerId, ...funds, reason: 'Goodwill' }])
    await hold(tx, ownerId, price, { orderId, round: 1 })
    await settle(tx, [{ ownerId, orderId, batchId: null, round: 1, price, bought: true }])
  })
  const both = await findBoth()
  expect(both.found).toEqual(both.ofAll)
})
