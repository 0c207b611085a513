/**
 * Delivers to one endpoint, which no other process does meanwhile, two messages at a time. A
 * process that dies leaves a lease that ends; what it sent without a record is sent again.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import type { WebhooksContext } from './context.ts'
import { recordTries, selectDue } from './delivery-store.ts'
import type { DueDelivery, MadeTry } from './delivery-store.ts'
import {
  findClaimed,
  lockHealth,
  releaseEndpoint,
  renewLease,
  saveHealth,
} from './endpoint-store.ts'
import type { EndpointClaim } from './endpoint-store.ts'
import { countTries } from './metrics.ts'
import { openConnections } from './outgoing/call.ts'
import type { Connections } from './outgoing/call.ts'
import { healthAfter, nextStep } from './rules.ts'
import type { TryResult } from './rules.ts'
import { trySend } from './send.ts'
import type { Receiver } from './send.ts'
import { switchEndpointOff } from './switch-off.ts'

/** A try of 15 s outlives it; it is renewed meanwhile. */
export const ENDPOINT_LEASE_MS = 10_000
const TRIES_AT_ONCE = 2
/** A change of the endpoint acts after at most so many messages, or so long and the tries under way then. */
const READ_AT_ONCE = 40
const READ_VALID_MS = 1_000
/** Many messages go out at 200 a second, so that a bulk order beside them keeps its pace. */
const FULL_READ_MS = 200
/** What has arrived is recorded together; after a crash it is sent again. */
const RECORD_AFTER_MS = 200
/** Then other endpoints have a turn. */
const TURN_MS = 10_000

/** `isStopping`: no further try begins. `abandoned`: tries under way end without a record. */
export type ShutdownSignals = { isStopping: () => boolean; abandoned: AbortSignal }

/** Never throws. */
export async function deliverTo(
  ctx: WebhooksContext,
  claim: EndpointClaim,
  shutdown: ShutdownSignals,
): Promise<void> {
  const lane = new Lane(ctx, claim, shutdown)
  try {
    await lane.run()
  } catch (error) {
    if (isDatabaseUnavailable(error)) ctx.log.warn('the database is unavailable; webhooks wait')
    else ctx.log.error({ err: error, endpoint: claim.id }, 'a webhook could not be delivered to')
  }
}

class Lane {
  readonly #ctx: WebhooksContext
  readonly #claim: EndpointClaim
  readonly #shutdown: ShutdownSignals
  readonly #connections: Connections = openConnections()
  #isOver = false
  /** Where the unrecorded tries were made. */
  #url = ''
  #unrecorded: MadeTry[] = []
  #unrecordedSince = 0
  #recording: Promise<void> = Promise.resolve()

  constructor(ctx: WebhooksContext, claim: EndpointClaim, shutdown: ShutdownSignals) {
    this.#ctx = ctx
    this.#claim = claim
    this.#shutdown = shutdown
  }

  async run(): Promise<void> {
    const { db, tx } = this.#ctx.database
    const renewing = setInterval(() => {
      renewLease(db, this.#claim, ENDPOINT_LEASE_MS).then(
        isOurs => {
          if (!isOurs) this.#isOver = true
        },
        () => {},
      )
    }, ENDPOINT_LEASE_MS / 4)
    const { abandoned } = this.#shutdown
    const abandon = (): void => this.#connections.close()
    abandoned.addEventListener('abort', abandon)
    const until = performance.now() + TURN_MS
    try {
      while (!this.#mayNotGoOn() && performance.now() < until && (await this.#deliverSome()));
    } finally {
      clearInterval(renewing)
      abandoned.removeEventListener('abort', abandon)
      this.#connections.close()
      await tx(inner => releaseEndpoint(inner, this.#claim))
    }
  }

  #mayNotGoOn(): boolean {
    return this.#isOver || this.#shutdown.isStopping()
  }

  /** Returns whether there may be more. */
  async #deliverSome(): Promise<boolean> {
    const { db } = this.#ctx.database
    const receiver = await findClaimed(db, this.#claim)
    const due = receiver ? await selectDue(db, receiver.id, READ_AT_ONCE) : []
    if (!receiver || due.length === 0) return false
    this.#url = receiver.url
    const began = performance.now()
    const left = due.values()
    const sendInTurn = async (): Promise<void> => {
      for (const delivery of left) {
        if (this.#mayNotGoOn() || performance.now() - began > READ_VALID_MS) return
        await this.#send(receiver, delivery)
      }
    }
    await Promise.all(Array.from({ length: TRIES_AT_ONCE }, sendInTurn))
    await this.#record()
    const restMs = began + FULL_READ_MS - performance.now()
    if (due.length === READ_AT_ONCE && restMs > 0) await wait(restMs)
    return true
  }

  async #send(receiver: Receiver, delivery: DueDelivery): Promise<void> {
    const result = await trySend(this.#ctx, receiver, delivery, this.#connections)
    if (this.#shutdown.abandoned.aborted && result.outcome !== 'delivered') return
    countTries(this.#ctx.meter, result.outcome)
    const next = nextStep(result, delivery.tries + 1, Math.random())
    if (this.#unrecorded.length === 0) this.#unrecordedSince = performance.now()
    this.#unrecorded.push({ deliveryId: delivery.id, result, next })
    const isFailed = result.outcome !== 'delivered'
    if (!isFailed && performance.now() - this.#unrecordedSince < RECORD_AFTER_MS) return
    // After a failure the health decides whether to go on.
    const recorded = this.#record()
    if (isFailed) await recorded
  }

  #record(): Promise<void> {
    const made = this.#unrecorded.splice(0)
    if (made.length > 0) this.#recording = this.#recording.then(() => this.#recordMade(made))
    // It is thrown where it is awaited next.
    this.#recording.catch(() => {})
    return this.#recording
  }

  async #recordMade(made: MadeTry[]): Promise<void> {
    const { id } = this.#claim
    const health = await this.#ctx.database.tx(async tx => {
      const before = await lockHealth(tx, id)
      if (!before) return null
      const aheadMs = Date.now() - before.now
      const dated = made.map(one => ({ ...one, result: byClockBehind(one.result, aheadMs) }))
      if (before.url !== this.#url) {
        await recordTries(tx, dated.map(againAtNewAddress))
        return null
      }
      await recordTries(tx, dated)
      const results = dated.map(({ result }) => result)
      const after = healthAfter(before, results)
      if (before.failingSince !== null || after.failingSince !== null)
        await saveHealth(tx, id, after)
      return { ...after, isPaused: (after.pausedUntil ?? 0) > before.now }
    })
    if (health === null || health.isPaused) this.#isOver = true
    if (!health?.off) return
    this.#isOver = true
    await switchEndpointOff(this.#ctx, { ...this.#claim, url: this.#url }, health.off)
  }
}

/**
 * Pauses and the three days without a success count by the database's clock, which all processes share: one machine whose clock is
 * wrong would stop the endpoint for all of them.
 */
const byClockBehind = (result: TryResult, aheadMs: number): TryResult => ({
  ...result,
  at: result.at - aheadMs,
})

/**
 * For a try at an address that was replaced meanwhile: what the old one answered says nothing about the new one, to which the message
 * goes at once.
 */
const againAtNewAddress = (made: MadeTry): MadeTry =>
  made.result.outcome === 'delivered' ? made : { ...made, next: { state: 'waiting', waitMs: 0 } }
