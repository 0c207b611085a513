/** Passes messages on and delivers them, in every process that works. */
import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#server/platform/database/faults.ts'
import { listenToNotifications } from '#server/platform/database/notifications.ts'
import { OUTBOX_CHANNEL } from '#server/platform/outbox/outbox.ts'
import type { WebhooksContext } from './context.ts'
import { claimDueEndpoints } from './endpoint-store.ts'
import type { EndpointClaim } from './endpoint-store.ts'
import { openFanOut } from './fan-out.ts'
import type { FanOut } from './fan-out.ts'
import { deliverTo, ENDPOINT_LEASE_MS } from './lane.ts'
import { sweep } from './sweep.ts'

/** Between two hundred rows of bulk orders: they delay neither other messages nor the purchase. */
const BULK_ROWS_EVERY_MS = 400
/** For retries that become due, and messages whose notification was lost. */
const ROUND_MS = 500
/** At the same time in this process; hanging endpoints of one user occupy only some. */
const MAX_ENDPOINTS = 32
const MAX_PER_USER = 4
const SWEEP_MS = 60_000
/** For tries under way; those that are abandoned are repeated by the next start. */
const STOP_TIMEOUT_MS = 2_000

export class WebhookJobs {
  readonly #ctx: WebhooksContext
  readonly #lanes = new Map<number, { userId: number; work: Promise<void> }>()
  readonly #abandoning = new AbortController()
  readonly #fanOut: FanOut
  readonly #listener: ReturnType<typeof listenToNotifications>
  #isStopping = false
  #round: Promise<void> | undefined
  #again = false
  #bulkRowsAt = 0
  #rounds: NodeJS.Timeout | undefined
  #sweeps: NodeJS.Timeout | undefined
  #sweeping: Promise<void> = Promise.resolve()

  constructor(ctx: WebhooksContext) {
    this.#ctx = ctx
    this.#fanOut = openFanOut(ctx)
    const wake = (): void => this.#wake()
    this.#listener = listenToNotifications({
      ctx,
      channels: { [OUTBOX_CHANNEL]: wake },
      onReconnect: wake,
    })
  }

  async start(): Promise<void> {
    await this.#listener.start()
    this.#rounds = setInterval(() => this.#wake(), ROUND_MS)
    this.#sweeps = setInterval(() => {
      this.#sweeping = this.#sweeping
        .then(() => sweep(this.#ctx))
        .catch(error => this.#report(error))
    }, SWEEP_MS)
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#rounds)
    clearInterval(this.#sweeps)
    await this.#listener.stop()
    const lanes = [...this.#lanes.values()].map(lane => lane.work)
    const settled = Promise.all([this.#round, this.#sweeping, ...lanes])
    await Promise.race([settled, wait(STOP_TIMEOUT_MS, undefined, { ref: false })])
    this.#abandoning.abort()
    await settled
  }

  /** Runs a round, and one more when it is called meanwhile. */
  #wake(): void {
    if (this.#isStopping) return
    if (this.#round) this.#again = true
    else this.#round = this.#runRounds()
  }

  async #runRounds(): Promise<void> {
    do {
      this.#again = false
      await this.#work().catch(error => this.#report(error))
    } while (this.#again && !this.#isStopping)
    this.#round = undefined
  }

  async #work(): Promise<void> {
    while (!this.#isStopping && (await this.#fanOut(false)));
    await this.#fanOutBulkRows()
    if (this.#isStopping || this.#lanes.size >= MAX_ENDPOINTS) return
    const claims = await claimDueEndpoints(this.#ctx.database.db, {
      limit: MAX_ENDPOINTS - this.#lanes.size,
      perUser: MAX_PER_USER,
      leaseMs: ENDPOINT_LEASE_MS,
      busy: this.#busyUsers(),
    })
    for (const claim of claims) this.#startLane(claim)
  }

  async #fanOutBulkRows(): Promise<void> {
    const now = performance.now()
    if (this.#isStopping || now < this.#bulkRowsAt) return
    const mayHaveMore = await this.#fanOut(true)
    if (!mayHaveMore) return
    this.#bulkRowsAt = now + BULK_ROWS_EVERY_MS
    setTimeout(() => this.#wake(), BULK_ROWS_EVERY_MS + 1).unref()
  }

  #startLane(claim: EndpointClaim): void {
    const work = deliverTo(this.#ctx, claim, {
      isStopping: () => this.#isStopping,
      abandoned: this.#abandoning.signal,
    }).finally(() => {
      this.#lanes.delete(claim.id)
      this.#wake()
    })
    this.#lanes.set(claim.id, { userId: claim.userId, work })
  }

  #busyUsers(): number[] {
    const counts = new Map<number, number>()
    for (const { userId } of this.#lanes.values()) counts.set(userId, (counts.get(userId) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= MAX_PER_USER).map(([userId]) => userId)
  }

  #report(error: unknown): void {
    if (!isDatabaseUnavailable(error))
      this.#ctx.log.error({ err: error }, 'messages for webhooks could not be processed; they wait')
  }
}
