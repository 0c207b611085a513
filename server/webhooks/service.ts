/** The endpoints of a user. Each change keeps the subscriptions of the outbox in its transaction. */
import { randomBytes } from 'node:crypto'
import { MAX_WEBHOOKS, OLD_SECRET_HOURS } from '#contract/webhooks.ts'
import type { WebhookFormat, WebhookType } from '#contract/webhooks.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { lockExistingUser } from '#server/accounts/service.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { replaceSubscriptions } from '#server/platform/outbox/outbox.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import type { WebhooksContext } from './context.ts'
import { endWaits } from './delivery-store.ts'
import {
  insertEndpoint,
  lockEndpoint,
  makeEndpointsDue,
  markDeleted,
  replaceSecret,
  selectEndpoint,
  selectEndpoints,
  selectNewestSecrets,
  setSecret,
  updateEndpoint,
} from './endpoint-store.ts'
import type { EndpointRecord, SealedSecrets } from './endpoint-store.ts'
import { isAllowedHost } from './outgoing/addresses.ts'
import { checkUrl } from './rules.ts'
import { SECRET_BYTES } from './standard-format.ts'
import { subscriptionsOf } from './subscriptions.ts'
import { cancelAllOf, ROWS_AT_ONCE } from './sweep.ts'

export { selectEndpoints as listEndpoints } from './endpoint-store.ts'

export type { EndpointRecord } from './endpoint-store.ts'

const PURPOSE = 'webhook'
const ownerOf = (endpointId: number): string => `endpoint:${endpointId}`

/** Throws Refusal 'webhook_unknown'. */
export async function getEndpoint(
  db: Db,
  userId: number,
  id: number,
): Promise<EndpointRecord & SealedSecrets> {
  const found = await selectEndpoint(db, userId, id)
  if (!found) throw new Refusal('webhook_unknown', 'This webhook does not exist')
  return found
}

/** Who asks, for the audit. `isSupport`: an administrator who is signed in as the user. */
export type Actor = { actorId: number; isSupport: boolean }

export const actorOf = (caller: Caller): Actor => ({
  actorId: actorIdOf(caller),
  isSupport: caller.impersonatorId !== null,
})

/** `secret`: of formats whose secret the user chooses; random by default. */
export type EndpointInput = {
  url: string
  types: readonly WebhookType[]
  bulkRows: boolean
  format?: WebhookFormat
  secret?: Buffer
}

/**
 * Throws Refusal 'limit_reached', 'malformed' or 'address_not_allowed' for the URL, and 'not_while_impersonating' for support, who would
 * go on receiving the user's messages.
 */
export async function createEndpoint(
  ctx: WebhooksContext,
  userId: number,
  input: EndpointInput,
  { actorId, isSupport }: Actor,
): Promise<{ endpoint: EndpointRecord; secret: Buffer }> {
  if (isSupport) throw new Refusal('not_while_impersonating', 'Only the user can add a webhook.')
  const url = checkedUrl(ctx, input.url)
  const secret = input.secret ?? randomBytes(SECRET_BYTES)
  return ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    const before = await selectEndpoints(tx, userId)
    if (before.length >= MAX_WEBHOOKS)
      throw new Refusal(
        'limit_reached',
        `You can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`,
      )
    const { types, bulkRows, format = 'standard' } = input
    const endpoint = await insertEndpoint(tx, {
      userId,
      url,
      format,
      types: inOrder(types),
      bulkRows,
    })
    await setSecret(tx, endpoint.id, sealSecret(ctx.secretKey, endpoint.id, secret))
    await subscribe(tx, userId)
    await audit(tx, userId, actorId, 'webhook-created', endpoint.id)
    return { endpoint, secret }
  })
}

/** `secret`: of an endpoint made through /v2, whose user chooses it; the old one ends at once. */
export type EndpointUpdate = Partial<Omit<EndpointInput, 'format'>> & { enabled?: boolean }

/**
 * What is left out stays. Switched off, what waits is canceled soon; at another URL it is tried soon, also what failed at the old one.
 * Throws as `createEndpoint`, 'wrong_state' for types of an endpoint made through /v2, and 'not_while_impersonating' when support
 * changes the URL or the secret.
 */
