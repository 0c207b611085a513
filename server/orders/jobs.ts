/**
 * The worker: takes queued labels, asks the carrier, settles the answers. The rows are the queue, so a worker that dies leaves
 * nothing behind but leases that run out. Any number of workers share one database.
 */
import { performance } from 'node:perf_hooks'
import { askToBuy, askWhatBecame } from '#server/carriers/ask.ts'
import { insertTries } from '#server/carriers/store.ts'
import { databaseIsAway } from '#server/platform/errors.ts'
import { claimQueued, claimUnknown, expireLeases } from './queue-store.ts'
import type { Claim } from './queue-store.ts'
import { settleAnswers, settleFindings } from './settle.ts'
import type { Answered, WithOrders } from './settle.ts'

/** How long a label may be in one process's hands. More than the carrier's time-out, so that an answer is settled inside it. */
export const LEASE_MS = 15_000
/** Labels being bought by one process at a time, and the least worth a claim while others are under way. */
const MOST_IN_FLIGHT = 400
const CLAIM_AT_ONCE = 200
const WORTH_A_CLAIM = 100
const SETTLE_AT_ONCE = 50
/** Without a wake-up the queue is looked at this often: rows that wait for their time, or other processes' rows. */
const IDLE_MS = 250
const RECONCILE_MS = 1_000
/** The carrier says that the operator's account has a problem: nobody's labels are to blame, so nothing is asked for a while. */
const ACCOUNT_PAUSE_MS = 30_000

export type Worker = {
  /** New rows are there: look at the queue now. */
  wake(): void
  /** Ends claims of labels past their lease, looks up unknown ones; also runs every second by itself. */
  reconcile(): Promise<void>
  /** Takes nothing more, waits until what is under way is settled. */
  stop(): Promise<void>
}

export function startWorker(house: WithOrders): Worker {
  const { config, carrier, log } = house
  let stopping = false
  let inFlight = 0
  let lastOwner = 0
  let pausedUntil = 0
  let answered: Answered[] = []
  let settling = 0
  let rouse = (): void => {}
  let roused = false

  const wake = (): void => { roused = true; rouse() }
  const sleep = (ms: number): Promise<void> => new Promise(done => {
    if (roused || stopping) return done()
    const timer = setTimeout(done, ms)
    rouse = () => { clearTimeout(timer); done() }
  })

  async function take(): Promise<Claim[]> {
    const free = Math.min(CLAIM_AT_ONCE, MOST_IN_FLIGHT - inFlight)
    return house.database.tx(async tx => {
      const claims = await claimQueued(tx, free, LEASE_MS, lastOwner)
      await insertTries(tx, claims.map(claim => ({ ...claim, orderId: claim.id })))
      return claims
    })
  }

  async function buy(claim: Claim, takenAt: number): Promise<void> {
    // A process that was frozen past its lease must not ask any more: somebody else is finding out what became of the label.
    const tooLate = performance.now() - takenAt > LEASE_MS - config.carrierTimeoutMs
    const outcome = tooLate ? NOT_SENT
      : await askToBuy(carrier, { reference: String(claim.id), round: claim.round }, claim, config.carrierTimeoutMs)
    if (!outcome.ok && outcome.kind === 'account') pause(outcome.message)
    answered.push({ claim, outcome })
    if (settling === 0) setImmediate(settleReady)
    else if (answered.length >= SETTLE_AT_ONCE) settleReady()
  }

  function pause(reason: string): void {
    pausedUntil = performance.now() + ACCOUNT_PAUSE_MS
    log.error({ reason }, 'the carrier account has a problem; buying is paused')
  }

  /** Settles what has an answer, in groups; two groups at a time keep the database busy while the next one fills. */
  function settleReady(): void {
    while (answered.length > 0 && settling < 2) {
      const group = answered.slice(0, SETTLE_AT_ONCE)
      answered = answered.slice(SETTLE_AT_ONCE)
      settling++
      settleAnswers(house, group)
        .catch(error => log.error({ err: error, labels: group.length }, 'labels could not be settled; their leases will run out'))
        .finally(() => {
          settling--
          inFlight -= group.length
          settleReady()
          if (MOST_IN_FLIGHT - inFlight >= WORTH_A_CLAIM || inFlight === 0) wake()
        })
    }
  }

  async function work(): Promise<void> {
    while (!stopping) {
      roused = false
      let took = 0
      if (performance.now() >= pausedUntil && (inFlight === 0 || MOST_IN_FLIGHT - inFlight >= WORTH_A_CLAIM)) {
        try {
          const claims = await take()
          took = claims.length
          inFlight += took
          lastOwner = claims.at(-1)?.userId ?? 0
          const takenAt = performance.now()
          for (const claim of claims) void buy(claim, takenAt)
        } catch (error) {
          logUnlessAway(error)
          await sleep(IDLE_MS)
        }
      }
      if (took === 0) await sleep(IDLE_MS)
    }
  }

  function logUnlessAway(error: unknown): void {
    if (databaseIsAway(error)) log.warn('the database is away; labels wait')
    else log.error({ err: error }, 'the worker met an error and goes on')
  }

  async function reconcile(): Promise<void> {
    const expired = await house.database.tx(expireLeases)
    const batches = [...new Set(expired.filter(id => id !== null))]
    if (batches.length > 0) house.batchKeeper.progressed(batches)
    const claims = await house.database.tx(tx => claimUnknown(tx, CLAIM_AT_ONCE, LEASE_MS))
    if (claims.length === 0) return
    const findings = await Promise.all(claims.map(async claim => ({
      claim, found: await askWhatBecame(carrier, { reference: String(claim.id), round: claim.round }, config.carrierTimeoutMs),
    })))
    await settleFindings(house, findings)
    wake()
  }

  let reconciling: Promise<void> = Promise.resolve()
  const working = work()
  const clock = setInterval(() => {
    reconciling = reconciling.then(reconcile).catch(logUnlessAway)
  }, RECONCILE_MS)

  return {
    wake,
    reconcile,
    async stop() {
      stopping = true
      clearInterval(clock)
      wake()
      await working
      while (inFlight > 0) await new Promise(done => setTimeout(done, 10))
      await reconciling
    },
  }
}

const NOT_SENT = { ok: false, kind: 'retryable', code: 'NOT_SENT', message: 'The label was not sent to the carrier in time' } as const
