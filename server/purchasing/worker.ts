/**
 * The rows are the queue: a worker that dies leaves nothing but leases that end. Any number of
 * workers can share one database.
 */
import { performance } from 'node:perf_hooks'
import { callPurchase } from '#server/carriers/calls.ts'
import { applyBackoff } from '#server/carriers/rate-limit.ts'
import { accountContexts } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { OpenWork } from '#server/platform/process/open-work.ts'
import { isUrgentUnderWay, wasUrgentWithin } from '#server/platform/process/urgent-work.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import { payDueRefunds } from '#server/voids/delayed-refunds.ts'
import { processDueVoids } from '#server/voids/settle.ts'
import { voidUnusedLabels } from '#server/voids/unused-labels.ts'
import { checkLabelsAfterRestore } from './after-restore.ts'
import { purchaseAllowance, recordLookupAnswer, recordPurchaseCall } from './carrier-silence.ts'
import { claimQueued } from './claim-store.ts'
import { claimToBuy } from './claim.ts'
import { fetchLabelFiles, storeDeliveredFilesInTime } from './label-files.ts'
import { shipmentOf } from './loss-guard.ts'
import { observeClaim } from './metrics.ts'
import type { PurchaseClaim } from './queue-store.ts'
import { reconcile } from './reconcile.ts'
import { attemptOf } from './rules.ts'
import { settlePurchases } from './settle.ts'
import type { AnsweredPurchase } from './settle.ts'

/** Labels of one carrier account in this process. All of them may still be sold when purchases pause (docs/carriers.md). */
const MAX_IN_FLIGHT = 800
const MIN_CLAIM = 200
/** Larger groups cost less a label: docs/decisions/0070-the-size-of-a-group.md. */
const SETTLE_AT_ONCE = 200
/** Labels that are claimed, and settled, at once. Two groups at a time keep the database busy. */
const ALONE = { claim: 400, settle: 400, groups: 2 }
/** Leaves a processor to a single order, which takes a third less time beside 10,000 rows (npm run bench). */
const BESIDE_URGENT = { claim: 50, settle: 25, groups: 1 }
/** Between single orders that follow each other: the next one would wait for a large group. */
const BETWEEN_URGENT = { claim: 100, settle: 100, groups: 2 }
const URGENT_FOLLOWS_MS = 100
/** For rows that become due, and rows of other processes. */
const IDLE_MS = 250
/** Until the claim of another worker has probably ended. */
const LOCKED_MS = 20
const TICK_MS = 1_000
const NOT_SENT = {
  ok: false,
  kind: 'retryable',
  code: 'NOT_SENT',
  message: 'The label was not sent to the carrier in time',
} as const

export type Worker = {
  wake(): void
  /** Waits until everything under way is settled. */
  stop(): Promise<void>
}

/** Each carrier account has a worker: labels of one that fails or is slow hold up no others. */
export function startPurchaseWorker(ctx: LabelContext): Worker {
  const workers = accountContexts(ctx).map(own => new PurchaseWorker(own))
  for (const worker of workers) worker.start()
  return {
    wake: () => workers.forEach(worker => worker.wake()),
    stop: async () => void (await Promise.all(workers.map(worker => worker.stop()))),
  }
}

/** Returns true if labels may wait in the queue again. */
type Job = (ctx: LabelContext) => Promise<boolean | void>

/** Each starts once a second unless it is running, so that a long one does not delay the others. */
const JOBS: readonly Job[] = [
  async ctx => {
    const { lookedUp, answered } = await reconcile(ctx)
    if (answered > 0) recordLookupAnswer(ctx)
    return lookedUp > 0
  },
  processDueVoids,
  payDueRefunds,
  async ctx => void (await checkLabelsAfterRestore(ctx)),
  fetchLabelFiles,
  voidUnusedLabels,
  pollParcels,
]

class PurchaseWorker implements Worker {
  readonly #ctx: LabelContext
  readonly #idle = new WakeableSleep()
  #stopping = false
  #inFlight = 0
  #lastUserId = 0
  #unsettled: AnsweredPurchase[] = []
  #groupsSettling = 0
  #ticker: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  /** Pauses that answers of the carrier ask for, until they are recorded. */
  readonly #pausing = new OpenWork()
  readonly #storing = new OpenWork()
  readonly #jobs = new Map<Job, Promise<void>>()

  constructor(ctx: LabelContext) {
    this.#ctx = ctx
  }

