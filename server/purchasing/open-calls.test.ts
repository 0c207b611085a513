/** Claims of labels: the calls that carriers have not answered. */
import { expect, test } from 'vitest'
import { endFarWaits } from '#server/far-waits-store.ts'
import { findViolations } from '#server/ledger/service.ts'
import { abandonClaims, submitBatch, submitRows } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { resetLabelsAfterRestore } from './after-restore.ts'
import { claimQueued } from './claim-store.ts'
import { claimUnknown, expireLeases } from './queue-store.ts'
import { reconcile } from './reconcile.ts'
import { startPurchaseWorker } from './worker.ts'

const withQueued = (run: (simulation: Simulation) => Promise<void>): Promise<void> =>
  withSimulation({}, async simulation => {
    const [ana] = simulation.customerIds
    await setCustomerBalance(simulation, ana, 1_000_000)
    await submitBatch(simulation, ana, ['', '', '', ''])
    await run(simulation)
  })

const claim = ({ database }: Simulation, limit: number): Promise<number[]> =>
  database.tx(async tx => {
    const seller = { names: ['sandbox'] as [string], scope: null }
    const { claims } = await claimQueued(tx, seller, limit, 60_000, 0)
    return claims.map(({ id }) => id)
  })

/** As Retry Failed leaves labels after a restore: their lease is in the row, and has ended. */
async function leaseInRows({ database }: Simulation): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: number }>(`
    with taken as materialized (
      select id from shipment_order where state = 'queued' order by id for update skip locked)
    update shipment_order o set state = 'purchasing', attempt = o.attempt + 1, fence = o.fence + 1, carrier_account = 'sandbox',
        lease_until = clock_timestamp() - interval '1 second'
      from taken where o.id = taken.id returning o.id`)
  return rows.map(({ id }) => id).toSorted((a, b) => a - b)
}

const labels = async ({ database }: Simulation): Promise<unknown[]> =>
  (await database.pool.query('select id, state, fence, attempt from shipment_order order by id'))
    .rows

const statesOf = async ({ database }: Simulation): Promise<Set<string>> =>
  new Set(
    (await database.pool.query<{ state: string }>('select state from shipment_order')).rows.map(
      ({ state }) => state,
    ),
  )

test('a label that a carrier has been asked for is claimed by no other worker, and its row stays as it is', () =>
  withQueued(async simulation => {
    const before = await labels(simulation)
    const first = await claim(simulation, 3)
    expect(first).toHaveLength(3)
    expect(await claim(simulation, 10)).toHaveLength(1)
    expect(await claim(simulation, 10)).toEqual([])
    expect(await labels(simulation)).toEqual(before)
    expect(await findViolations(simulation.database.db)).toEqual([])
  }))

test('twenty workers that claim at once get each label once', () =>
  withQueued(async simulation => {
    await submitRows(simulation, 36)
    const taken = await Promise.all(Array.from({ length: 20 }, () => claim(simulation, 3)))
    const rest = await claim(simulation, 100)
    const ids = [...taken.flat(), ...rest]
    expect(new Set(ids).size).toBe(40)
    expect(ids).toHaveLength(40)
  }))

/** How many statements of this database wait for a lock. */
const countWaiting = async ({ database }: Simulation): Promise<number | null> =>
  (
    await database.owner.pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  ).rowCount

/**
 * A program of an earlier version, which does not take the lock of claims, claims the first label after another claim has seen it free.
 * `end`: what it does before it commits. Returns that label, and those of the other claim.
 */
async function claimBesideEarlierProgram(
  simulation: Simulation,
  end: string,
): Promise<{ first: number; claimed: number[] }> {
  const earlier = await simulation.database.owner.pool.connect()
  try {
    await earlier.query('begin')
    const { rows } = await earlier.query<{ id: number }>(`
      insert into open_carrier_call (order_id, round, attempt, fence, account, lease_until)
        select id, round, 1, 1, 'sandbox', now() + interval '1 minute' from shipment_order order by id limit 1
        returning order_id as id`)
    const claiming = claim(simulation, 10)
    await expect.poll(() => countWaiting(simulation)).toBe(1)
    await earlier.query(end)
    await earlier.query('commit')
    return { first: rows[0]!.id, claimed: await claiming }
  } finally {
    earlier.release()
  }
}

test('a label that an earlier version claims at the same moment is not claimed twice', () =>
  withQueued(async simulation => {
    const { first, claimed } = await claimBesideEarlierProgram(simulation, 'select 1')
    expect(claimed).toHaveLength(3)
    expect(claimed).not.toContain(first)
  }))

test.each([
  ['bought', "state = 'purchased', tracking_number = '9400', purchased_at = now()"],
  ['put back', "run_after = now() + interval '1 minute'"],
])('a label that an earlier version has %s during a claim is not called again', (_, change) =>
  withQueued(async simulation => {
    const settle = `
      with ended as (delete from open_carrier_call returning *)
      update shipment_order o set fence = ended.fence, attempt = 1, ${change} from ended where o.id = ended.order_id`
    const { first, claimed } = await claimBesideEarlierProgram(simulation, settle)
    expect(claimed).toHaveLength(3)
    expect(claimed).not.toContain(first)
  }),
)

test('a claim beside another one takes nothing, and the next one does', () =>
  withQueued(async simulation => {
    const { database } = simulation
    const seller = { names: ['sandbox'] as [string], scope: null }
    await database.tx(async tx => {
      await claimQueued(tx, seller, 1, 60_000, 0)
      const { claims, isLocked } = await database.tx(other =>
        claimQueued(other, seller, 3, 60_000, 0),
      )
      expect({ claims, isLocked }).toEqual({ claims: [], isLocked: true })
    })
    expect(await claim(simulation, 10)).toHaveLength(3)
  }))

