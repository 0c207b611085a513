import { expect, test } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import { getOrderWithTimeline } from '#server/admin/orders-service.ts'
import { endIfReady } from '#server/batches/close.ts'
import type { TrackingResult, CarrierVoidResult } from '#server/carriers/port.ts'
import { findOrder } from '#server/orders/store.ts'
import { orderWire } from '#server/orders/wire.ts'
import { startPurchaseWorker } from '#server/purchasing/worker.ts'
import { voidBatchLabels, getBatchVoids } from '#server/voids/batch-voids.ts'
import { voidMany, voidOne } from '#server/voids/service.ts'
import { processDueVoids } from '#server/voids/settle.ts'
import { voidUnusedLabels } from '#server/voids/unused-labels.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { pollParcels } from './jobs.ts'

const DAY_MS = 24 * 60 * 60_000
const WINDOW_MS = 30 * DAY_MS
const PRICE = 650

/**
 * A carrier that follows parcels and takes labels back for a month. `where`: what it says of each parcel, by the label's number, an
 * error where it does not answer; `voids`: what it says instead of voiding.
 */
type Desk = {
  asked: number[]
  where: Map<number, TrackingStatus | Error>
  voids: (id: number) => CarrierVoidResult | null
  follows: boolean
}
const SEEN_AT = new Date('2026-11-20T10:00:00Z')

const openDesk = (change: Partial<Desk> = {}): Desk => ({
  asked: [],
  where: new Map(),
  voids: () => null,
  follows: true,
  ...change,
})

const withCarrier = (desk: Desk, game: (place: Simulation) => Promise<void>): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier, config }) => ({
        config: { ...config, carrierTimeoutMs: 5_000 },
        carrier: {
          ...carrier,
          voidWindowMs: WINDOW_MS,
          track: !desk.follows
            ? null
            : async ({ attempt }): Promise<TrackingResult> => {
                const id = Number(attempt.reference)
                desk.asked.push(id)
                const status = desk.where.get(id) ?? 'pre_transit'
                if (status instanceof Error) throw status
                return { status, detail: `Seen: ${status}`, at: SEEN_AT }
              },
          void: async (bought, signal) =>
            desk.voids(Number(bought.attempt.reference)) ?? carrier.void(bought, signal),
        },
      }),
    },
    async place => {
      await setCustomerBalance(place, place.customerIds[0], 1_000_000)
      await game(place)
      expect(await findDiscrepancies(place.database)).toEqual([])
    },
  )

/** A bulk order, bought and ended. Returns its labels' numbers. */
async function bought(place: Simulation, commands: string[]): Promise<number[]> {
  await submitBatch(place, place.customerIds[0], commands)
  await startPurchaseWorker(place.ctx).stop()
  await endIfReady(place.ctx, place.batches[0]!)
  const { rows } = await place.database.pool.query<{ id: number }>(
    `select id from shipment_order where state = 'purchased' order by row_no`,
  )
  return rows.map(row => row.id)
}

/** So much later: labels are older, and what was to come has come nearer. */
async function later({ database: { pool } }: Simulation, days: number): Promise<void> {
  const ms = days * DAY_MS
  await pool.query(
    `update shipment_order set run_after = run_after - $1 * interval '1 millisecond',
    purchased_at = purchased_at - $1 * interval '1 millisecond'`,
    [ms],
  )
  await pool.query(
    `update parcel_tracking set next_check_at = next_check_at - $1 * interval '1 millisecond',
    auto_void_at = auto_void_at - $1 * interval '1 millisecond'`,
    [ms],
  )
}

const ana = (place: Simulation) => ({
  userId: place.customerIds[0],
  role: 'user' as const,
  sessionId: 0,
  impersonatorId: null,
})
const states = async (place: Simulation, ids: number[]) =>
  (await Promise.all(ids.map(id => findOrder(place.database.db, id)))).map(one => one!.state)
const parcel = async (place: Simulation, id: number) => {
  const {
    rows: [row],
  } = await place.database.pool.query<{
    status: string
    in_hours: number | null
    is_watched: boolean
  }>(
    `select status, round(extract(epoch from next_check_at - clock_timestamp()) / 3600)::int as in_hours, auto_void_at is not null as is_watched
      from parcel_tracking where order_id = $1`,
    [id],
  )
  return row!
}
/** The carrier is asked until it has answered to every void. */
async function allAnswered(place: Simulation): Promise<void> {
  await expect
    .poll(
      async () => {
        await processDueVoids(place.ctx)
        const { rows } = await place.database.pool.query(
          `select 1 from shipment_order where state = 'voiding'`,
        )
        return rows.length
      },
      { interval: 100 },
    )
    .toBe(0)
}
const requests = async ({ database }: Simulation) =>
  (
    await database.pool.query<{ actor: number | null; detail: object }>(
      `select actor_id as actor, detail from audit_entry where action = 'void-requested' order by id`,
    )
  ).rows