  start(): void {
    this.#working = this.#work()
    this.#ticker = setInterval(() => {
      for (const job of JOBS) if (!this.#jobs.has(job)) this.#jobs.set(job, this.#run(job))
    }, TICK_MS)
  }

  async #run(job: Job): Promise<void> {
    try {
      if (await job(this.#ctx)) this.wake()
    } catch (error) {
      this.#report(error)
    } finally {
      this.#jobs.delete(job)
    }
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
    await Promise.all([this.#pausing.done(), this.#storing.done(), ...this.#jobs.values()])
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      let pauseMs = IDLE_MS
      if (this.#mayClaim()) {
        try {
          pauseMs = await this.#claimQueued()
        } catch (error) {
          this.#report(error)
        }
      }
      if (pauseMs > 0) await this.#idle.sleep(pauseMs)
    }
  }

  #mayClaim(): boolean {
    const allowance = purchaseAllowance(this.#ctx, performance.now())
    if (this.#inFlight >= BETWEEN_URGENT.claim && isUrgentUnderWay()) return false
    return this.#inFlight === 0
      ? allowance > 0
      : allowance > 1 && MAX_IN_FLIGHT - this.#inFlight >= MIN_CLAIM
  }

  /** Returns how long to wait before the next claim, in ms. */
  async #claimQueued(): Promise<number> {
    const free = Math.min(
      paceNow().claim,
      MAX_IN_FLIGHT - this.#inFlight,
      purchaseAllowance(this.#ctx, performance.now()),
    )
    let pauseMs = IDLE_MS
    // Before the claim, so that this process assumes an earlier end of the lease.
    const claimedAt = performance.now()
    const claims = await this.#ctx.database.tx(tx =>
      claimToBuy(tx, this.#ctx, free, async (seller, available) => {
        const next = await claimQueued(tx, seller, available, LABEL_LEASE_MS, this.#lastUserId)
        this.#lastUserId = next.lastUserId
        pauseMs = next.isLocked ? LOCKED_MS : IDLE_MS
        return next.claims
      }),
    )
    if (claims.length > 0) observeClaim(this.#ctx.meter, (performance.now() - claimedAt) / 1000)
    this.#inFlight += claims.length
    for (const claim of claims) void this.#buy(claim, claimedAt)
    return claims.length > 0 ? 0 : pauseMs
  }

  async #buy(claim: PurchaseClaim, claimedAt: number): Promise<void> {
    const { carrier, config } = this.#ctx
    // Past its lease the label may be looked up elsewhere.
    const calledAt = performance.now()
    const tooLate = calledAt - claimedAt > LABEL_LEASE_MS - config.carrierTimeoutMs
    const outcome = tooLate
      ? NOT_SENT
      : await callPurchase(
          carrier,
          attemptOf(claim),
          shipmentOf(this.#ctx, claim),
          config.carrierTimeoutMs,
        )
    if (!outcome.ok) this.#pausing.add(applyBackoff(this.#ctx, outcome))
    if (!tooLate) recordPurchaseCall(this.#ctx, { calledAt, now: performance.now() }, outcome)
    this.#unsettled.push({ claim, outcome })
    if (this.#groupsSettling === 0) setImmediate(() => this.#settleReady())
    else if (this.#unsettled.length >= SETTLE_AT_ONCE) this.#settleReady()
  }

  #settleReady(): void {
    const { settle, groups } = paceNow()
    while (this.#unsettled.length > 0 && this.#groupsSettling < groups) {
      const size = Math.ceil(this.#unsettled.length / (groups - this.#groupsSettling))
      const group = this.#unsettled.splice(0, Math.min(Math.max(size, SETTLE_AT_ONCE), settle))
      this.#groupsSettling++
      void this.#settle(group)
    }
  }

  /** The next labels do not wait for the files of these. */
  async #settle(group: AnsweredPurchase[]): Promise<void> {
    await settlePurchases(this.#ctx, group).then(
      answers => this.#storing.add(storeDeliveredFilesInTime(this.#ctx, answers)),
      error => this.#report(error),
    )
    this.#groupsSettling--
    this.#inFlight -= group.length
    this.#settleReady()
    if (this.#mayClaim()) this.wake()
  }

  /** Labels wait in the queue, or for a look-up when their lease ends. */
  #report(error: unknown): void {
    if (isDatabaseUnavailable(error)) this.#ctx.log.warn('the database is unavailable; labels wait')
    else this.#ctx.log.error({ err: error }, 'the worker met an error and continues')
  }
}

const paceNow = (): typeof ALONE =>
  isUrgentUnderWay() ? BESIDE_URGENT : wasUrgentWithin(URGENT_FOLLOWS_MS) ? BETWEEN_URGENT : ALONE

/** A wake-up without a sleeper ends the next sleep at once. */
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
