import { expect } from 'vitest'
import { cents } from '#contract/money.ts'
import type { CarrierVoidResult, PurchaseLookupResult } from '#server/carriers/port.ts'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import { findViolations, walletOf } from '#server/ledger/service.ts'
import { resolveLabelManually } from '#server/purchasing/manual-resolution.ts'
import type { LabelResolution } from '#server/purchasing/manual-resolution.ts'
import { startPurchaseWorker } from '#server/purchasing/worker.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { advanceTime, setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'

export const BALANCE = 10_000
export const DAY_MS = 24 * 60 * 60_000
export const SOLD = {
  outcome: 'sold' as const,
  trackingNumber: sandboxTracking(4_711),
  cost: cents(593),
} satisfies LabelResolution
export const NOT_SOLD: LabelResolution = { outcome: 'not-sold' }
export const REASON = 'The carrier told us by telephone'

/** The answers of a carrier. `later`: for later rounds. `gate`: answers wait for it. */
export type SilentCarrier = {
  found: PurchaseLookupResult
  later: PurchaseLookupResult
  voids: CarrierVoidResult
  gate: Promise<void> | null
  asked: number
}

export async function withSilentCarrier(
  run: (simulation: Simulation, carrier: SilentCarrier) => Promise<void>,
): Promise<void> {
  const answers: SilentCarrier = {
    found: { found: 'unknown' },
    later: { found: 'unknown' },
    voids: { kind: 'submitted' },
    gate: null,
    asked: 0,
  }
  await withSimulation(
    {
      change: ({ carrier }) => ({
        carrier: {
          ...carrier,
          lookup: async ({ round }) => {
            answers.asked++
            await answers.gate
            return round === 1 ? answers.found : answers.later
          },
          void: async () => {
            answers.asked++
            await answers.gate
            return answers.voids
          },
          fetchLabel: async () => ({
            kind: 'not_yet',
            code: 'WAIT',
            message: 'The label is being created',
          }),
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], BALANCE)
      await run(simulation, answers)
      expect(await findViolations(simulation.database.db)).toEqual([])
      expect(simulation.errors).toEqual([])
    },
  )
}

export const runWorker = ({ ctx }: Simulation): Promise<void> => startPurchaseWorker(ctx).stop()
export const readLabels = async ({ database }: Simulation) =>
  (
    await database.pool.query<{
      id: number
      state: string
      round: number
      tracking: string | null
      cost: number | null
      reason: string | null
      refused: string | null
    }>(`select id, state, round, tracking_number as tracking, cost_cents as cost, reason, void_reason as refused
      from shipment_order order by id`)
  ).rows
export const walletOfCustomer = ({ database, customerIds }: Simulation) =>
  walletOf(database.db, customerIds[0])
export const auditEntries = async ({ database }: Simulation, action: string) =>
  await database.db
    .selectFrom('audit_entry')
    .select(['actor_id as actor', 'subject_id as subject', 'detail'])
    .where('action', '=', action)
    .execute()

/** A bulk order whose second label has had no answer for `sinceMs`. */
export async function createUnknownLabel(simulation: Simulation, sinceMs: number): Promise<number> {
  await submitBatch(simulation, simulation.customerIds[0], ['', 'SANDBOX LOST'])
  await runWorker(simulation)
  await advanceTime(simulation, sinceMs)
  const [, label] = await readLabels(simulation)
  expect(label!.state).toBe('unknown')
  return label!.id
}
export const conflict = (words: string) => ({
  status: 409,
  message: expect.stringContaining(words) as string,
})
export const resolveLabel = (simulation: Simulation, id: number, resolution: LabelResolution) =>
  resolveLabelManually(simulation.ctx, simulation.operator, id, resolution, REASON)
