/** After a restore the look-up of a row of a bulk order takes several calls: its later rounds, and other accounts. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { Carrier, PurchaseLookupResult } from '#server/carriers/port.ts'
import { accountContexts } from '#server/carriers/service.ts'
import { submitRows } from '#tests/model/batch-steps.ts'
import { advanceTime, setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { conflict, NOT_SOLD, resolveLabel, SOLD } from '#tests/support/silent-carrier.ts'
import { resetLabelsAfterRestore } from './after-restore.ts'
import type { LabelResolution } from './manual-resolution.ts'
import { reconcile } from './reconcile.ts'

/** One call every two minutes, so that none is added while a test runs. */
const RATE = { perMinute: 1, burst: 10 }
const UNTIL_ALL_ARE_BACK_MS = 30 * 60_000
const NOT_PURCHASED: PurchaseLookupResult = { found: 'not_purchased' }
const NO_ANSWER: PurchaseLookupResult = { found: 'unknown' }

const callsLeft = async ({ database }: Simulation): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query<{ account: string; left: number }>(
    'select account, floor(tokens)::int as left from carrier_budget',
  )
  return Object.fromEntries(rows.map(({ account, left }) => [account, left]))
}

/** `asked`: look-ups by account since the last reset. */
async function afterRestore(
  rows: number,
  found: (nth: number, account: string) => PurchaseLookupResult,
  accounts: readonly string[],
  run: (simulation: Simulation, asked: Record<string, number>) => Promise<void>,
): Promise<void> {
  const asked: Record<string, number> = {}
  let nth = 0
  const counting = (carrier: Carrier, account: string): Carrier => ({
    ...carrier,
    account,
    rateLimit: RATE,
    lookup: async () => {
      asked[account] = (asked[account] ?? 0) + 1
      return found(++nth, account)
    },
  })
  await withSimulation(
    {
      change: ({ carrier }) => {
        const [own, ...others] = accounts.map(account => counting(carrier, account))
        return {
          carrier: own!,
          ...(others.length > 0 && {
            carrierAccounts: [own!, ...others].map(one => ({
              name: one.account,
              carrier: one,
              earlierNames: [],
            })),
          }),
        }
      },
    },
    async simulation => {
      const {
        database,
        customerIds: [ana],
      } = simulation
      await setCustomerBalance(simulation, ana, 1_000_000)
      await submitRows(simulation, rows)
      await database.tx(async tx => {
        await sql`insert into app_setting (key, value) values ('restored_at', clock_timestamp()::text)`.execute(
          tx,
        )
        await resetLabelsAfterRestore(tx)
      })
      await run(simulation, asked)
    },
  )
}

test('look-ups after a restore keep the rate limit of their account', async () => {
  await afterRestore(
    40,
    () => NOT_PURCHASED,
    ['sandbox'],
    async ({ ctx }, asked) => {
      expect(await reconcile(ctx)).toMatchObject({ lookedUp: 2 })
      expect(asked).toEqual({ sandbox: 8 })
    },
  )
})

test('a label whose look-up takes more calls than are left is looked up all the same, and the next ones wait', async () => {
  await afterRestore(
    40,
    () => NOT_PURCHASED,
    ['sandbox'],
    async ({ ctx }, asked) => {
      await reconcile(ctx)
      await reconcile(ctx)
      await reconcile(ctx)
      expect(asked).toEqual({ sandbox: 12 })
    },
  )
})

test('calls for later rounds that were not needed are given back', async () => {
  const sold = (nth: number): PurchaseLookupResult => ({
    found: 'purchased',
    purchase: { trackingNumber: `SOLD-${nth}`, costCents: cents(593) },
  })
  await afterRestore(40, sold, ['sandbox'], async ({ ctx, database }, asked) => {
    for (let n = 0; n < 4; n++) await reconcile(ctx)
    const { rows } = await database.pool.query<{ many: number }>(
      `select count(*)::int as many from shipment_order where state = 'purchased'`,
    )
    expect([rows[0]!.many, asked.sandbox]).toEqual([6, 6])
  })
})

