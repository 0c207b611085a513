/**
 * A bulk order through the whole product and a carrier adapter, with carrier faults that follow
 * from a seed.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { voidOrder } from '#contract/voids.ts'
import { findViolations } from '#server/ledger/service.ts'
import { testApp } from '#tests/support/app.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { LIVE_ENV } from '#tests/support/live-env.ts'
import { rows } from '#tests/support/rows.ts'
import type { SoldLabel } from './subject.ts'

const LABELS = 60
/** Rows with this in their second street line are refused. */
export const REFUSED_STREET2 = 'No such place'
const isRefused = (n: number): boolean => n % 15 === 0

/** Label files alone may keep a bulk order open for two minutes (`LABEL_FILE_PATIENCE_MS`). */
const COMPLETION_TIMEOUT_MS = 300_000

/** Of a hundred questions to buy, so many go wrong this way. */
const FAULT_PERCENTAGES: [CarrierBehavior, number][] = [
  ['resets-before', 6],
  ['resets-after', 8],
  ['error-after', 6],
  ['page-after', 4],
  ['cut-after', 5],
  ['nonsense-after', 5],
  ['late', 3],
  ['busy', 5],
]

/** The behavior for the `nth` request about a label: the same for the same seed. */
export function seededBehavior(
  seed: number,
): (about: string, isRefusedAddress: boolean) => CarrierBehavior {
  const asked = new Map<string, number>()
  return (about, isRefusedAddress) => {
    if (isRefusedAddress) return 'refuses'
    const nth = (asked.get(about) ?? 0) + 1
    asked.set(about, nth)
    let left =
      (createHash('sha256').update(`${seed} ${about} ${nth}`).digest().readUInt32BE() / 2 ** 32)
      * 100
    return FAULT_PERCENTAGES.find(([, share]) => (left -= share) < 0)?.[0] ?? 'fine'
  }
}

/** Opens the app with these carrier settings; `sold` reads the carrier's records. */
export async function openBulkOrderApp(settings: Record<string, string>, sold: () => SoldLabel[]) {
  const app = await testApp({ env: { ...LIVE_ENV, ...settings } })
  const ours = async () =>
    (
      await app.database.pool.query<{ id: string; tracking: string; cost: number }>(
        `select id, tracking_number as tracking, cost_cents as cost from shipment_order where state in ('purchased', 'voiding', 'voided')
      order by id`,
      )
    ).rows

  return {
    /** Buys a file of rows, voids some of its labels, and compares what was paid for with what was sold. */
    async buysEachLabelOnce(): Promise<void> {
      const ana = await app.register()
      await app.creditDollars(ana.user._id, 1_000)
      const {
        body: { orderId },
      } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
      const orderData = rows(LABELS, n => (isRefused(n) ? { ToStreet2: REFUSED_STREET2 } : {}))
      const accepted = await app.call(
        processBatch,
        { params: { userId: ana.user._id }, body: { orderId, orderData } },
        ana.token,
      )
      expect(accepted.status, accepted.body.message).toBe(202)

      const status = async () =>
        (await app.call(batchStatus, { params: { orderId } }, ana.token)).body
      await expect
        .poll(
          async () => {
            await expireQuarantines(app.database)
            return isTerminal((await status()).status)
          },
          { timeout: COMPLETION_TIMEOUT_MS, interval: 250 },
        )
        .toBe(true)

      const refused = orderData.filter(({ ToStreet2 }) => ToStreet2 === REFUSED_STREET2).length
      expect(await status()).toMatchObject({
        status: 'completed_with_errors',
        processedCount: LABELS,
        failedCount: refused,
      })
      const bought = await ours()
      expect(bought.map(({ tracking }) => tracking).toSorted()).toEqual(
        sold()
          .map(({ trackingNumber }) => trackingNumber)
          .toSorted(),
      )
      expect(new Set(bought.map(({ tracking }) => tracking)).size).toBe(LABELS - refused)
      expect(total(bought.map(({ cost }) => cost))).toBe(total(sold().map(({ cents }) => cents)))
      const {
        body: {
          user: { balance },
        },
      } = await app.call(verifySession, {}, ana.token)
      expect(balance).toBe(1_000 - (LABELS - refused) * 6.5)

      const unwanted = bought.slice(0, 3)
      for (const { id } of unwanted) {
        expect([200, 202]).toContain(
          (await app.call(voidOrder, { params: { orderId: id } }, ana.token)).status,
        )
      }
      // Callers without an immediate answer get it later.
      await expect
        .poll(
          () =>
            sold()
              .filter(({ isVoided }) => isVoided)
              .map(({ trackingNumber }) => trackingNumber)
              .toSorted(),
          { timeout: COMPLETION_TIMEOUT_MS },
        )
        .toEqual(unwanted.map(({ tracking }) => tracking).toSorted())
      expect(await findViolations(app.database.db)).toEqual([])
    },
  }
}

const total = (amounts: number[]): number => amounts.reduce((sum, one) => sum + one, 0)

/** Ages labels of unknown result, so that no test waits for minutes. */
const expireQuarantines = (
  database: Awaited<ReturnType<typeof testApp>>['database'],
): Promise<unknown> =>
  database.tx(tx =>
    sql`update shipment_order set unknown_since = unknown_since - interval '3 minutes'
    where state = 'unknown' and unknown_since > clock_timestamp() - interval '3 minutes'`.execute(
      tx,
    ),
  )
