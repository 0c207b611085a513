import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { readConfig } from '#server/config.ts'
import { chargeOwed, creditCustomer, postCarrierCost } from '#server/ledger/owed-charges.ts'
import {
  credit,
  findViolations,
  hold,
  postTransfers,
  refund,
  settle,
} from '#server/ledger/service.ts'
import { backdateTransfers } from '#tests/support/backdate.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { NO_FIGURES, addFigures } from './rules.ts'
import type { Figures } from './rules.ts'
import { balanceCurveOf, destinationsOf, salesOf, tasksOf } from './service.ts'
import { sumNewTransfers } from './sums.ts'
import { readTrade } from './trade-service.ts'

const database = await testDatabase()
const quiet = () => {}
const ctx = {
  config: readConfig({}),
  database,
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
}

const SUMMED = 1
const UNSUMMED = Number.MAX_SAFE_INTEGER
const ZONES = ['America/New_York', 'Asia/Kathmandu']
const STATES = ['CA', 'NY', 'TX', 'PR']
const SERVICES = [
  { uid: 'usps:GROUND_ADVANTAGE', name: 'Ground Advantage', price: 650, cost: 593 },
  { uid: 'usps:PRIORITY_MAIL', name: 'Priority Mail', price: 950, cost: 1_010 },
]

let deposits = 0
const deposit = (userId: number, amount: number) =>
  database.tx(async tx => {
    const { rows } = await sql<{ id: number }>`
      insert into invoice (user_id, provider, external_id, status, paid_cents, confirmed_cents, credited_cents, credit_count, expires_at)
        values (${userId}, 'sandbox', ${`paper-${++deposits}`}, 'Settled', ${amount}, ${amount}, ${amount}, 1, now()) returning id`.execute(
      tx,
    )
    const invoice = { id: rows[0]!.id, provider: 'sandbox', externalId: `paper-${deposits}`, n: 1 }
    await credit(tx, userId, cents(amount), invoice)
  })

/** Labels of all services to all states: each fourth is refused, each seventh bought and voided. */
async function trade(userId: number, labels: number): Promise<void> {
  await database.tx(async tx => {
    for (let n = 1; n <= labels; n++) {
      const { uid, name, price, cost } = SERVICES[n % 2]!
      const state = n % 4 === 0 ? 'failed' : n % 7 === 0 ? 'voided' : 'purchased'
      const bought = state !== 'failed'
      const voidedAt = state === 'voided' ? new Date() : null
      const { rows } = await sql<{ id: number }>`
        insert into shipment_order (user_id, state, service_uid, service_name, price_cents, sender, receiver, package, tracking_number,
            cost_cents, void_requested_at, voided_at)
          values (${userId}, ${state}, ${uid}, ${name}, ${price}, '{}', ${JSON.stringify({ state: STATES[n % 4] })}, '{}',
            ${bought ? crypto.randomUUID() : null}, ${bought ? cost : null}, ${voidedAt}, ${voidedAt}) returning id`.execute(
        tx,
      )
      const order = { ownerId: userId, orderId: rows[0]!.id, batchId: null, round: 1 }
      await hold(tx, userId, cents(price), { orderId: order.orderId, round: 1 })
      const reason = n % 8 === 0 ? 'Address not found' : undefined
      await settle(tx, [{ ...order, price: cents(price), bought, ...(reason && { reason }) }])
      if (voidedAt) await refund(tx, [{ ...order, price: cents(price) }])
    }
  })
}

let corrections = 0
/** Corrects some bought labels: charged, credited and paid by the operator in turn, also on days without labels. */
async function correct(userId: number, most: number): Promise<void> {
  await database.tx(async tx => {
    const { rows } = await sql<{ id: number }>`
      select id from shipment_order where user_id = ${userId} and state = 'purchased' order by id limit ${most}`.execute(
      tx,
    )
    for (const [n, { id: orderId }] of rows.entries()) {
      const subject = `correction:${++corrections}`
      const amount = cents(100 + n)
      const change = { ownerId: userId, orderId, subject, reason: 'Weighed', cents: amount }
      await postCarrierCost(tx, change, subject, n % 3 === 1 ? cents(-amount) : amount)
      if (n % 3 === 0) await chargeOwed(tx, change)
      if (n % 3 === 1) await creditCustomer(tx, change)
    }
  })
}

/** Spreads the transfers after `after` over the last `days`, in their order. */
const spread = (after: number, days: number) =>
  backdateTransfers(
    database,
    sql`now() - make_interval(secs => ${days * 86_400}::float8
      * ((select max(id) from transfer) - id)::float8 / ((select max(id) from transfer) - ${after}))`,
    sql`id > ${after}`,
  )
