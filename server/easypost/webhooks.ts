/** Endpoints of /v2: webhooks of the format 'easypost'. */
import type { EasypostWebhook } from '#contract/easypost-webhooks.ts'
import { normalizeText } from '#contract/text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import type { WebhooksContext } from '#server/webhooks/context.ts'
import {
  actorOf,
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
} from '#server/webhooks/service.ts'
import type { EndpointRecord } from '#server/webhooks/service.ts'
import { modeOf } from './context.ts'
import { EVENT_TYPES } from './event-format.ts'
import { hookId } from './ids.ts'

type HookInput = {
  url?: string | null | undefined
  webhook_secret?: string | null | undefined
  custom_headers?: readonly unknown[] | null | undefined
}

/** As EasyPost's clients turn it into bytes. */
const secretBytes = (secret: string): Buffer => Buffer.from(normalizeText(secret, 'NFKD'), 'utf8')

function refuseHeaders({ custom_headers: headers }: HookInput): void {
  if (headers && headers.length > 0)
    throw refuseField(
      'custom_headers',
      'option_not_offered',
      'Headers of your own are not sent. Verify X-Hmac-Signature instead.',
    )
}

export async function createHook(
  ctx: WebhooksContext,
  caller: Caller,
  input: HookInput,
): Promise<EndpointRecord> {
  refuseHeaders(input)
  if (!input.url) throw refuseField('url', 'required', 'Missing required parameter: url')
  const secret = input.webhook_secret ? secretBytes(input.webhook_secret) : undefined
  const { endpoint } = await createEndpoint(
    ctx,
    caller.userId,
    {
      url: input.url,
      types: EVENT_TYPES,
      bulkRows: false,
      format: 'easypost',
      ...(secret && { secret }),
    },
    actorOf(caller),
  )
  return endpoint
}

/** Also switches it on again. Throws as creating it does, and 'webhook_unknown'; then nothing is changed. */
export async function updateHook(
  ctx: WebhooksContext,
  caller: Caller,
  id: string,
  input: HookInput,
): Promise<EndpointRecord> {
  refuseHeaders(input)
  const hook = await getHook(ctx, caller.userId, id)
  const { url, webhook_secret: secret } = input
  return changeEndpoint(
    ctx,
    caller.userId,
    hook.id,
    { enabled: true, ...(url && { url }), ...(secret && { secret: secretBytes(secret) }) },
    actorOf(caller),
  )
}

export async function deleteHook(ctx: WebhooksContext, caller: Caller, id: string): Promise<void> {
  const hook = await getHook(ctx, caller.userId, id)
  await deleteEndpoint(ctx, caller.userId, hook.id, actorOf(caller))
}

export const listHooks = async (db: Db, userId: number): Promise<EndpointRecord[]> =>
  (await listEndpoints(db, userId)).filter(({ format }) => format === 'easypost')

/** Throws Refusal 'webhook_unknown'. */
export async function getHook(
  ctx: WebhooksContext,
  userId: number,
  id: string,
): Promise<EndpointRecord> {
  const hooks = await listHooks(ctx.database.db, userId)
  const found = hooks.find(hook => hookId(ctx.secretKey, hook.id) === id)
  if (!found) throw new Refusal('webhook_unknown', 'The requested webhook could not be found')
  return found
}

export const hookWire = (ctx: WebhooksContext, hook: EndpointRecord): EasypostWebhook => ({
  id: hookId(ctx.secretKey, hook.id),
  object: 'Webhook',
  mode: modeOf(ctx),
  url: hook.url,
  created_at: hook.createdAt.toISOString(),
  disabled_at: hook.enabled ? null : (hook.failingSince ?? hook.createdAt).toISOString(),
  custom_headers: [],
})