test('another account is asked within its own rate limit, and the rest waits', async () => {
  await afterRestore(
    40,
    () => NOT_PURCHASED,
    ['sandbox', 'sandbox:2'],
    async (simulation, asked) => {
      const { ctx, database } = simulation
      await database.pool.query(
        `insert into carrier_budget (account, tokens) values ('sandbox:2', 4)`,
      )
      await reconcile(ctx)
      expect(asked).toEqual({ sandbox: 8, 'sandbox:2': 4 })
      await advanceTime(simulation, UNTIL_ALL_ARE_BACK_MS)
      await reconcile(ctx)
      expect(asked).toEqual({ sandbox: 16, 'sandbox:2': 12 })
    },
  )
})

test('an account that does not answer loses one call for each label, also where later rounds would follow', async () => {
  await afterRestore(
    40,
    () => NO_ANSWER,
    ['sandbox'],
    async ({ ctx }, asked) => {
      for (let n = 0; n < 12; n++) await reconcile(ctx)
      expect(asked).toEqual({ sandbox: RATE.burst })
    },
  )
})

test('another account that does not answer loses the one call that it was asked', async () => {
  const found = (_: number, account: string) => (account === 'sandbox' ? NOT_PURCHASED : NO_ANSWER)
  await afterRestore(1, found, ['sandbox', 'sandbox:2'], async (simulation, asked) => {
    await reconcile(simulation.ctx)
    expect(asked).toEqual({ sandbox: 4, 'sandbox:2': 1 })
    expect(await callsLeft(simulation)).toEqual({ sandbox: 6, 'sandbox:2': 9 })
  })
})

test('an administrator who ends a label is not refused because another account has no calls left: it is asked', async () => {
  const found = (_: number, account: string) => (account === 'sandbox' ? NO_ANSWER : NOT_PURCHASED)
  await afterRestore(1, found, ['sandbox', 'sandbox:2'], async (simulation, asked) => {
    const { pool } = simulation.database
    await advanceTime(simulation, UNTIL_ALL_ARE_BACK_MS)
    await pool.query(
      `insert into carrier_budget (account, tokens, paused_until) values ('sandbox:2', 0, now() + interval '1 hour')`,
    )
    const { rows } = await pool.query<{ id: number }>('select id from shipment_order')
    expect(await resolveLabel(simulation, rows[0]!.id, NOT_SOLD)).toMatchObject({
      isAnswered: false,
      order: { state: 'failed' },
    })
    expect(asked).toEqual({ sandbox: 1, 'sandbox:2': 4 })
  })
})

test('while another account may have sold a label it is not ended as not sold', async () => {
  const accounts = ['sandbox', 'sandbox:2']
  await afterRestore(
    1,
    () => NO_ANSWER,
    accounts,
    async simulation => {
      await advanceTime(simulation, UNTIL_ALL_ARE_BACK_MS)
      const { rows } = await simulation.database.pool.query<{ id: number }>(
        'select id from shipment_order',
      )
      const end = (resolution: LabelResolution) => resolveLabel(simulation, rows[0]!.id, resolution)
      await expect(end(NOT_SOLD)).rejects.toMatchObject(
        conflict('another carrier account may have sold it'),
      )
      expect(await end(SOLD)).toMatchObject({ isAnswered: false, order: { state: 'purchased' } })
    },
  )
})

test('a label that no account has sold is left to the first one, unless its own was asked to sell it', async () => {
  const accounts = ['sandbox', 'sandbox:2']
  await afterRestore(
    2,
    () => NOT_PURCHASED,
    accounts,
    async simulation => {
      const { ctx, database } = simulation
      await advanceTime(simulation, UNTIL_ALL_ARE_BACK_MS)
      await database.pool.query(`update shipment_order set carrier_account = 'sandbox:2'`)
      await database.pool.query(
        `insert into carrier_call (order_id, round, attempt, fence, account, outcome, finished_at)
          select min(id), 1, 1, 1, 'sandbox:2', 'unknown', now() from shipment_order`,
      )
      await reconcile(accountContexts(ctx)[1]!)
      const { rows } = await database.pool.query<{ account: string }>(
        'select carrier_account as account from shipment_order order by id',
      )
      expect(rows.map(({ account }) => account)).toEqual(['sandbox:2', 'sandbox'])
    },
  )
})