const notes = async ({ database }: Simulation) =>
  (
    await database.pool.query<{ reason: string | null }>(
      `select reason from transfer where kind = 'refund'`,
    )
  ).rows.map(row => row.reason)
const spent = async ({ database }: Simulation) =>
  (
    await database.pool.query<{ cents: number }>(
      `select coalesce(sum(case kind when 'capture' then cents else -cents end), 0)::bigint as cents
    from transfer where kind in ('capture', 'refund')`,
    )
  ).rows[0]!.cents

test('a parcel is looked for some hours after its label was bought, until it has arrived', async () => {
  const desk = openDesk()
  await withCarrier(desk, async place => {
    const [one, two] = await bought(place, ['', '', 'SANDBOX REFUSE'])
    expect(await parcel(place, one!)).toEqual({ status: 'unknown', in_hours: 6, is_watched: true })
    await pollParcels(place.ctx)
    expect(desk.asked).toEqual([])
    expect(orderWire((await findOrder(place.database.db, one!))!, true).tracking).toBeNull()

    desk.where.set(one!, 'in_transit').set(two!, new Error('reset'))
    await later(place, 1)
    await pollParcels(place.ctx)
    expect(await parcel(place, one!)).toMatchObject({ status: 'in_transit', in_hours: 3 })
    expect(await parcel(place, two!)).toMatchObject({ status: 'unknown', in_hours: 0 })
    expect(orderWire((await findOrder(place.database.db, one!))!, true).tracking).toEqual({
      status: 'in_transit',
      detail: 'Seen: in_transit',
      at: SEEN_AT.toISOString(),
    })

    desk.where.set(one!, 'delivered').set(two!, 'unknown')
    await later(place, 1)
    await pollParcels(place.ctx)
    expect(await parcel(place, one!)).toMatchObject({ status: 'delivered', in_hours: null })
    expect(await parcel(place, two!)).toMatchObject({ status: 'unknown', in_hours: 6 })
    desk.asked.length = 0
    await later(place, 1)
    await pollParcels(place.ctx)
    expect(desk.asked).toEqual([two])
  })
})

test('a carrier that has lost sight of a parcel does not make its label an unused one', async () => {
  const desk = openDesk()
  await withCarrier(desk, async place => {
    const [one] = await bought(place, [''])
    for (const status of ['in_transit', 'unknown'] as const) {
      desk.where.set(one!, status)
      await later(place, 1)
      await pollParcels(place.ctx)
    }
    expect(await parcel(place, one!)).toMatchObject({ status: 'in_transit' })
    await expect(voidOne(place.ctx, ana(place), one!)).rejects.toMatchObject({
      code: 'conflict',
      message: /on its way/,
    })
    expect(await requests(place)).toEqual([])
  })
})

test('27 days are no month: nothing is voided before its time, nor where the operator does not want it', async () => {
  await withCarrier(openDesk(), async place => {
    const ids = await bought(place, ['', ''])
    await later(place, 27)
    await voidUnusedLabels(place.ctx)
    expect(await states(place, ids)).toEqual(['purchased', 'purchased'])
    await later(place, 1.1)
    await voidUnusedLabels({ ...place.ctx, config: { ...place.ctx.config, voidUnused: false } })
    expect(await states(place, ids)).toEqual(['purchased', 'purchased'])
  })
})

