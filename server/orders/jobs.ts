/**
 * The worker: takes queued labels, asks the carrier, settles the answers; labels to be voided likewise. The rows are the queue, so
 * a worker that dies leaves nothing behind but leases that run out. Any number of workers share one database.
 */
import { performance } from 'node:perf_hooks'
import { askToBuy } from '#server/carriers/ask.ts'
import { asking, heed, roomAtCarrier } from '#server/carriers/pace.ts'
import type { Outcome } from '#server/carriers/port.ts'
import { insertTries } from '#server/carriers/store.ts'
import { databaseIsAway } from '#server/platform/errors.ts'
import { openBreaker } from './breaker.ts'
import { fetchPapers, keepDelivered } from './papers.ts'
import { lookAtParcels, voidUnused } from './parcels.ts'
import { claimQueued } from './queue-store.ts'
import type { Claim } from './queue-store.ts'
import { LEASE_MS, reconcile } from './reconcile.ts'
import { askAboutBought } from './restored.ts'
import { settleAnswers } from './settle.ts'
import type { Answered, WithOrders } from './settle.ts'
import { voidDue } from './voids.ts'

/** Labels being bought by one process at a time, and the least worth a claim while others are under way. */
const MOST_IN_FLIGHT = 400
const CLAIM_AT_ONCE = 200
const WORTH_A_CLAIM = 100
/** Groups keep a failure small; two at a time keep the database busy while the next one fills. */
const SETTLE_AT_ONCE = 50
const GROUPS_AT_ONCE = 2
/** Without a wake-up the queue is looked at this often: rows that wait for their time, or other processes' rows. */
const IDLE_MS = 250
const RECONCILE_MS = 1_000
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

export function startWorker(house: WithOrders): Worker {
  const life = new WorkerLife(house)
  life.start()
  return life
}

class WorkerLife implements Worker {
  readonly #house: WithOrders
  readonly #nap = new Nap()
  readonly #breaker = openBreaker()
  #stopping = false
  #inFlight = 0
  #lastOwner = 0
  #answered: Answered[] = []
  #groups = 0
  #clock: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #reconciling: Promise<void> = Promise.resolve()
  #voiding: Promise<void> = Promise.resolve()
  #fetching: Promise<void> = Promise.resolve()
  #following: Promise<void> = Promise.resolve()

  constructor(house: WithOrders) {
    this.#house = house
  }