test('labels whose lease is in their row are looked up when it has ended, and each is bought once', () =>
  withQueued(async simulation => {
    expect(await leaseInRows(simulation)).toHaveLength(4)
    await reconcile(simulation.ctx)
    const worker = startPurchaseWorker(simulation.ctx)
    await expect.poll(() => statesOf(simulation)).toEqual(new Set(['purchased']))
    await worker.stop()
    expect(await findViolations(simulation.database.db)).toEqual([])
  }))

test('a call without an answer is recorded when its lease has ended, with its own start and account', () =>
  withQueued(async simulation => {
    const { owner } = simulation.database
    await abandonClaims(simulation, 4, 'before asking')
    const open = await owner.pool.query(
      `update open_carrier_call set lease_until = now() - interval '1 second'
        returning order_id, round, attempt, fence, account, started_at::text`,
    )
    await reconcile(simulation.ctx)
    const recorded = await owner.pool
      .query(`select order_id, round, attempt, fence, account, started_at::text
      from carrier_call where outcome is null and finished_at is null order by order_id`)
    expect(recorded.rows).toEqual(open.rows.toSorted((a, b) => a.order_id - b.order_id))
    expect((await owner.pool.query('select from open_carrier_call')).rowCount).toBe(0)
  }))

test('labels that are being claimed during the reset after a restore are looked up like all others', () =>
  withQueued(async simulation => {
    const { owner } = simulation.database
    const busy = await owner.pool.connect()
    await busy.query('begin; select from shipment_order order by id limit 1 for update')
    const reset = simulation.database.tx(resetLabelsAfterRestore)
    await expect.poll(() => countWaiting(simulation)).toBe(1)
    const claimed = claim(simulation, 10)
    await expect.poll(() => countWaiting(simulation)).toBe(2)
    await busy.query('commit')
    busy.release()
    expect((await reset).open).toBe(4)
    expect(await claimed).toEqual([])
    expect(await labels(simulation)).toMatchObject(
      Array.from({ length: 4 }, () => ({ state: 'unknown' })),
    )
    expect(await findViolations(simulation.database.db)).toEqual([])
  }))

test('a call that belongs to no queued label is recorded, and stops no other look-up', () =>
  withQueued(async simulation => {
    const { owner } = simulation.database
    await abandonClaims(simulation, 4, 'before asking')
    // As after a defect.
    await owner.pool.query(
      `update shipment_order set fence = 99 where id = (select min(id) from shipment_order)`,
    )
    await owner.pool.query(`update open_carrier_call set lease_until = now() - interval '1 second'`)
    await reconcile(simulation.ctx)
    const worker = startPurchaseWorker(simulation.ctx)
    await expect.poll(() => statesOf(simulation)).toEqual(new Set(['purchased']))
    await worker.stop()
    const { rows } = await owner.pool.query(
      `select count(*) filter (where finished_at is null) as lost, count(*) as calls from carrier_call`,
    )
    expect(rows).toEqual([{ lost: 4, calls: 8 }])
  }))

test('the database lets no label leave the queue without a call', () =>
  withQueued(async ({ database }) => {
    for (const [state, number] of [
      ['purchased', `'9400'`],
      ['failed', 'null'],
      ['unknown', 'null'],
    ])
      await expect(
        database.owner.pool.query(
          `update shipment_order set state = '${state}', tracking_number = ${number}`,
        ),
      ).rejects.toThrow('is no step of a label')
  }))

test('labels that wait in the queue are bought at once when the clock is set back, but not before a wait that was asked for', () =>
  withQueued(async simulation => {
    const { pool } = simulation.database
    await pool.query(`update shipment_order set run_after = run_after + interval '30 minutes',
      queued_at = queued_at + interval '30 minutes', created_at = created_at + interval '30 minutes'`)
    const { rows } = await pool.query<{ id: number }>(
      `update shipment_order set run_after = run_after + interval '1 minute'
        where id = (select min(id) from shipment_order) returning id`,
    )
    const claimed = await claim(simulation, 10)
    expect(claimed).toHaveLength(3)
    expect(claimed).not.toContain(rows[0]!.id)
  }))

test('labels that were tried, calls without an answer and look-ups wait an hour at most when the clock is set back by a day', () =>
  withQueued(async simulation => {
    const { database } = simulation
    const isSetBack = async (table: string, ...columns: string[]): Promise<void> => {
      const later = columns.map(column => `${column} = ${column} + interval '1 day'`)
      await database.owner.pool.query(`update ${table} set ${later.join(', ')}`)
    }
    await database.pool.query('update shipment_order set attempt = 1')
    await isSetBack('shipment_order', 'run_after', 'queued_at', 'created_at')
    const called = await claim(simulation, 3)
    expect(called).toHaveLength(3)

    await isSetBack('open_carrier_call', 'lease_until', 'started_at')
    const { calls } = await database.tx(expireLeases)
    expect(calls.map(({ orderId }) => orderId).toSorted((a, b) => a - b)).toEqual(called)

    await isSetBack('shipment_order', 'run_after', 'unknown_since', 'answer_missing_at')
    const [waiting, lookedUp] = called
    const waits = (id: number, wait: string) =>
      database.pool.query(
        `update shipment_order set run_after = clock_timestamp() + $2::interval where id = $1`,
        [id, wait],
      )
    await waits(waiting!, '1 minute')
    await waits(lookedUp!, '0')
    await endFarWaits(database)
    const claims = await database.tx(tx =>
      claimUnknown(tx, ['sandbox'], { calls: 10, later: 0 }, 60_000),
    )
    expect(claims.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(called.slice(1))
    for (const { unknownMs, doubtMs } of claims)
      expect([unknownMs >= 0, doubtMs !== null && doubtMs >= 0]).toEqual([true, true])
  }))