test('labels that nobody has used are paid back before the carrier’s window ends; used ones are not', async () => {
  const desk = openDesk()
  await withCarrier(desk, async place => {
    const [used, unused] = await bought(place, ['', ''])
    desk.where.set(used!, 'in_transit')
    await later(place, 28.1)
    await voidUnusedLabels(place.ctx)
    await voidUnusedLabels(place.ctx)
    await allAnswered(place)
    expect(desk.asked.toSorted((a, b) => a - b)).toEqual([used, unused])
    expect(await states(place, [used!, unused!])).toEqual(['purchased', 'voided'])
    expect(await requests(place)).toEqual([
      { actor: null, detail: { orderId: unused, automatic: true } },
    ])
    expect(await notes(place)).toEqual(['Unused label: refunded before the carrier’s window ended'])
    expect(await spent(place)).toBe(PRICE)
    const told = async (id: number) =>
      (await getOrderWithTimeline(place.database.db, id)).timeline.map(step => step.text)
    expect(await told(used!)).toContain('Parcel: In transit')
    expect(await told(unused!)).toContain('Void requested automatically: the label was never used')
    expect(
      [await parcel(place, used!), await parcel(place, unused!)].map(
        ({ is_watched }) => is_watched,
      ),
    ).toEqual([false, false])
  })
})

test('a carrier that follows no parcels gets no label back by itself: it may have been used', async () => {
  await withCarrier(openDesk({ follows: false }), async place => {
    const ids = await bought(place, ['', ''])
    await later(place, 29.5)
    await voidUnusedLabels(place.ctx)
    expect(await states(place, ids)).toEqual(['purchased', 'purchased'])
    expect(await voidBatchLabels(place.customerCtx, ana(place), place.batches[0]!)).toMatchObject({
      refused: 0,
      skipped: 0,
    })
    await allAnswered(place)
    expect(await states(place, ids)).toEqual(['voided', 'voided'])
    expect(await notes(place)).toEqual([null, null])
  })
})

test('while the carrier does not say where a parcel is the void waits; when time runs short its last word counts', async () => {
  const desk = openDesk()
  await withCarrier(desk, async place => {
    const [seenBefore, neverSeen] = await bought(place, ['', ''])
    desk.where.set(neverSeen!, new Error('reset'))
    await later(place, 1)
    await pollParcels(place.ctx)
    desk.where.set(seenBefore!, new Error('reset'))
    await later(place, 27.1)
    await voidUnusedLabels(place.ctx)
    expect(await states(place, [seenBefore!, neverSeen!])).toEqual(['purchased', 'purchased'])
    await later(place, 1)
    await voidUnusedLabels(place.ctx)
    await allAnswered(place)
    expect(await states(place, [seenBefore!, neverSeen!])).toEqual(['voided', 'purchased'])
    await later(place, 1)
    await voidUnusedLabels(place.ctx)
    expect(await parcel(place, neverSeen!)).toMatchObject({ is_watched: false })
    expect(await states(place, [neverSeen!])).toEqual(['purchased'])
  })
})

test('a process dies between the question and the wish: another one follows it, and the money comes back once', async () => {
  const desk = openDesk()
  await withCarrier(desk, async place => {
    const [one] = await bought(place, [''])
    await later(place, 28.1)
    let dies = true
    const { tx } = place.database
    const dying: typeof tx = work =>
      dies && desk.asked.length > 0 ? Promise.reject(new Error('killed')) : tx(work)
    await expect(
      voidUnusedLabels({ ...place.ctx, database: { ...place.database, tx: dying } }),
    ).rejects.toThrow('killed')
    expect(await states(place, [one!])).toEqual(['purchased'])
    dies = false
    await voidUnusedLabels(place.ctx)
    expect(await states(place, [one!])).toEqual(['purchased']) // in the dead one's hands
    await later(place, 0.02)
    await Promise.all([voidUnusedLabels(place.ctx), voidUnusedLabels(place.ctx)])
    await Promise.all([processDueVoids(place.ctx), processDueVoids(place.ctx)])
    await allAnswered(place)
    expect(await states(place, [one!])).toEqual(['voided'])
    expect(await spent(place)).toBe(0)
  })
})

test.each([1, 2, 3])(
  'the house and its owner want the same labels voided at the same moment (turn %i)',
  async () => {
    await withCarrier(openDesk(), async place => {
      const ids = await bought(place, Array<string>(12).fill(''))
      await later(place, 28.1)
      await Promise.all([
        voidUnusedLabels(place.ctx),
        voidMany(place.ctx, ana(place), ids),
        voidUnusedLabels(place.ctx),
        voidBatchLabels(place.ctx, ana(place), place.batches[0]!),
      ])
      await allAnswered(place)
      expect(new Set(await states(place, ids))).toEqual(new Set(['voided']))
      expect(await spent(place)).toBe(0)
      expect(await notes(place)).toHaveLength(12)
    })
  },
)

