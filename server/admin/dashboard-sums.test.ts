import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { readConfig } from '#server/config.ts'
import { credit, hold, refund, settle, reverseCredit } from '#server/ledger/service.ts'
import { noonOffset, backdateTransfers } from '#tests/support/backdate.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { figuresOf, TOTALLED_KINDS } from './dashboard-rules.ts'
import type { TransferTotals, TotalledKind } from './dashboard-rules.ts'
import { readDashboard } from './dashboard-service.ts'
import { dashboardSumsJob } from './jobs.ts'

const database = await testDatabase()
const NOON = noonOffset()
const quiet = () => {}
const ctx = {
  config: readConfig({}),
  database,
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
}

/** Summarizes all complete transfers first. */
const readSummed = (offset = 0) => readDashboard(ctx, { offset }, 1)
/** Without summarizing; reads existing sums. */
const readUnsummed = (offset = 0) => readDashboard(ctx, { offset }, Number.MAX_SAFE_INTEGER)
const keptTransfers = async () =>
  (
    await sql<{
      n: number
    }>`select coalesce(sum(transfers), 0)::bigint as n from ledger_sum`.execute(database.db)
  ).rows[0]!.n

/** Up to which transfer the totals by kind reach. */
const lastTotalled = async () =>
  (
    await sql<{
      id: number
    }>`select coalesce(max(last_transfer_id), 0) as id from ledger_total`.execute(database.db)
  ).rows[0]!.id

/** How many there are in the ledger. */
const totalledTransfers = async () => {
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*) as n from transfer where kind = any($1)',
    [TOTALLED_KINDS],
  )
  return rows[0]!.n
}

let deposits = 0
const deposit = (userId: number, amount: number) =>
  database.tx(tx =>
    credit(tx, userId, cents(amount), {
      id: ++deposits,
      provider: 'sandbox',
      externalId: `paper-${deposits}`,
      n: 1,
    }),
  )

let reversals = 0
const reverse = (userId: number, amount: number) =>
  database.tx(tx =>
    reverseCredit(tx, userId, cents(amount), userId, {
      id: 1,
      provider: 'sandbox',
      externalId: 'paper-1',
      n: ++reversals,
    }),
  )

/**
 * Labels at $6.50: every fourth is refused, every seventh was bought for $5.93 and refunded, all
 * others were bought for $5.93.
 */
async function trade(userId: number, labels: number): Promise<void> {
  await database.tx(async tx => {
    const { rows: orders } = await sql<{ id: number; state: string }>`
      insert into shipment_order (user_id, state, service_uid, service_name, price_cents, sender, receiver, package,
          tracking_number, cost_cents, void_requested_at, voided_at)
      select ${userId}, state, 'any', 'Any', 650, '{}', '{}', '{}', case when state <> 'failed' then gen_random_uuid()::text end,
          case when state <> 'failed' then 593 end, case when state = 'voided' then now() end, case when state = 'voided' then now() end
        from (select case when n % 4 = 0 then 'failed' when n % 7 = 0 then 'voided' else 'purchased' end as state
          from generate_series(1, ${labels}::int) n) wanted
        returning id, state`.execute(tx)
    for (const { id } of orders) await hold(tx, userId, cents(650), { orderId: id, round: 1 })
    const about = orders.map(({ id, state }) => ({
      ownerId: userId,
      orderId: id,
      batchId: null,
      round: 1,
      price: cents(650),
      state,
    }))
    await settle(
      tx,
      about.map(one => ({ ...one, bought: one.state !== 'failed' })),
    )
    await refund(
      tx,
      about.filter(({ state }) => state === 'voided'),
    )
  })
}

/** Spreads the transfers after `after` over the last `days`. */
const spread = (after: number, days: number) =>
  backdateTransfers(
    database,
    sql`created_at - (hashint8(id)::bigint + 2147483648) / 4294967296.0 * make_interval(days => ${days}::int)`,
    sql`id > ${after}`,
  )
const newest = async () =>
  (await sql<{ id: number }>`select coalesce(max(id), 0) as id from transfer`.execute(database.db))
    .rows[0]!.id

const DAY_MS = 86_400_000

/** The figures of one period computed from the ledger line by line. */
async function ledgerFigures(days: number, offsetMinutes: number) {
  const { rows } = await sql<{ kind: string; cents: number; cost: number | null; at: Date }>`
    select t.kind, t.cents, o.cost_cents as cost, t.created_at as at
      from transfer t left join shipment_order o on o.id = t.order_id`.execute(database.db)
  const ahead = offsetMinutes * 60_000
  const from = (Math.floor((Date.now() + ahead) / DAY_MS) - (days - 1)) * DAY_MS - ahead
  const moved: Partial<Record<TotalledKind, TransferTotals>> = {}
  for (const kind of TOTALLED_KINDS) {
    const lines = rows.filter(row => row.kind === kind && row.at.getTime() >= from)
    const add = (of: (row: (typeof rows)[number]) => number) =>
      cents(lines.reduce((total, row) => total + of(row), 0))
    moved[kind] = {
      transfers: lines.length,
      cents: add(row => row.cents),
      cost: add(row => row.cost ?? 0),
    }
  }
  return { days, from: new Date(from), ...figuresOf(moved) }
}

/** What all users have, balance by balance. */
async function balancesOfAll() {
  const { rows } = await sql<{ available: number; held: number }>`
    select sum(b.credits - b.debits) filter (where a.kind = 'available')::bigint as available,
        sum(b.credits - b.debits) filter (where a.kind = 'held')::bigint as held
      from balance b join account a on a.id = b.account_id`.execute(database.db)
  return rows[0]
}

