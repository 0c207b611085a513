/** Passes messages on and delivers them, in every process that works. */
import { setTimeout as wait } from 'node:timers/promises'
import { DELIVERY_DAYS } from '#contract/webhooks.ts'
import { listenToNotifications } from '#server/platform/database/notifications.ts'
import { isDatabaseUnavailable } from '#server/platform/http/error-handler.ts'
import { OUTBOX_CHANNEL } from '#server/platform/outbox/outbox.ts'
import type { WebhooksContext } from './context.ts'
import { deleteDeliveriesOf, deleteOldDeliveries, endOverdue } from './delivery-store.ts'
import {
  claimDueEndpoints,
  deleteEndpointRow,
  eraseOldSecrets,
  findDeleted,
} from './endpoint-store.ts'
import type { EndpointClaim } from './endpoint-store.ts'
import { fanOut } from './fan-out.ts'
import { deliverTo, ENDPOINT_LEASE_MS } from './lane.ts'

/** For retries that become due, and messages whose notification was lost. */
const ROUND_MS = 500
/** At the same time in this process; hanging endpoints of one user occupy only some. */
const MAX_ENDPOINTS = 32
const MAX_PER_USER = 4
const SWEEP_MS = 60_000
const ROWS_AT_ONCE = 1_000
/** A process that ended during a test. */
const ONCE_MINUTES = 5
/** Longer than all tries of a message. */
const WAIT_DAYS = 4
/** For tries under way; those that are abandoned are repeated by the next start. */
const STOP_TIMEOUT_MS = 2_000

export type WebhookJobs = { start(): Promise<void>; stop(): Promise<void> }

export function createWebhookJobs(ctx: WebhooksContext): WebhookJobs {
  const lanes = new Map<number, { userId: number; work: Promise<void> }>()
  const abandoning = new AbortController()
  let isStopping = false
  let round: Promise<void> | undefined
  let again = false
  let rounds: NodeJS.Timeout | undefined
  let sweeps: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()

  const report = (error: unknown): void => {
    if (!isDatabaseUnavailable(error))
      ctx.log.error({ err: error }, 'messages for webhooks could not be processed; they wait')
  }

  async function work(): Promise<void> {
    while (!isStopping && (await fanOut(ctx)));
    if (isStopping || lanes.size >= MAX_ENDPOINTS) return
    const claims = await claimDueEndpoints(ctx.database.db, {
      limit: MAX_ENDPOINTS - lanes.size,
      perUser: MAX_PER_USER,
      leaseMs: ENDPOINT_LEASE_MS,
      busy: busyUsers(),
    })
    for (const claim of claims) startLane(claim)
  }

  const busyUsers = (): number[] => {
    const counts = new Map<number, number>()
    for (const { userId } of lanes.values()) counts.set(userId, (counts.get(userId) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= MAX_PER_USER).map(([userId]) => userId)
  }

  function startLane(claim: EndpointClaim): void {
    const done = deliverTo(ctx, claim, {
      isStopping: () => isStopping,
      abandoned: abandoning.signal,
    }).finally(() => {
      lanes.delete(claim.id)
      wake()
    })
    lanes.set(claim.id, { userId: claim.userId, work: done })
  }

  /** Runs a round, and one more when it is called meanwhile. */
  function wake(): void {
    if (isStopping) return
    if (round) again = true
    else
      round = (async () => {
        do {
          again = false
          await work().catch(report)
        } while (again && !isStopping)
        round = undefined
      })()
  }

  const listener = listenToNotifications({
    ctx,
    channels: { [OUTBOX_CHANNEL]: wake },
    onReconnect: wake,
  })

  return {
    async start() {
      await listener.start()
      rounds = setInterval(wake, ROUND_MS)
      sweeps = setInterval(() => {
        sweeping = sweeping.then(() => sweep(ctx)).catch(report)
      }, SWEEP_MS)
      wake()
    },
    async stop() {
      isStopping = true
      clearInterval(rounds)
      clearInterval(sweeps)
      await listener.stop()
      const settled = Promise.all([round, sweeping, ...[...lanes.values()].map(lane => lane.work)])
      await Promise.race([settled, wait(STOP_TIMEOUT_MS, undefined, { ref: false })])
      abandoning.abort()
      await settled
    },
  }
}

async function sweep({ database: { db, tx } }: WebhooksContext): Promise<void> {
  await tx(inner => endOverdue(inner, ONCE_MINUTES, WAIT_DAYS))
  await tx(inner => eraseOldSecrets(inner))
  while ((await tx(inner => deleteOldDeliveries(inner, DELIVERY_DAYS, ROWS_AT_ONCE))) > 0);
  for (let id = await findDeleted(db); id !== undefined; id = await findDeleted(db)) {
    const endpointId = id
    while ((await tx(inner => deleteDeliveriesOf(inner, endpointId, ROWS_AT_ONCE))) > 0);
    await tx(inner => deleteEndpointRow(inner, endpointId))
  }
}
