import { expect } from 'vitest'
import type { TrackingStatus } from '#contract/tracking.ts'
import { endIfReady } from '#server/batches/close.ts'
import type { CarrierVoidResult, TrackingResult } from '#server/carriers/port.ts'
import { findOrder } from '#server/orders/service.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import { payDueRefunds } from '#server/voids/delayed-refunds.ts'
import { voidOne } from '#server/voids/service.ts'
import { processDueVoids } from '#server/voids/settle.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { findDiscrepancies } from './discrepancies.ts'
import { settleLabels } from './settle-labels.ts'
import { walletOfCustomer } from './silent-carrier.ts'

const DAY_MS = 24 * 60 * 60_000
const WINDOW_MS = 30 * DAY_MS
const FIRST_TRACK_MS = 6 * 60 * 60_000
export const PRICE = 650

/**
 * A carrier that tracks parcels and accepts voids for 30 days. `statuses`: by order id, a whole answer, a later one, or an error for none.
 * `voidAnswer`: an answer instead of a void. `refundDelayDays`: of the installation. `tracks`: false for a carrier without tracking.
 */
export type TrackingCarrier = {
  calls: number[]
  statuses: Map<number, TrackingStatus | TrackingResult | Error | Promise<TrackingStatus>>
  voidAnswer: (id: number) => CarrierVoidResult | null
  tracks: boolean
  refundDelayDays: number
}
export const SEEN_AT = new Date('2026-11-20T10:00:00Z')

export const trackingCarrier = (change: Partial<TrackingCarrier> = {}): TrackingCarrier => ({
  calls: [],
  statuses: new Map(),
  voidAnswer: () => null,
  tracks: true,
  refundDelayDays: 0,
  ...change,
})

export const DELAY_DAYS = 5
/** Of an installation that gives refunds back so many days after the carrier has confirmed a void. */
export const delayingCarrier = (): TrackingCarrier =>
  trackingCarrier({ refundDelayDays: DELAY_DAYS })

export const withCarrier = (
  tracking: TrackingCarrier,
  run: (simulation: Simulation) => Promise<void>,
): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier, config }) => ({
        config: {
          ...config,
          // Not reached on a slow machine, and less than a label's lease.
          carrierTimeoutMs: 12_000,
          refundDelayDays: tracking.refundDelayDays,
        },
        carrier: {
          ...carrier,
          voidWindowMs: WINDOW_MS,
          firstTrackMs: () => FIRST_TRACK_MS,
          track: !tracking.tracks
            ? null
            : async ({ attempt }): Promise<TrackingResult> => {
                const id = Number(attempt.reference)
                tracking.calls.push(id)
                const status = await (tracking.statuses.get(id) ?? 'pre_transit')
                if (status instanceof Error) throw status
                if (typeof status === 'object') return status
                return { status, detail: `Seen: ${status}`, at: SEEN_AT }
              },
          void: async (purchase, signal) =>
            tracking.voidAnswer(Number(purchase.attempt.reference))
            ?? carrier.void(purchase, signal),
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], 1_000_000)
      await run(simulation)
      expect(await findDiscrepancies(simulation.database)).toEqual([])
    },
  )

/** Buys a bulk order and finishes it. Returns the ids of the bought labels. */
export async function buyBatch(simulation: Simulation, commands: string[]): Promise<number[]> {
  await submitBatch(simulation, simulation.customerIds[0], commands)
  await settleLabels(simulation)
  await endIfReady(simulation.ctx, simulation.batches[0]!)
  const { rows } = await simulation.database.pool.query<{ id: number }>(
    `select id from shipment_order where state = 'purchased' order by row_no`,
  )
  return rows.map(row => row.id)
}

/** Moves all times of labels and parcels into the past. */
export async function passDays({ database: { pool } }: Simulation, days: number): Promise<void> {
  const ms = days * DAY_MS
  await pool.query(
    `update shipment_order set run_after = run_after - $1 * interval '1 millisecond',
    purchased_at = purchased_at - $1 * interval '1 millisecond', voided_at = voided_at - $1 * interval '1 millisecond',
    void_confirmed_at = void_confirmed_at - $1 * interval '1 millisecond', refund_due_at = refund_due_at - $1 * interval '1 millisecond'`,
    [ms],
  )
  await pool.query(
    `update parcel_tracking set next_check_at = next_check_at - $1 * interval '1 millisecond',
    auto_void_at = auto_void_at - $1 * interval '1 millisecond', void_check_at = void_check_at - $1 * interval '1 millisecond',
    last_checked_at = last_checked_at - $1 * interval '1 millisecond'`,
    [ms],
  )
}

export const customer = (simulation: Simulation) => ({
  userId: simulation.customerIds[0],
  role: 'user' as const,
  sessionId: 0,
  impersonatorId: null,
  key: null,
})
export const voidLabel = (simulation: Simulation, id: number) =>
  voidOne(simulation.ctx, customer(simulation), id)
/** What a worker does about voids and their parcels. */
export async function workOnVoids({ ctx }: Pick<Simulation, 'ctx'>): Promise<void> {
  await pollParcels(ctx)
  await processDueVoids(ctx)
  await payDueRefunds(ctx)
}
export const availableCents = async (simulation: Simulation) =>
  (await walletOfCustomer(simulation)).available
export const labelStates = async (simulation: Simulation, ids: number[]) =>
  (await Promise.all(ids.map(id => findOrder(simulation.database.db, id)))).map(one => one!.state)
export const trackingOf = async (simulation: Simulation, id: number) => {
  const {
    rows: [row],
  } = await simulation.database.pool.query<{
    status: string
    in_hours: number | null
    is_watched: boolean
  }>(
    `select status, round(extract(epoch from next_check_at - clock_timestamp()) / 3600)::int as in_hours,
        auto_void_at is not null as is_watched
      from parcel_tracking where order_id = $1`,
    [id],
  )
  return row!
}
/** Processes voids until the carrier has decided on all. */
export async function settleAllVoids(simulation: Simulation): Promise<void> {
  await expect
    .poll(
      async () => {
        await processDueVoids(simulation.ctx)
        const { rows } = await simulation.database.pool.query(
          `select 1 from shipment_order where state = 'voiding'`,
        )
        return rows.length
      },
      { interval: 100 },
    )
    .toBe(0)
}
export const voidRequests = async ({ database }: Simulation) =>
  (
    await database.pool.query<{ actor: number | null; detail: object }>(
      `select actor_id as actor, detail from audit_entry where action = 'void-requested' order by id`,
    )
  ).rows
export const refundNotes = async ({ database }: Simulation) =>
  (
    await database.pool.query<{ reason: string | null }>(
      `select reason from transfer where kind = 'refund'`,
    )
  ).rows.map(row => row.reason)
export const spentCents = async ({ database }: Simulation) =>
  (
    await database.pool.query<{ cents: number }>(
      `select coalesce(sum(case kind when 'capture' then cents else -cents end), 0)::bigint as cents
    from transfer where kind in ('capture', 'refund')`,
    )
  ).rows[0]!.cents
