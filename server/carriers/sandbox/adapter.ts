import { hash, randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { kindsOf } from '#contract/label-options.ts'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { attemptKey } from '#server/carriers/port.ts'
import type { Attempt, Carrier, PurchaseResult, Purchase, Shipment } from '#server/carriers/port.ts'
import { POSTAL_SERVICES, findPostalService } from '#server/carriers/services.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import { permanentFailure } from '#server/carriers/wire/failures.ts'
import type { Database } from '#server/platform/database/database.ts'
import { parseCommand } from './commands.ts'
import type { FaultPlan } from './fault-plan.ts'
import { waitPastTimeout, BUSY, connectionReset, isBusy, SLOW_MS } from './faults.ts'
import { FIRST_SCAN_MS, isParcelCommand, sandboxParcel } from './parcels.ts'
import { createSaleQueue } from './sale-queue.ts'
import { sandboxScanForms } from './scan-forms.ts'
import { selectSalesOfAttempt, selectTurnover } from './store.ts'
import type { RecordedSale } from './store.ts'
import { createSandboxVoid } from './voids.ts'
import { withFaults } from './with-faults.ts'

/** Cost per label in the sandbox, independent of weight. */
const COSTS: Record<ServiceUid, Cents> = {
  'usps:GROUND_ADVANTAGE': cents(593),
  'usps:PRIORITY_MAIL': cents(690),
  'usps:PRIORITY_MAIL_EXPRESS': cents(2610),
}

export const SANDBOX_ACCOUNT = 'sandbox'

/** Labels drawn by us, no rate limit. */
const SANDBOX_TRAITS = {
  name: 'sandbox',
  account: SANDBOX_ACCOUNT,
  rateLimit: null,
  callsPerLabel: 1,
  voidWindowMs: null,
  labelFormats: [],
  fetchLabel: null,
  firstTrackMs: ({ street2 }) => (isParcelCommand(parseCommand(street2)) ? FIRST_SCAN_MS : null),
} satisfies Partial<Carrier>

/** The sandbox account's initial balance. */
const OPENING_BALANCE = cents(100_000_000)

/**
 * `latencyMs` delays every response (SANDBOX_CARRIER_LATENCY_MS); `faults` is
 * SANDBOX_CARRIER_FAULTS.
 */
export type SandboxOptions = { latencyMs: number; faults?: FaultPlan }

/** A carrier that sells only specimens: durable like a real one, with faults on request. */
export function sandboxCarrier(database: Database, options: SandboxOptions): Carrier {
  const carrier = reliableSandbox(database, options)
  return options.faults ? withFaults(carrier, database, options.faults) : carrier
}

type Sell = (attempt: Attempt, shipment: Shipment, until: number) => Promise<PurchaseResult>

/** Sells through the sale queue; `until` (ms, performance.now()) is the end of the attempt's sale. */
function createSell(database: Database, memory: FaultPlan['memory'] | 'key'): Sell {
  const insertSale = createSaleQueue(database)
  return async (attempt, shipment, until) => {
    const service = findPostalService(shipment.serviceUid)
    if (!service)
      return permanentFailure(
        'SERVICE_UNKNOWN',
        `The carrier does not offer ${shipment.serviceUid}`,
      )
    if (shipment.package.weight > service.maxWeight)
      return permanentFailure('TOO_HEAVY', `${service.name} takes at most ${service.maxWeight} lb`)
    const shipped = shipmentHash(shipment)
    const sale = await insertSale(
      {
        // Without memory for keys, every call is a new sale.
        key: memory === 'key' ? attemptKey(attempt) : `${attemptKey(attempt)}~${randomUUID()}`,
        reference: attempt.reference,
        round: attempt.round,
        serviceUid: service.uid,
        cost: COSTS[service.uid],
        hash: shipped,
        command: parseCommand(shipment.receiver.street2),
      },
      until,
    )
    if (sale.hash !== shipped)
      return permanentFailure('KEY_REUSED', 'The carrier knows this attempt with another shipment')
    return { ok: true, purchase: toPurchase(sale) }
  }
}

const quote: NonNullable<Carrier['quote']> = async ({ serviceUid }) => {
  const service = findPostalService(serviceUid)
  return service
    ? { ok: true, costCents: COSTS[service.uid] }
    : permanentFailure('SERVICE_UNKNOWN', `The carrier does not offer ${serviceUid}`)
}

function reliableSandbox(database: Database, options: SandboxOptions): Carrier {
  const { memory = 'key', quarantineMs = 0 } = options.faults ?? {}
  const sell = createSell(database, memory)
  const voids = createSandboxVoid(database)

  return {
    ...SANDBOX_TRAITS,
    idempotency: memory,
    quarantineMs,
    services: async () => [...POSTAL_SERVICES],
    quote,
    options: () => ({ signature: true, adult: true, saturday: true }),

    async purchase(attempt, shipment, signal) {
      // Nothing is sold after this time, however slow the machine: a third of the quarantine.
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

    async track({ attempt }) {
      if (options.latencyMs > 0) await wait(options.latencyMs)
      const [sale] = await selectSalesOfAttempt(database.db, attempt)
      if (!sale) throw new Error('The sandbox sold no such label')
      return sandboxParcel(sale, Date.now())
    },

    scanForms: sandboxScanForms(database),

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

/** Hashes only what is shipped: the caller's record may have more fields, such as its attempt. */
function shipmentHash({ serviceUid, sender, receiver, package: parcel, ...asked }: Shipment) {
  const options = kindsOf({ signature: asked.signature ?? 'none', saturday: !!asked.saturday })
  return hash(
    'sha256',
    JSON.stringify([serviceUid, sender, receiver, parcel, ...options]),
    'base64url',
  )
}

const undeliverable = permanentFailure('ADDRESS_UNDELIVERABLE', 'Address not deliverable')