const countSums = async () =>
  (await sql<{ n: number }>`select count(*) as n from user_sum`.execute(database.db)).rows[0]!.n
const newest = async () =>
  (await sql<{ id: number }>`select coalesce(max(id), 0) as id from transfer`.execute(database.db))
    .rows[0]!.id

type Line = {
  owner: number
  kind: string
  cents: number
  cost: number | null
  uid: string | null
  state: string | null
  at: Date
}

/** The ledger line by line. */
async function ledger(): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select t.owner_id as owner, t.kind, t.cents, o.cost_cents as cost, o.service_uid as uid, o.receiver ->> 'state' as state,
        t.created_at as at
      from transfer t left join shipment_order o on o.id = t.order_id order by t.id`.execute(
    database.db,
  )
  return rows
}

const figuresOf = (lines: Line[]): Figures =>
  lines.reduce((sum, line) => {
    const [amount, cost] = [cents(line.cents), cents(line.cost ?? 0)]
    if (line.kind === 'capture')
      return addFigures(sum, { ...NO_FIGURES, labels: 1, charged: amount, cost })
    if (line.kind === 'refund')
      return addFigures(sum, { ...NO_FIGURES, voided: 1, refunded: amount, refundedCost: cost })
    if (line.kind === 'carrier_charge') return addFigures(sum, { ...NO_FIGURES, charged: amount })
    if (line.kind === 'carrier_credit') return addFigures(sum, { ...NO_FIGURES, refunded: amount })
    if (line.kind === 'carrier_cost') return addFigures(sum, { ...NO_FIGURES, cost: amount })
    if (line.kind === 'carrier_cost_back')
      return addFigures(sum, { ...NO_FIGURES, refundedCost: amount })
    return sum
  }, NO_FIGURES)

/** The figures that a customer sees. */
const readOf = ({ labels, charged, voided, refunded }: Figures) => ({
  labels,
  charged,
  voided,
  refunded,
})

const calendars = new Map(
  ZONES.map(zone => [zone, new Intl.DateTimeFormat('en-CA', { timeZone: zone })]),
)
const dateIn = (timezone: string, at: Date): string => calendars.get(timezone)!.format(at)

async function expectSalesOfLedger(userId: number, sumFrom: number): Promise<void> {
  const lines = (await ledger()).filter(({ owner }) => owner === userId)
  for (const timezone of ZONES) {
    const period = { days: 30, timezone, sumFrom }
    const { days, sales, totals, services } = await salesOf(ctx, userId, period)
    const own = lines.filter(({ at }) => at.getTime() >= days[0]!.at)
    expect(readOf(totals)).toEqual(readOf(figuresOf(own)))
    for (const [index, { date }] of days.entries()) {
      const ofDay = own.filter(line => dateIn(timezone, line.at) === date)
      for (const { uid, name } of SERVICES) {
        const sold = sales.find(one => one.day === index && one.serviceUid === uid)
        const expected = readOf(figuresOf(ofDay.filter(line => line.uid === uid)))
        expect(readOf(sold ?? NO_FIGURES), `${timezone} ${date}`).toEqual(expected)
        // A day on which only the operator paid is left out.
        expect(sold?.serviceName, `${timezone} ${date}`).toBe(
          Object.values(expected).some(amount => amount !== 0) ? name : undefined,
        )
      }
    }
    expect(services.map(({ name }) => name).toSorted()).toEqual(SERVICES.map(({ name }) => name))
    const { states } = await destinationsOf(ctx, userId, period)
    const captures = own.filter(({ kind }) => kind === 'capture')
    expect(Object.fromEntries(states.map(({ state, labels }) => [state, labels]))).toEqual(
      Object.fromEntries(
        STATES.flatMap(state => {
          const labels = captures.filter(line => line.state === state).length
          return labels === 0 ? [] : [[state, labels]]
        }),
      ),
    )
  }
}

const SIGN: Record<string, [available: number, held: number]> = {
  deposit: [1, 0],
  hold: [-1, 1],
  release: [1, -1],
  capture: [0, -1],
  refund: [1, 0],
  adjust_up: [1, 0],
  adjust_down: [-1, 0],
  carrier_charge: [-1, 0],
  carrier_credit: [1, 0],
  carrier_cost: [0, 0],
  carrier_cost_back: [0, 0],
}

async function expectBalanceOfLedger(userId: number, sumFrom: number): Promise<void> {
  const own = (await ledger()).filter(({ owner }) => owner === userId)
  for (const timezone of ZONES) {
    const curve = await balanceCurveOf(ctx, userId, { days: 30, timezone, sumFrom })
    const sumBefore = (at: number, side: 0 | 1): number =>
      own
        .filter(line => line.at.getTime() < at)
        .reduce((sum, { kind, cents: amount }) => sum + SIGN[kind]![side] * amount, 0)
    for (const point of curve.points.slice(0, -1)) {
      expect([point.available, point.held], new Date(point.at).toISOString()).toEqual([
        sumBefore(point.at, 0),
        sumBefore(point.at, 1),
      ])
    }
    expect(curve.points.at(-1)).toMatchObject({ available: curve.available, held: curve.held })
    const recent = own.filter(
      ({ kind, at }) => kind === 'deposit' && at.getTime() >= curve.points[0]!.at,
    )
    expect(curve.deposits.reduce((sum, { amount }) => sum + amount, 0)).toBe(
      recent.reduce((sum, { cents: amount }) => sum + amount, 0),
    )
    const moments = new Set(curve.points.map(({ at }) => at))
    expect(curve.deposits.every(({ at }) => moments.has(at))).toBe(true)
  }
}

async function expectTradeOfLedger(sumFrom: number): Promise<void> {
  const all = await ledger()
  for (const timezone of ZONES) {
    const report = await readTrade(ctx, { days: 30, timezone, sumFrom })
    const lines = all.filter(({ at }) => at.getTime() >= report.from)
    expect(report.totals).toEqual(figuresOf(lines))
    for (const { date, figures } of report.days)
      expect(figures, `${timezone} ${date}`).toEqual(
        figuresOf(lines.filter(({ at }) => dateIn(timezone, at) === date)),
      )
    for (const { uid, figures } of report.services)
      expect(figures).toEqual(figuresOf(lines.filter(line => line.uid === uid)))
    for (const { user, ...figures } of report.customers)
      expect(figures).toEqual(figuresOf(lines.filter(({ owner }) => owner === user.id)))
    const revenues = report.customers.map(({ charged, refunded }) => charged - refunded)
    expect(revenues).toEqual(revenues.toSorted((a, b) => b - a))
    expect(report.customers.map(({ user }) => user.name).toSorted()).toEqual(['ana', 'ben'])
    expect(report.failures.total).toBe(lines.filter(({ kind }) => kind === 'release').length)
    expect(report.failures.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(
      report.failures.total,
    )
  }
}

async function expectAll(sumFrom: number): Promise<void> {
  for (const userId of [ana, ben]) {
    await expectSalesOfLedger(userId, sumFrom)
    await expectBalanceOfLedger(userId, sumFrom)
  }
  await expectTradeOfLedger(sumFrom)
}

const [ana, ben] = [await newUser(database, 'ana'), await newUser(database, 'ben')]

test('without sums the reports equal the ledger to the cent', async () => {
  await deposit(ana, 500_000)
  await deposit(ben, 500_000)
  await trade(ana, 60)
  await deposit(ana, 12_345)
  await trade(ben, 20)
  await correct(ana, 12)
  await correct(ben, 6)
  await spread(0, 40)
  await expectAll(UNSUMMED)
  expect(await countSums()).toBe(0)
})

test('with sums, and with labels bought since, they are the same', async () => {
  await expectAll(SUMMED)
  expect(await countSums()).toBeGreaterThan(0)
  const before = await newest()
  await trade(ben, 30)
  await deposit(ben, 4_321)
  await trade(ana, 10)
  await correct(ana, 9)
  await spread(before, 3)
  await expectAll(UNSUMMED)
  await expectAll(SUMMED)
  await expectAll(UNSUMMED)
})

test('simultaneous readers count each transfer once', async () => {
  await trade(ana, 16)
  const period = { days: 7, timezone: 'UTC', sumFrom: SUMMED }
  const read = await Promise.all(Array.from({ length: 8 }, () => salesOf(ctx, ana, period)))
  expect(new Set(read.map(({ totals }) => JSON.stringify(totals))).size).toBe(1)
  await expectSalesOfLedger(ana, UNSUMMED)
})

test('a label that commits after newer ones were summed is not lost', async () => {
  const period = { days: 7, timezone: 'UTC', sumFrom: SUMMED }
  const before = (await balanceCurveOf(ctx, ana, period)).available
  const written = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const slow = database.tx(async tx => {
    const adjustment = { kind: 'adjust_up' as const, cents: cents(700), key: 'slow', actorId: ben }
    await postTransfers(tx, [{ ownerId: ana, ...adjustment, reason: 'Goodwill' }])
    written.resolve()
    await finish.promise
  })
  await written.promise
  await trade(ben, 1)
  await sumNewTransfers(ctx, 1)
  finish.resolve()
  await slow
  expect((await balanceCurveOf(ctx, ana, period)).points.at(-1)!.available).toBe(before + 700)
  await expectAll(SUMMED)
})

test('the sums are checked with the books, and made again once their progress is deleted', async () => {
  await sumNewTransfers(ctx, 1)
  expect(await findViolations(database.db)).toEqual([])
  await sql`update user_sum set charged_cents = charged_cents + 1 where user_id = ${ana} and labels > 0`.execute(
    database.db,
  )
  await sql`delete from failure_sum`.execute(database.db)
  const broken = await findViolations(database.db)
  expect(broken.map(({ rule, subject }) => `${rule} ${subject}`).toSorted()).toEqual([
    'report-sums failures',
    `report-sums user ${ana}`,
  ])
  await sql`delete from report_progress`.execute(database.db)
  await expectAll(SUMMED)
  expect(await findViolations(database.db)).toEqual([])
})

test('adjustments and losses are told apart from sales', async () => {
  const period = { days: 7, timezone: 'UTC', sumFrom: SUMMED }
  const { adjustments, losses, totals } = await readTrade(ctx, period)
  expect(adjustments).toEqual({ up: 700, down: 0 })
  expect(losses).toEqual({ labels: 0, lost: 0 })
  const { rows } = await sql<{ id: number }>`
    insert into postage_loss (order_id, round, account, outcome, price_cents, cost_cents)
      select id, 1, 'sandbox', case when n = 1 then 'bought' else 'refused' end, 950, 1010
        from (select id, row_number() over () as n from shipment_order where service_uid = 'usps:PRIORITY_MAIL' limit 2) o
      returning order_id as id`.execute(database.db)
  expect(rows).toHaveLength(2)
  const after = await readTrade(ctx, period)
  expect(after.losses).toEqual({ labels: 1, lost: 60 })
  expect(after.totals).toEqual(totals)
})

test('failed labels, an open invoice and a low balance are to be done', async () => {
  const carla = await newUser(database, 'carla')
  expect(await tasksOf(ctx, carla)).toEqual({
    failed: { batches: [], count: 0, labels: 0 },
    open: { invoices: [], count: 0 },
    lowBalance: null,
  })
  await deposit(carla, 12_000)
  await trade(carla, 12)
  await database.tx(async tx => {
    const { rows } = await sql<{ id: number }>`
      insert into batch (user_id, status, accepted_at, total_count, cost_cents, failed_count, file_name, file_hash, file_source)
        values (${carla}, 'completed_with_errors', now(), 3, 0, 3, 'orders.txt', repeat('0', 64), 'any') returning id`.execute(
      tx,
    )
    const batchId = rows[0]!.id
    await sql`
      insert into shipment_order (user_id, batch_id, row_no, state, service_uid, service_name, price_cents, sender, receiver, package,
          replaced_by)
        select ${carla}, ${batchId}, n, 'failed', 'any', 'Any', 0, '{}', '{}', '{}', case when n = 3 then ${batchId}::bigint end
          from generate_series(1, 3) n`.execute(tx)
    await sql`
      insert into invoice (user_id, provider, external_id, status, expires_at)
        values (${carla}, 'sandbox', 'open', 'New', now() + interval '10 minutes')`.execute(tx)
    await sql`
      insert into invoice (user_id, provider, external_id, status, paid_cents, expires_at)
        values (${carla}, 'sandbox', 'paid', 'Processing', 2500, now() - interval '1 minute'),
          (${carla}, 'sandbox', 'over', 'Expired', 0, now() - interval '1 day')`.execute(tx)
  })
  const { failed, open, lowBalance } = await tasksOf(ctx, carla)
  expect(failed).toMatchObject({
    count: 1,
    labels: 2,
    batches: [{ name: 'orders.txt', labels: 2 }],
  })
  expect(open.count).toBe(2)
  expect(open.invoices.map(({ invoiceId, paid }) => [invoiceId, paid])).toEqual([
    ['paid', 2500],
    ['open', 0],
  ])
  const { available, pace } = await balanceCurveOf(ctx, carla, { days: 7, timezone: 'UTC' })
  expect(lowBalance).toEqual({ available, pace })
  expect(pace!.days).toBe(1)
})