test('a parcel that is scanned after its void was asked for: the carrier decides, once', async () => {
  const desk = openDesk({ voids: () => ({ kind: 'submitted' }) })
  await withCarrier(desk, async place => {
    const [one] = await bought(place, [''])
    const { order: waiting, void: status } = await voidOne(place.ctx, ana(place), one!)
    expect([status, orderWire(waiting, true).voidSubmittedAt]).toEqual([
      'requested',
      expect.any(String),
    ])
    desk.where.set(one!, 'in_transit')
    await later(place, 1)
    await pollParcels(place.ctx)
    desk.voids = () => ({ kind: 'permanent', code: 'USED', message: 'The label was used' })
    await later(place, 1)
    await allAnswered(place)
    expect(await states(place, [one!])).toEqual(['purchased'])
    await expect(voidOne(place.ctx, ana(place), one!)).rejects.toMatchObject({ code: 'conflict' })
    expect(await requests(place)).toHaveLength(1)
    expect(await spent(place)).toBe(PRICE)
  })
})

test('all unused labels of a bulk order are voided together, and the second click finds nothing to do', async () => {
  const desk = openDesk()
  await withCarrier(desk, async place => {
    const ids = await bought(place, [
      '',
      'SANDBOX NOVOID',
      '',
      'SANDBOX REFUSE',
      ...Array<string>(20).fill(''),
    ])
    desk.where.set(ids[0]!, 'out_for_delivery')
    await later(place, 1)
    await pollParcels(place.ctx)
    const [batch] = place.batches
    const voids = () => getBatchVoids(place.ctx, ana(place), batch!)
    expect(await voids()).toEqual({
      unused: 22,
      amount: 22 * PRICE,
      refused: 0,
      voiding: 0,
      voided: 0,
      underWay: 1,
    })

    const [first, second] = await Promise.all(
      [1, 2].map(() => voidBatchLabels(place.ctx, ana(place), batch!)),
    )
    const asked = [first!, second!].map(
      ({ requested, voided, refused }) => requested + voided + refused,
    )
    expect(asked.toSorted((a, b) => a - b)).toEqual([0, 22])
    expect([first!.skipped, second!.skipped]).toEqual([1, 1])
    await allAnswered(place)
    expect(await voids()).toEqual({
      unused: 1,
      amount: PRICE,
      refused: 1,
      voiding: 0,
      voided: 21,
      underWay: 1,
    })
    expect(await spent(place)).toBe(2 * PRICE)
    expect((await requests(place))[0]!.detail).toEqual({ batchId: batch, labels: 22 })
  })
})

test('what the carrier has not answered in time is asked for by the worker, and is still paid back', async () => {
  const desk = openDesk({ voids: () => ({ kind: 'submitted' }) })
  await withCarrier(desk, async place => {
    const ids = await bought(place, Array<string>(30).fill(''))
    expect(await voidBatchLabels(place.customerCtx, ana(place), place.batches[0]!)).toEqual({
      requested: 30,
      voided: 0,
      refused: 0,
      skipped: 0,
    })
    expect(await getBatchVoids(place.ctx, ana(place), place.batches[0]!)).toMatchObject({
      unused: 0,
      voiding: 30,
    })
    desk.voids = () => null
    await later(place, 1)
    await allAnswered(place)
    expect(new Set(await states(place, ids))).toEqual(new Set(['voided']))
    expect(await spent(place)).toBe(0)
  })
})

test('a stranger sees and voids nothing of it, an operator may, and nobody while it is at work', async () => {
  await withCarrier(openDesk(), async place => {
    await submitBatch(place, place.customerIds[0], ['', ''])
    const [batch] = place.batches
    const operator = { ...ana(place), userId: place.operator, role: 'admin' as const }
    await expect(voidBatchLabels(place.ctx, operator, batch!)).rejects.toMatchObject({
      code: 'conflict',
    })
    await startPurchaseWorker(place.ctx).stop()
    await endIfReady(place.ctx, batch!)
    const ben = { ...ana(place), userId: place.customerIds[1] }
    await expect(voidBatchLabels(place.ctx, ben, batch!)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(getBatchVoids(place.ctx, ben, batch!)).rejects.toMatchObject({ code: 'not_found' })
    const { requested, voided } = await voidBatchLabels(place.ctx, operator, batch!)
    expect(requested + voided).toBe(2)
    await allAnswered(place)
    expect((await requests(place))[0]!.actor).toBe(place.operator)
  })
})
