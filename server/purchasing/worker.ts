/**
 * The worker: takes queued labels, asks the carrier, settles the answers; labels to be voided likewise. The rows are the queue, so
 * a worker that dies leaves nothing behind but leases that run out. Any number of workers share one database.
 */
import { performance } from 'node:perf_hooks'
import { callPurchase } from '#server/carriers/calls.ts'
import type { PurchaseResult } from '#server/carriers/port.ts'
import { recordCalls, applyBackoff, availableCalls } from '#server/carriers/rate-limit.ts'
import { insertCarrierCalls } from '#server/carriers/store.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
import { pollParcels, voidUnusedLabels } from '#server/tracking/service.ts'
import { processDueVoids } from '#server/voids/service.ts'
import { checkLabelsAfterRestore } from './after-restore.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { fetchLabelFiles, storeDeliveredFiles } from './label-files.ts'
import { claimQueued } from './queue-store.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { LABEL_LEASE_MS, reconcile } from './reconcile.ts'
import { settlePurchases } from './settle.ts'
import type { AnsweredPurchase, LabelContext } from './settle.ts'

/** Labels being bought by one process at a time, and the least worth a claim while others are under way. */
const MAX_IN_FLIGHT = 400
const CLAIM_AT_ONCE = 200
const MIN_CLAIM = 100
/** Groups keep a failure small; two at a time keep the database busy while the next one fills. */
const SETTLE_AT_ONCE = 50
const GROUPS_AT_ONCE = 2
/** Without a wake-up the queue is looked at this often: rows that wait for their time, or other processes' rows. */
const IDLE_MS = 250
const TICK_MS = 1_000
const NOT_SENT = {
  ok: false,
  kind: 'retryable',
  code: 'NOT_SENT',
  message: 'The label was not sent to the carrier in time',
} as const

export type Worker = {
  /** New rows are there: look at the queue now. */
  wake(): void
  /** Takes nothing more, waits until what is under way is settled. */
  stop(): Promise<void>
}

export function startPurchaseWorker(ctx: LabelContext): Worker {
  const life = new PurchaseWorker(ctx)
  life.start()
  return life
}

class PurchaseWorker implements Worker {
  readonly #house: LabelContext
  readonly #idle = new WakeableSleep()
  readonly #breaker = createCircuitBreaker()
  #stopping = false
  #inFlight = 0
  #lastOwner = 0
  #unsettled: AnsweredPurchase[] = []
  #groupsSettling = 0
  #ticker: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #reconciling: Promise<void> = Promise.resolve()
  #voiding: Promise<void> = Promise.resolve()
  #fetching: Promise<void> = Promise.resolve()
  #tracking: Promise<void> = Promise.resolve()

  constructor(ctx: LabelContext) {
    this.#house = ctx
  }

