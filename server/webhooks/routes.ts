import * as calls from '#contract/webhooks.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { WebhooksContext } from './context.ts'
import { listDeliveriesOf } from './deliveries.ts'
import {
  actorOf,
  changeEndpoint,
  changeSecret,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
} from './service.ts'
import type { SingleTries } from './single-try.ts'
import { secretText } from './standard-format.ts'
import { toDelivery, toWebhook } from './wire.ts'

const idsOf = (params: { userId: string; webhookId: string }): [number, number] => [
  Number(params.userId),
  Number(params.webhookId),
]

export function registerWebhookRoutes(
  router: Router,
  ctx: WebhooksContext,
  singleTries: SingleTries,
): void {
  const { db } = ctx.database

  router.handle(calls.listWebhooks, async ({ params }) => ({
    webhooks: (await listEndpoints(db, Number(params.userId))).map(toWebhook),
  }))

  router.handle(calls.createWebhook, async ({ params, body, caller }) => {
    const made = await createEndpoint(ctx, Number(params.userId), body, actorOf(caller))
    return { ...toWebhook(made.endpoint), secret: secretText(made.secret) }
  })

  router.handle(calls.updateWebhook, async ({ params, body, caller }) =>
    toWebhook(await changeEndpoint(ctx, ...idsOf(params), body, actorOf(caller))),
  )

  router.handle(calls.deleteWebhook, async ({ params, caller }) => {
    await deleteEndpoint(ctx, ...idsOf(params), actorOf(caller))
    return { ok: true, message: 'Webhook deleted' }
  })

  router.handle(calls.changeWebhookSecret, async ({ params, caller }) => {
    const { secret, oldSecretUntil } = await changeSecret(ctx, ...idsOf(params), actorOf(caller))
    return { secret: secretText(secret), oldSecretUntil: oldSecretUntil.toISOString() }
  })

  router.handle(calls.testWebhook, async ({ params }) =>
    toDelivery(await singleTries.test(...idsOf(params))),
  )

  router.handle(calls.listDeliveries, async ({ params, query }) => {
    const after = query.after === undefined ? undefined : Number(query.after)
    const page = { ...query, after }
    const { deliveries, next } = await listDeliveriesOf(db, ...idsOf(params), page)
    return {
      deliveries: deliveries.map(toDelivery),
      next: next === null ? null : String(next),
    }
  })

  router.handle(calls.replayDelivery, async ({ params, caller }) => {
    const [userId, endpointId] = idsOf(params)
    const ids = { endpointId, deliveryId: Number(params.deliveryId) }
    return toDelivery(await singleTries.replay(userId, ids, actorOf(caller)))
  })
}
