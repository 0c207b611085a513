/** What a single order becomes in the transaction that places it: held, and claimed for this process. */
import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { MAX_IDEMPOTENCY_KEY } from '#contract/endpoint.ts'
import { findPause } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { findOrderRequest, insertOrderRequest } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import type { CallerKey } from '#server/platform/http/router.ts'
import { purchaseAllowance } from './carrier-silence.ts'
import { claimQueuedByIds } from './claim-store.ts'
import { claimToBuy } from './claim.ts'
import type { PurchaseClaim } from './queue-store.ts'

/**
 * By what a repeated request is recognized, in the transaction that places the order. `find` locks
 * the request until the transaction ends, and throws Refusal; `record` runs with the order's holds.
 * `keyed`: it does no more than find and record this.
 */
export type OrderRequest = {
  find(tx: Tx): Promise<number | null>
  record(tx: Tx, orderId: number): Promise<void>
  keyed?: KeyedRequest
}

export type KeyedRequest = { userId: number; key: string; bodyHash: string }

/**
 * By the header Idempotency-Key; undefined without one. Throws Refusal for a longer one: cut, it could be that of another order, which
 * would be answered instead of bought. Also for an empty one, whose program would repeat the call and buy a second label.
 */
export function requestOfHeader(
  userId: number,
  key: string | string[] | undefined,
  input: unknown,
): OrderRequest | undefined {
  if (typeof key !== 'string') return undefined
  if (key === '')
    throw refuseField(
      'Idempotency-Key',
      'required',
      'Idempotency-Key is empty: leave it out, or send another one for each order',
    )
  if (key.length > MAX_IDEMPOTENCY_KEY)
    throw refuseField(
      'Idempotency-Key',
      'too_long',
      `Idempotency-Key must have at most ${MAX_IDEMPOTENCY_KEY} characters, not ${key.length.toLocaleString('en-US')}`,
    )
  return idempotencyKey(userId, key, input)
}

/** For 24 hours the same key with the same input finds the same order. */
export function idempotencyKey(userId: number, key: string, input: unknown): OrderRequest {
  const bodyHash = createHash('sha256').update(JSON.stringify(input)).digest('base64url')
  const keyed = { userId, key, bodyHash }
  return {
    find: async tx => orderOfRequest(keyed, await findOrderRequest(tx, userId, key)),
    record: (tx, orderId) => insertOrderRequest(tx, userId, key, bodyHash, orderId),
    keyed,
  }
}

/** The order of the request `before` under the same key; null without one. Throws Refusal if it had another input. */
export function orderOfRequest(
  { bodyHash }: Pick<KeyedRequest, 'bodyHash'>,
  before: { orderId: number; bodyHash: string } | null | undefined,
): number | null {
  if (before && before.bodyHash !== bodyHash)
    throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was used for another order')
  return before?.orderId ?? null
}

/** Null: without a key. */
export type OrderingKey = Pick<CallerKey, 'id'> | null

/** `key`: the key that orders the label. `claims`: this process buys the label at once. */
export type Placement = {
  request: OrderRequest | undefined
  key: OrderingKey
  claims: boolean
}

/**
 * `seller`: the context of the account that sells the label. `claimedAt`: by `performance.now()`, before the transaction, so
 * that this process assumes an earlier end of the lease.
 */
export type ClaimedOrder = { claim: PurchaseClaim; seller: LabelContext; claimedAt: number }

/** `isPaused`: until an administrator resumes. */
export type Reservation = { orderId: number; claimed?: ClaimedOrder; isPaused?: boolean }

/** Claims new orders that one account sells, as many as it may be called for. Returns their reservations in the order of their ids. */
export async function claimReserved(
  tx: Tx,
  seller: LabelContext,
  orderIds: readonly number[],
  claimedAt: number,
): Promise<Reservation[]> {
  // While the account does not answer, labels wait for a probe in the queue.
  const most = Math.min(orderIds.length, purchaseAllowance(seller, performance.now()))
  const claims =
    most === 0
      ? []
      : await claimToBuy(tx, seller, most, (account, available) =>
          claimQueuedByIds(tx, account, orderIds.slice(0, available), LABEL_LEASE_MS),
        )
  const claimOf = new Map(claims.map(claim => [claim.id, claim]))
  const pause = claims.length < orderIds.length ? await findPause(tx, seller.carrier.account) : null
  return orderIds.map(orderId => {
    const claim = claimOf.get(orderId)
    return claim
      ? { orderId, claimed: { claim, seller, claimedAt } }
      : { orderId, isPaused: pause?.needsAdministrator === true }
  })
}