  start(): void {
    this.#working = this.#work()
    this.#clock = setInterval(() => {
      this.#reconciling = this.#reconciling
        .then(async () => {
          const { lookedUp, answered } = await reconcile(this.#house)
          if (answered > 0) this.#heard()
          if (lookedUp > 0) this.wake()
        })
        .catch(error => this.#report(error))
      // Beside it: a slow void keeps nobody from learning what became of his label.
      this.#voiding = this.#voiding
        .then(async () => {
          await voidDue(this.#house)
          await askAboutBought(this.#house)
        })
        .catch(error => this.#report(error))
      this.#fetching = this.#fetching
        .then(() => fetchPapers(this.#house))
        .catch(error => this.#report(error))
      this.#following = this.#following
        .then(async () => {
          await voidUnused(this.#house)
          await lookAtParcels(this.#house)
        })
        .catch(error => this.#report(error))
    }, RECONCILE_MS)
  }

  wake(): void {
    this.#nap.end()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#clock)
    this.wake()
    await this.#working
    while (this.#inFlight > 0) await this.#nap.take(IDLE_MS)
    await Promise.all([this.#reconciling, this.#voiding, this.#fetching, this.#following])
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      let took = 0
      if (this.#mayTake()) {
        try {
          took = await this.#take()
        } catch (error) {
          this.#report(error)
        }
      }
      if (took === 0) await this.#nap.take(IDLE_MS)
    }
  }

  #mayTake(): boolean {
    const room = this.#breaker.room(performance.now())
    return this.#inFlight === 0
      ? room > 0
      : room > 1 && MOST_IN_FLIGHT - this.#inFlight >= WORTH_A_CLAIM
  }

  /** One short transaction: labels are ours until their lease ends, and the evidence is there before the carrier is asked. */
  async #take(): Promise<number> {
    const free = Math.min(
      CLAIM_AT_ONCE,
      MOST_IN_FLIGHT - this.#inFlight,
      this.#breaker.room(performance.now()),
    )
    // From before the claim, so that our idea of the lease ends before the database's.
    const takenAt = performance.now()
    const { carrier } = this.#house
    const claims = await this.#house.database.tx(async tx => {
      const room = await roomAtCarrier(tx, carrier, 'buy', free)
      const taken =
        room === 0 ? [] : await claimQueued(tx, carrier.account, room, LEASE_MS, this.#lastOwner)
      await asking(tx, carrier, 'buy', taken.length)
      await insertTries(
        tx,
        carrier.account,
        taken.map(claim => ({ ...claim, orderId: claim.id })),
      )
      return taken
    })
    if (claims.length > 0) this.#house.meter?.claimed((performance.now() - takenAt) / 1000)
    this.#inFlight += claims.length
    this.#lastOwner = claims.at(-1)?.userId ?? 0
    for (const claim of claims) void this.#buy(claim, takenAt)
    return claims.length
  }

  async #buy(claim: Claim, takenAt: number): Promise<void> {
    const { carrier, config } = this.#house
    // A process that was frozen past its lease must not ask any more: somebody else is finding out what became of the label.
    const askedAt = performance.now()
    const tooLate = askedAt - takenAt > LEASE_MS - config.carrierTimeoutMs
    const outcome = tooLate
      ? NOT_SENT
      : await askToBuy(
          carrier,
          { reference: String(claim.id), round: claim.round },
          claim,
          config.carrierTimeoutMs,
        )
    void heed(this.#house, outcome)
    if (!tooLate) this.#listen(askedAt, outcome)
    this.#answered.push({ claim, outcome })
    if (this.#groups === 0) setImmediate(() => this.#settleReady())
    else if (this.#answered.length >= SETTLE_AT_ONCE) this.#settleReady()
  }

  #settleReady(): void {
    while (this.#answered.length > 0 && this.#groups < GROUPS_AT_ONCE) {
      const group = this.#answered.splice(0, SETTLE_AT_ONCE)
      this.#groups++
      settleAnswers(this.#house, group)
        .then(() => keepDelivered(this.#house, group))
        .catch(error => this.#report(error))
        .finally(() => {
          this.#groups--
          this.#inFlight -= group.length
          this.#settleReady()
          if (this.#mayTake()) this.wake()
        })
    }
  }

  #listen(askedAt: number, outcome: Outcome): void {
    if (outcome.ok || outcome.kind !== 'unknown') this.#heard()
    else if (this.#breaker.silent(askedAt, performance.now())) {
      this.#house.log.warn(
        { code: outcome.code },
        'the carrier does not answer; buying waits until it does',
      )
    }
  }

  #heard(): void {
    if (this.#breaker.heard(performance.now())) this.#house.log.warn('the carrier answers again')
  }

  /** What could not be claimed waits in the queue; what could not be settled is looked up when its lease has run out. */
  #report(error: unknown): void {
    if (databaseIsAway(error)) this.#house.log.warn('the database is away; labels wait')
    else this.#house.log.error({ err: error }, 'the worker met an error and goes on')
  }
}

/** A sleep that can be ended early; an end that comes while nobody sleeps ends the next one. */
class Nap {
  #roused = false
  #rouse: (() => void) | null = null

  take(ms: number): Promise<void> {
    return new Promise(done => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#rouse = null
        this.#roused = false
        done()
      }
      const timer = setTimeout(wake, ms)
      this.#rouse = wake
      if (this.#roused) wake()
    })
  }

  end(): void {
    this.#roused = true
    this.#rouse?.()
  }
}
