/** The sandbox with the faults of a plan (fault-plan.ts). */
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { attemptKey } from '#server/carriers/port.ts'
import type { Carrier, PurchaseResult, ScanForms } from '#server/carriers/port.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { FaultPlan } from './fault-plan.ts'
import { waitPastTimeout, BUSY, connectionReset } from './faults.ts'
import { countCall } from './store.ts'

const FAULTS = [
  'resetBefore',
  'resetAfter',
  'errorAfter',
  'late',
  'nonsense',
  'busy',
  'registersLate',
] as const
export type Fault = (typeof FAULTS)[number]

/** The fault of the `nth` call under a key; deterministic. */
export function faultFor(plan: FaultPlan, key: string, nth: number): Fault | null {
  let left = seededFraction(plan.seed, `${key}:${nth}`)
  return FAULTS.find(fault => (left -= plan[fault]) < 0) ?? null
}

/** A number in [0, 1) from the seed and the text. */
const seededFraction = (seed: number, text: string): number =>
  createHash('sha256').update(`${seed}:${text}`).digest().readUInt32BE() / 2 ** 32

/** Responses of a broken connection, in turn. */
const INVALID_RESPONSES: unknown[] = [
  undefined,
  '<html><h1>It works!</h1></html>',
  { ok: true },
  { ok: true, purchase: { trackingNumber: '', costCents: 593 } },
  { ok: true, purchase: { trackingNumber: '98', costCents: -1 } },
  { ok: 'maybe' },
  { ok: false, kind: 'perhaps' },
]
const SERVER_ERROR: PurchaseResult = {
  ok: false,
  kind: 'unknown',
  code: '500',
  message: 'The carrier had an error',
}

/** Adds the plan's faults. Call counts are stored, so a crash changes nothing. */
export function withFaults(carrier: Carrier, database: Database, plan: FaultPlan): Carrier {
  let openedAt: number | undefined
  let lookedUp = 0
  const isDown = (): boolean => {
    const now = performance.now()
    return now - (openedAt ??= now) < plan.downForMs
  }
  const { silentAfterPurchases = Infinity, silentAfterVoids = Infinity } = plan
  let purchases = 0
  let voids = 0
  const hang = async (signal: AbortSignal): Promise<never> => {
    await waitPastTimeout(signal)
    throw connectionReset()
  }
  return {
    ...carrier,
    async purchase(attempt, shipment, signal) {
      if (isDown()) throw connectionReset()
      if (++purchases > silentAfterPurchases) return hang(signal)
      const key = attemptKey(attempt)
      const askedAt = performance.now()
      const nth = await database.tx(tx => countCall(tx, `asked:${key}`))
      const fault = faultFor(plan, key, nth)
      const isLaterThan = (ms: number): boolean =>
        plan.quarantineMs > 0 && performance.now() - askedAt > ms + plan.quarantineMs / 3
      if (isLaterThan(0) || fault === 'resetBefore') throw connectionReset()
      if (fault === 'busy') return { ok: false, ...BUSY }
      if (fault === 'registersLate') {
        const registered = async (): Promise<unknown> => {
          await wait(plan.registersAfterMs)
          // Where the process stood still, a look-up may have said for good by now that nothing was sold.
          if (isLaterThan(plan.registersAfterMs)) return undefined
          return carrier.purchase(attempt, shipment, new AbortController().signal)
        }
        // The database may be closed by then; the sale was never recorded.
        void registered().catch(() => {})
        throw connectionReset()
      }
      const outcome = await carrier.purchase(attempt, shipment, signal)
      if (fault === 'resetAfter') throw connectionReset()
      if (fault === 'errorAfter') return SERVER_ERROR
      if (fault === 'nonsense')
        return INVALID_RESPONSES[
          Math.floor(seededFraction(plan.seed, key) * INVALID_RESPONSES.length)
        ] as PurchaseResult
      if (fault === 'late') await waitPastTimeout(signal)
      return outcome
    },
    async lookup(attempt, signal) {
      if (
        isDown()
        || seededFraction(plan.seed, `look-up:${attemptKey(attempt)}:${lookedUp++}`)
          < plan.silentLookUp
      )
        throw connectionReset()
      return carrier.lookup(attempt, signal)
    },
    async void(purchase, signal) {
      if (isDown()) throw connectionReset()
      const response = await carrier.void(purchase, signal)
      if (response.kind === 'voided' && ++voids > silentAfterVoids) return hang(signal)
      return response
    },
    ...(carrier.scanForms && { scanForms: formsWithFaults(carrier.scanForms, plan, hang) }),
  }
}

type Hang = (signal: AbortSignal) => Promise<never>

function formsWithFaults(
  forms: ScanForms,
  { silentAfterScanForms = Infinity, tellsScanForms }: FaultPlan,
  hang: Hang,
): ScanForms {
  let made = 0
  return {
    ...forms,
    async make(request, signal) {
      const result = await forms.make(request, signal)
      return ++made > silentAfterScanForms ? hang(signal) : result
    },
    lookup: tellsScanForms ? forms.lookup : null,
  }
}