async function expectLedgerFigures(read: typeof readSummed, offset: number): Promise<void> {
  const { periods, liabilities } = await read(offset)
  expect(liabilities).toEqual(await balancesOfAll())
  const wanted = await Promise.all([1, 7, 30].map(days => ledgerFigures(days, offset)))
  expect(periods).toEqual(wanted.map(figures => ({ ...figures, newUsers: 2 })))
}

const ana = await newUser(database, 'ana')
const ben = await newUser(database, 'ben')
await deposit(ana, 1_000_000)
await deposit(ben, 1_000_000)

test('without stored sums the figures are those of the ledger', async () => {
  await trade(ana, 150)
  await spread((await newest()) - 300, 40)
  for (const offset of [NOON, NOON + 30, NOON - 45]) await expectLedgerFigures(readUnsummed, offset)
  expect(await keptTransfers()).toBe(0)
})

test('the figures are the same to the cent for any part of stored sums', async () => {
  await expectLedgerFigures(readSummed, NOON)
  expect(await keptTransfers()).toBeGreaterThan(0)
  const before = await newest()
  await trade(ben, 60)
  await deposit(ben, 12_345)
  await reverse(ben, 4_321)
  await spread(before, 3)
  for (const offset of [NOON, NOON + 345, NOON - 210])
    await expectLedgerFigures(readUnsummed, offset)
  for (const offset of [NOON, NOON + 345, NOON - 210]) await expectLedgerFigures(readSummed, offset)
  await expectLedgerFigures(readUnsummed, NOON)
})

test('a reversed deposit does not count, and both amounts are reported', async () => {
  const before = (await readSummed(NOON)).periods[0]!
  await deposit(ana, 900)
  await reverse(ana, 650)
  for (const read of [readUnsummed, readSummed]) {
    const today = (await read(NOON)).periods[0]!
    expect(today.depositsSettled - before.depositsSettled).toBe(250)
    expect([today.takenBack - before.takenBack, today.depositCount - before.depositCount]).toEqual([
      650, 1,
    ])
    await expectLedgerFigures(read, NOON)
  }
})

test('simultaneous reads do not count a transfer twice', async () => {
  await trade(ana, 40)
  await Promise.all(Array.from({ length: 8 }, () => readSummed(NOON)))
  await readSummed(NOON)
  const {
    rows: [ledger],
  } = await sql<{ n: number }>`
    select count(*) as n from transfer where kind in ('capture', 'release', 'refund', 'deposit', 'reversal')`.execute(
    database.db,
  )
  expect(await keptTransfers()).toBe(ledger!.n)
  await expectLedgerFigures(readUnsummed, NOON)
})

test('transfers that commit after newer ones were summed are not lost', async () => {
  const before = (await readSummed(NOON)).periods[0]!.depositsSettled
  const written = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const slow = database.tx(async tx => {
    await credit(tx, ana, cents(700), {
      id: ++deposits,
      provider: 'sandbox',
      externalId: 'slow',
      n: 1,
    })
    written.resolve()
    await finish.promise
  })
  await written.promise
  await deposit(ben, 50)
  expect((await readSummed(NOON)).periods[0]!.depositsSettled).toBe(before + 50)
  finish.resolve()
  await slow
  expect((await readSummed(NOON)).periods[0]!.depositsSettled).toBe(before + 750)
  await expectLedgerFigures(readSummed, NOON)
})

test('a day begins at the reader’s midnight, not at the server’s', async () => {
  const after = await newest()
  await deposit(ana, 111)
  await deposit(ana, 222)
  const { from } = (await readUnsummed(NOON)).periods[0]!
  const justBefore = sql`${from}::timestamptz - interval '1 microsecond'`
  await backdateTransfers(
    database,
    sql`case cents when 111 then ${justBefore} else ${from}::timestamptz end`,
    sql`id > ${after}`,
  )
  for (const read of [readUnsummed, readSummed, readUnsummed]) {
    const [today] = (await read(NOON)).periods
    const [earlier] = (await read(NOON + 15)).periods
    expect(earlier!.from.getTime()).toBe(from.getTime() - 15 * 60_000)
    expect(earlier!.depositsSettled - today!.depositsSettled).toBe(111)
    await expectLedgerFigures(read, NOON)
  }
})

test('labels of unknown outcome are counted, with the time of the oldest', async () => {
  const order = {
    user_id: ana,
    service_uid: 'any',
    service_name: 'Any',
    price_cents: 0,
    sender: '{}',
    receiver: '{}',
    package: '{}',
  }
  await database.db
    .insertInto('shipment_order')
    .values([
      { ...order, state: 'unknown', unknown_since: '2026-11-20T10:00:00Z' },
      { ...order, state: 'unknown', unknown_since: '2026-11-19T10:00:00Z' },
      {
        ...order,
        state: 'voiding',
        void_requested_at: '2026-11-18T10:00:00Z',
        tracking_number: 'any',
      },
    ])
    .execute()
  const none = { count: 0, oldest: null }
  expect((await readUnsummed()).work).toEqual({
    unknown: { count: 2, oldest: new Date('2026-11-19T10:00:00Z') },
    voids: { count: 1, oldest: new Date('2026-11-18T10:00:00Z') },
    files: none,
    deposits: none,
    mails: none,
    scans: none,
    disputes: none,
    losses: { ...none, refused: 0, lost: 0, newest: null },
  })
})

test('a process sums what is new before anyone reads, so that the first reader does not wait for it', async () => {
  await database.owner.pool.query('truncate ledger_sum, ledger_total')
  await trade(ben, 10)
  const job = dashboardSumsJob(ctx, 1)
  await job.start()
  await expect.poll(keptTransfers).toBe(await totalledTransfers())
  await expect.poll(lastTotalled).toBe(await newest())
  await job.stop()
  await expectLedgerFigures(readUnsummed, NOON)
})
