import { createHash, randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { attemptKey } from '#server/carriers/port.ts'
import type {
  Attempt,
  Carrier,
  CarrierFailure,
  PurchaseResult,
  Purchase,
  Shipment,
} from '#server/carriers/port.ts'
import { POSTAL_SERVICES, findPostalService } from '#server/carriers/services.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { FaultPlan } from '#server/platform/fault-plan.ts'
import { parseCommand } from './commands.ts'
import { waitPastTimeout, BUSY, connectionReset, isBusy, SLOW_MS } from './faults.ts'
import { createSaleQueue } from './sale-queue.ts'
import { selectSalesOfAttempt, selectTurnover } from './store.ts'
import type { RecordedSale } from './store.ts'
import { createSandboxVoid } from './voids.ts'
import { withFaults } from './with-faults.ts'

/** What a label costs at the sandbox, whatever it weighs. */
const COSTS: Record<ServiceUid, Cents> = {
  'usps:GROUND_ADVANTAGE': cents(593),
  'usps:PRIORITY_MAIL': cents(690),
  'usps:PRIORITY_MAIL_EXPRESS': cents(2610),
}

/** It has one account, which everybody shares. */
export const SANDBOX_ACCOUNT = 'sandbox'

/** Its labels are drawn by us, its parcels go nowhere, and it takes as many questions as come. */
const SANDBOX_TRAITS = {
  name: 'sandbox',
  account: SANDBOX_ACCOUNT,
  rateLimit: null,
  callsPerLabel: 1,
  voidWindowMs: null,
  fetchLabel: null,
  track: null,
} satisfies Partial<Carrier>

/** What the play account held before anything was bought. */
const OPENING_BALANCE = cents(100_000_000)

/** `latencyMs` delays every answer (SANDBOX_CARRIER_LATENCY_MS); `faults` are those of a bad day (SANDBOX_CARRIER_FAULTS). */
export type SandboxOptions = { latencyMs: number; faults?: FaultPlan }

/** A carrier that sells nothing but specimens, yet as durably as a real one and as badly as it is told to (architecture, 7). */
export function sandboxCarrier(database: Database, options: SandboxOptions): Carrier {
  const carrier = reliableSandbox(database, options)
  return options.faults ? withFaults(carrier, database, options.faults) : carrier
}

function reliableSandbox(database: Database, options: SandboxOptions): Carrier {
  const { memory = 'key', quarantineMs = 0 } = options.faults ?? {}
  const counter = createSaleQueue(database)
  const voids = createSandboxVoid(database)

  async function sell(
    attempt: Attempt,
    shipment: Shipment,
    until: number,
  ): Promise<PurchaseResult> {
    const service = findPostalService(shipment.serviceUid)
    if (!service)
      return permanentFailure(
        'SERVICE_UNKNOWN',
        `The carrier does not offer ${shipment.serviceUid}`,
      )
    if (shipment.package.weight > service.maxWeight)
      return permanentFailure('TOO_HEAVY', `${service.name} takes at most ${service.maxWeight} lb`)
    const hash = shipmentHash(shipment)
    const sale = await counter(
      {
        // One without a memory for keys takes every question for a new wish.
        key: memory === 'key' ? attemptKey(attempt) : `${attemptKey(attempt)}~${randomUUID()}`,
        reference: attempt.reference,
        round: attempt.round,
        serviceUid: service.uid,
        cost: COSTS[service.uid],
        hash,
        command: parseCommand(shipment.receiver.street2),
      },
      until,
    )
    if (sale.hash !== hash)
      return permanentFailure('KEY_REUSED', 'The carrier knows this attempt with another shipment')
    return { ok: true, purchase: toPurchase(sale) }
  }

  return {
    ...SANDBOX_TRAITS,
    idempotency: memory,
    quarantineMs,
    services: async () => [...POSTAL_SERVICES],

    async purchase(attempt, shipment, signal) {
      // Who names a time after which nothing is sold any more keeps to it, however slow the machine is that he is played on.
      const until = quarantineMs > 0 ? performance.now() + quarantineMs / 3 : Infinity
      if (options.latencyMs > 0) await wait(options.latencyMs)
      switch (parseCommand(shipment.receiver.street2)) {
        case 'refuse':
          return undeliverable
        case 'refuse-once':
          return attempt.round === 1 ? undeliverable : sell(attempt, shipment, until)
        case 'busy':
          return (await isBusy(database, attemptKey(attempt)))
            ? { ok: false, ...BUSY }
            : sell(attempt, shipment, until)
        case 'lost':
          await sell(attempt, shipment, until)
          throw connectionReset()
        case 'late': {
          const outcome = await sell(attempt, shipment, until)
          await waitPastTimeout(signal)
          return outcome
        }
        case 'slow':
          await wait(SLOW_MS)
          return sell(attempt, shipment, until)
        default:
          return sell(attempt, shipment, until)
      }
    },

    async lookup(attempt) {
      if (options.latencyMs > 0) await wait(options.latencyMs)
      const [sale] = await selectSalesOfAttempt(database.db, attempt)
      return sale ? { found: 'purchased', purchase: toPurchase(sale) } : { found: 'not_purchased' }
    },

    async void(purchase, signal) {
      if (options.latencyMs > 0) await wait(options.latencyMs)
      return voids(purchase, signal)
    },

    async balance() {
      if (options.latencyMs > 0) await wait(options.latencyMs)
      return cents(OPENING_BALANCE - (await selectTurnover(database.db)))
    },
  }
}

const toPurchase = ({ trackingNumber, cost, voidedAt }: RecordedSale): Purchase => ({
  trackingNumber,
  costCents: cost,
  ...(voidedAt && { isVoided: true }),
})

/** Over what is shipped and nothing else: a caller may hand in a record that knows more, such as how often it was tried. */
const shipmentHash = ({ serviceUid, sender, receiver, package: parcel }: Shipment): string =>
  createHash('sha256')
    .update(JSON.stringify([serviceUid, sender, receiver, parcel]))
    .digest('base64url')

const permanentFailure = (code: string, message: string): CarrierFailure => ({
  ok: false,
  kind: 'permanent',
  code,
  message,
})
const undeliverable = permanentFailure('ADDRESS_UNDELIVERABLE', 'Address not deliverable')
