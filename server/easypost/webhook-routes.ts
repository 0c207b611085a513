import { EasypostEvent } from '#contract/easypost-webhooks.ts'
import * as calls from '#contract/easypost-webhooks.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { WebhooksContext } from '#server/webhooks/context.ts'
import { selectEvent, selectEvents } from './event-store.ts'
import type { EventRecord } from './event-store.ts'
import { parseId } from './ids.ts'
import { pageRequest } from './paging.ts'
import { createHook, deleteHook, getHook, hookWire, listHooks, updateHook } from './webhooks.ts'

export function registerWebhookRoutes(
  router: Router,
  ctx: WebhooksContext,
  answers: LongAnswers,
): void {
  const { db } = ctx.database

  router.handle(calls.easypostCreateWebhook, async ({ body, caller }) => {
    if (!body?.webhook)
      throw refuseField('webhook', 'required', 'Missing required parameter: webhook')
    return hookWire(ctx, await createHook(ctx, caller, body.webhook))
  })

  router.handle(calls.easypostWebhooks, async ({ caller }) => ({
    webhooks: (await listHooks(db, caller.userId)).map(hook => hookWire(ctx, hook)),
  }))

  router.handle(calls.easypostWebhook, async ({ params, caller }) =>
    hookWire(ctx, await getHook(ctx, caller.userId, params.id)),
  )

  for (const update of [calls.easypostUpdateWebhook, calls.easypostPutWebhook])
    router.handle(update, async ({ params, body, caller }) =>
      hookWire(ctx, await updateHook(ctx, caller, params.id, body?.webhook ?? body ?? {})),
    )

  router.handle(calls.easypostDeleteWebhook, async ({ params, caller }) => {
    await deleteHook(ctx, caller, params.id)
    return {}
  })

  const eventOf = async (userId: number, id: string): Promise<EventRecord | undefined> => {
    const messageId = parseId('evt', id)
    return messageId === null ? undefined : selectEvent(db, userId, messageId)
  }
  router.handle(calls.easypostEvents, async given => {
    const { query, caller } = given
    const { userId } = caller
    const request = await pageRequest(query, async id => (await eventOf(userId, id))?.id ?? null)
    return answers.run(given, async () => {
      const { events, hasMore } = await selectEvents(db, userId, request)
      return { events: events.map(eventWire), has_more: hasMore }
    })
  })

  router.handle(calls.easypostEvent, async ({ params, caller }) => {
    const event = await eventOf(caller.userId, params.id)
    if (!event) throw new Refusal('event_unknown', 'The requested event could not be found')
    return eventWire(event)
  })
}

/** As it was sent, with what came of its deliveries. */
function eventWire({ body, states }: EventRecord): EasypostEvent {
  const isOpen = states.some(state => state === 'waiting' || state === 'once')
  const isDelivered = states.includes('delivered')
  return {
    ...EasypostEvent.parse(JSON.parse(body)),
    status: isOpen ? 'pending' : isDelivered ? 'completed' : 'failed',
  }
}