export async function changeEndpoint(
  ctx: WebhooksContext,
  userId: number,
  id: number,
  input: EndpointUpdate,
  { actorId, isSupport }: Actor,
): Promise<EndpointRecord> {
  const url = input.url === undefined ? undefined : checkedUrl(ctx, input.url)
  const { before, changed } = await ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    const before = await getEndpoint(tx, userId, id)
    if (input.types && before.format !== 'standard')
      throw new Refusal(
        'wrong_state',
        'This webhook was made through /v2 and receives its events. Leave types out, or create another webhook.',
      )
    if (isSupport && (input.secret || (url ?? before.url) !== before.url))
      throw new Refusal(
        'not_while_impersonating',
        'Only the user can change the URL or the secret of a webhook. Nothing was changed.',
      )
    const enabled = input.enabled ?? before.enabled
    await updateEndpoint(tx, id, {
      url: url ?? before.url,
      types: inOrder(input.types ?? before.types),
      bulkRows: input.bulkRows ?? before.bulkRows,
      enabled,
    })
    if (input.secret) {
      await setSecret(tx, id, sealSecret(ctx.secretKey, id, input.secret))
      await audit(tx, userId, actorId, 'webhook-secret-changed', id)
    }
    await subscribe(tx, userId)
    await audit(tx, userId, actorId, 'webhook-changed', id)
    return { before, changed: await getEndpoint(tx, userId, id) }
  })
  // Not under the user's lock: there may be many.
  if (!changed.enabled) await cancelAllOf(ctx.database, id)
  else if (changed.url !== before.url) await tryAllSoon(ctx.database, id)
  return changed
}

/** Each message once: one that fails at the new URL meanwhile waits again. */
async function tryAllSoon({ tx }: Database, endpointId: number): Promise<void> {
  for (let last: number | null = 0; last !== null;) {
    const after: number = last
    last = await tx(async inner => {
      await lockEndpoint(inner, endpointId)
      const found = await endWaits(inner, endpointId, after, ROWS_AT_ONCE)
      await makeEndpointsDue(inner, [endpointId])
      return found
    })
  }
}

export async function deleteEndpoint(
  ctx: WebhooksContext,
  userId: number,
  id: number,
  { actorId }: Actor,
): Promise<void> {
  await ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    await getEndpoint(tx, userId, id)
    await markDeleted(tx, [id])
    await subscribe(tx, userId)
    await audit(tx, userId, actorId, 'webhook-deleted', id)
  })
}

/** In the transaction that deletes the user. */
export async function deleteWebhooksOf(tx: Tx, userId: number): Promise<void> {
  const endpoints = await selectEndpoints(tx, userId)
  await markDeleted(
    tx,
    endpoints.map(({ id }) => id),
  )
  await replaceSubscriptions(tx, userId, [])
}

export async function changeSecret(
  ctx: WebhooksContext,
  userId: number,
  id: number,
  { actorId }: Actor,
): Promise<{ secret: Buffer; oldSecretUntil: Date }> {
  const secret = randomBytes(SECRET_BYTES)
  return ctx.database.tx(async tx => {
    await lockExistingUser(tx, userId)
    const { format } = await getEndpoint(tx, userId, id)
    if (format !== 'standard')
      throw new Refusal(
        'wrong_state',
        'This webhook was made through /v2. Change its secret there.',
      )
    const sealed = sealSecret(ctx.secretKey, id, secret)
    const oldSecretUntil = await replaceSecret(tx, id, sealed, OLD_SECRET_HOURS)
    await audit(tx, userId, actorId, 'webhook-secret-changed', id)
    return { secret, oldSecretUntil }
  })
}

/** The secrets that sign now, the current one first; null if the installation has another key. */
export function unsealSecrets(
  key: SecretKey,
  { id, secret, previous }: { id: number } & SealedSecrets,
): Buffer[] | null {
  try {
    return [secret, ...(previous ? [previous] : [])].map(sealed =>
      key.unseal(PURPOSE, ownerOf(id), sealed),
    )
  } catch {
    return null
  }
}

/** Whether one of the newest `limit` endpoints has a secret that was sealed with another key. */
export const hasForeignSecret = async (db: Db, key: SecretKey, limit: number): Promise<boolean> =>
  (await selectNewestSecrets(db, limit)).some(endpoint => unsealSecrets(key, endpoint) === null)

const sealSecret = (key: SecretKey, endpointId: number, secret: Buffer): Buffer =>
  key.seal(PURPOSE, ownerOf(endpointId), secret)

/** After a change of the user's endpoints, under the user's lock. */
export async function subscribe(tx: Tx, userId: number): Promise<void> {
  await replaceSubscriptions(tx, userId, subscriptionsOf(await selectEndpoints(tx, userId)))
}

const audit = async (
  tx: Tx,
  subjectId: number,
  actorId: number,
  action: 'webhook-created' | 'webhook-changed' | 'webhook-deleted' | 'webhook-secret-changed',
  webhookId: number,
): Promise<void> =>
  void (await insertAuditEntry(tx, { actorId, subjectId, action, detail: { webhookId } }))

function checkedUrl({ config }: WebhooksContext, given: string): string {
  const allowsLoopback = config.webhooksAllowLoopback
  const checked = checkUrl(given, {
    allowsLoopback,
    isAllowedHost: host => isAllowedHost(host, allowsLoopback),
  })
  if (!('fault' in checked)) return checked.url
  const { fault } = checked
  throw new Refusal(fault.code, fault.text, { fields: { url: fault } })
}

const inOrder = (types: readonly WebhookType[]): WebhookType[] => [...new Set(types)].toSorted()