  start(): void {
    this.#working = this.#work()
    this.#ticker = setInterval(() => {
      this.#reconciling = this.#reconciling
        .then(async () => {
          const { lookedUp, answered } = await reconcile(this.#house)
          if (answered > 0) this.#recordAnswer()
          if (lookedUp > 0) this.wake()
        })
        .catch(error => this.#report(error))
      // Beside it: a slow void keeps nobody from learning what became of his label.
      this.#voiding = this.#voiding
        .then(async () => {
          await processDueVoids(this.#house)
          await checkLabelsAfterRestore(this.#house)
        })
        .catch(error => this.#report(error))
      this.#fetching = this.#fetching
        .then(() => fetchLabelFiles(this.#house))
        .catch(error => this.#report(error))
      this.#tracking = this.#tracking
        .then(async () => {
          await voidUnusedLabels(this.#house)
          await pollParcels(this.#house)
        })
        .catch(error => this.#report(error))
    }, TICK_MS)
  }

  wake(): void {
    this.#idle.wake()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#ticker)
    this.wake()
    await this.#working
    while (this.#inFlight > 0) await this.#idle.sleep(IDLE_MS)
    await Promise.all([this.#reconciling, this.#voiding, this.#fetching, this.#tracking])
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      let took = 0
      if (this.#mayClaim()) {
        try {
          took = await this.#claimQueued()
        } catch (error) {
          this.#report(error)
        }
      }
      if (took === 0) await this.#idle.sleep(IDLE_MS)
    }
  }

  #mayClaim(): boolean {
    const room = this.#breaker.allowance(performance.now())
    return this.#inFlight === 0 ? room > 0 : room > 1 && MAX_IN_FLIGHT - this.#inFlight >= MIN_CLAIM
  }

  /** One short transaction: labels are ours until their lease ends, and the evidence is there before the carrier is asked. */
  async #claimQueued(): Promise<number> {
    const free = Math.min(
      CLAIM_AT_ONCE,
      MAX_IN_FLIGHT - this.#inFlight,
      this.#breaker.allowance(performance.now()),
    )
    // From before the claim, so that our idea of the lease ends before the database's.
    const takenAt = performance.now()
    const { carrier } = this.#house
    const claims = await this.#house.database.tx(async tx => {
      const room = await availableCalls(tx, carrier, 'buy', free)
      const taken =
        room === 0
          ? []
          : await claimQueued(tx, carrier.account, room, LABEL_LEASE_MS, this.#lastOwner)
      await recordCalls(tx, carrier, 'buy', taken.length)
      await insertCarrierCalls(
        tx,
        carrier.account,
        taken.map(claim => ({ ...claim, orderId: claim.id })),
      )
      return taken
    })
    if (claims.length > 0) this.#house.meter?.claimTook((performance.now() - takenAt) / 1000)
    this.#inFlight += claims.length
    this.#lastOwner = claims.at(-1)?.userId ?? 0
    for (const claim of claims) void this.#buy(claim, takenAt)
    return claims.length
  }

  async #buy(claim: PurchaseClaim, takenAt: number): Promise<void> {
    const { carrier, config } = this.#house
    // A process that was frozen past its lease must not ask any more: somebody else is finding out what became of the label.
    const askedAt = performance.now()
    const tooLate = askedAt - takenAt > LABEL_LEASE_MS - config.carrierTimeoutMs
    const outcome = tooLate
      ? NOT_SENT
      : await callPurchase(
          carrier,
          { reference: String(claim.id), round: claim.round },
          claim,
          config.carrierTimeoutMs,
        )
    void applyBackoff(this.#house, outcome)
    if (!tooLate) this.#recordOutcome(askedAt, outcome)
    this.#unsettled.push({ claim, outcome })
    if (this.#groupsSettling === 0) setImmediate(() => this.#settleReady())
    else if (this.#unsettled.length >= SETTLE_AT_ONCE) this.#settleReady()
  }

  #settleReady(): void {
    while (this.#unsettled.length > 0 && this.#groupsSettling < GROUPS_AT_ONCE) {
      const group = this.#unsettled.splice(0, SETTLE_AT_ONCE)
      this.#groupsSettling++
      settlePurchases(this.#house, group)
        .then(() => storeDeliveredFiles(this.#house, group))
        .catch(error => this.#report(error))
        .finally(() => {
          this.#groupsSettling--
          this.#inFlight -= group.length
          this.#settleReady()
          if (this.#mayClaim()) this.wake()
        })
    }
  }

  #recordOutcome(askedAt: number, outcome: PurchaseResult): void {
    if (outcome.ok || outcome.kind !== 'unknown') this.#recordAnswer()
    else if (this.#breaker.recordSilence(askedAt, performance.now())) {
      this.#house.log.warn(
        { code: outcome.code },
        'the carrier does not answer; buying waits until it does',
      )
    }
  }

  #recordAnswer(): void {
    if (this.#breaker.recordAnswer(performance.now()))
      this.#house.log.warn('the carrier answers again')
  }

  /** What could not be claimed waits in the queue; what could not be settled is looked up when its lease has run out. */
  #report(error: unknown): void {
    if (isDatabaseUnavailable(error)) this.#house.log.warn('the database is away; labels wait')
    else this.#house.log.error({ err: error }, 'the worker met an error and goes on')
  }
}

/** A sleep that can be ended early; an end that comes while nobody sleeps ends the next one. */
class WakeableSleep {
  #isWakePending = false
  #wakeSleeper: (() => void) | null = null

  sleep(ms: number): Promise<void> {
    return new Promise(done => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#wakeSleeper = null
        this.#isWakePending = false
        done()
      }
      const timer = setTimeout(wake, ms)
      this.#wakeSleeper = wake
      if (this.#isWakePending) wake()
    })
  }

  wake(): void {
    this.#isWakePending = true
    this.#wakeSleeper?.()
  }
}
