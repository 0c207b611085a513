/** Messages of the outbox become deliveries, one for each endpoint that receives them. */
import type { WebhookFormat, WebhookType } from '#contract/webhooks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { isBusy, isDatabaseFault } from '#server/platform/database/faults.ts'
import { deleteMessages, lockMessages } from '#server/platform/outbox/outbox.ts'
import type { WaitingMessage } from '#server/platform/outbox/outbox.ts'
import type { WebhooksContext } from './context.ts'
import { insertDeliveries } from './delivery-store.ts'
import type { NewDelivery } from './delivery-store.ts'
import { lockReceivers, makeEndpointsDue } from './endpoint-store.ts'
import type { EndpointRecord } from './endpoint-store.ts'
import type { MessageFormats } from './formats.ts'
import { countSetAside } from './metrics.ts'
import { SetAsideMessages } from './set-aside.ts'
import { receives } from './subscriptions.ts'

/** Of one transaction. `bytes`: of bodies, once for each endpoint; one message may have more. */
export type FanOutLimits = { messages: number; bulkRows: number; bytes: number }
const FAN_OUT_LIMITS: FanOutLimits = { messages: 500, bulkRows: 100, bytes: 8 * 1024 * 1024 }
/** Messages whose bodies are in memory at the same time. */
const RENDERED_AT_ONCE = 100
/** Failures in a row, of one message each, before a pause: perhaps none can be passed on just now. */
const FAILURES_BEFORE_PAUSE = 10
/** Of one message alone, in a row: the message itself may be the cause, and must not delay others forever. */
const TIMEOUTS_BEFORE_SET_ASIDE = 10
/** Rendered from the current state, so several waiting messages about one object would be equal. */
const CURRENT_STATE_TYPES: readonly WebhookType[] = ['easypost.batch']

type FanOutContext = Pick<WebhooksContext, 'database' | 'formats' | 'log' | 'meter'>

/** Messages of rows of bulk orders, or all others. Returns whether there may be more to do at once. */
export type FanOut = (areBulkRows: boolean) => Promise<boolean>

/**
 * When messages fail together, half of them are taken, and so on, until one fails alone. It is set aside for a later
 * try, and others go on. Throws faults of the database, which no message caused. `now`: of a monotonic
 * clock, in ms.
 */
export function openFanOut(
  ctx: FanOutContext,
  limits = FAN_OUT_LIMITS,
  now: () => number = () => performance.now(),
): FanOut {
  const [rows, others] = [openLane(ctx, limits, now, true), openLane(ctx, limits, now, false)]
  return areBulkRows => (areBulkRows ? rows() : others())
}

function openLane(
  ctx: FanOutContext,
  limits: FanOutLimits,
  now: () => number,
  areBulkRows: boolean,
): () => Promise<boolean> {
  const setAside = new SetAsideMessages()
  const full = areBulkRows ? limits.bulkRows : limits.messages
  let most = full
  let failuresInRow = 0
  let timeoutsInRow = 0

  async function handleFailure(error: unknown, tried: readonly WaitingMessage[]): Promise<boolean> {
    const [first, ...rest] = tried
    if (!first) throw error
    if (rest.length > 0) most = Math.ceil(tried.length / 2)
    else if (isBusy(error)) timeoutsInRow++
    if (isDatabaseFault(error) && timeoutsInRow < TIMEOUTS_BEFORE_SET_ASIDE) throw error
    if (rest.length > 0) return true
    failuresInRow++
    timeoutsInRow = 0
    const { id, type } = first
    const waitMs = setAside.add(id, now())
    if (waitMs === 'give up') {
      await ctx.database.tx(tx => deleteMessages(tx, [id]))
      setAside.delete(id)
      ctx.log.error({ err: error, message: id, type }, 'a message for webhooks was given up')
    } else {
      ctx.log.error(
        { err: error, message: id, type, retryInSeconds: waitMs / 1_000 },
        'a message for webhooks could not be passed on; it was set aside, and others go on',
      )
    }
    countSetAside(ctx.meter)
    return failuresInRow < FAILURES_BEFORE_PAUSE
  }

  return async () => {
    let tried: WaitingMessage[] = []
    try {
      const [locked, done] = await ctx.database.tx(async tx => {
        const except = setAside.waiting(now())
        tried = await lockMessages(tx, { most, areBulkRows, except })
        const passedOn = await passOn(ctx, tx, tried, limits.bytes)
        return [tried.length, passedOn] as const
      })
      for (const id of done) setAside.delete(id)
      const mayHaveMore = locked === most || done.length < locked
      most = Math.min(most * 2, full)
      // If nothing was passed on, the cause of failures may still exist.
      if (done.length === 0) return mayHaveMore
      const mayAllPassNow = failuresInRow >= FAILURES_BEFORE_PAUSE && setAside.endWaits(now())
      ;[failuresInRow, timeoutsInRow] = [0, 0]
      return mayHaveMore || mayAllPassNow
    } catch (error) {
      return handleFailure(error, tried)
    }
  }
}

/** The first messages whose bodies fit, at least one. Returns their ids. */
async function passOn(
  ctx: FanOutContext,
  tx: Tx,
  messages: readonly WaitingMessage[],
  mostBytes: number,
): Promise<number[]> {
  if (messages.length === 0) return []
  const endpoints = await lockReceivers(tx, [...new Set(messages.map(({ userId }) => userId))])
  const repeated = repeatedLater(messages)
  const passedOn: number[] = []
  const deliveries: NewDelivery[] = []
  let bytes = 0
  next: for (let from = 0; from < messages.length; from += RENDERED_AT_ONCE) {
    const some = messages.slice(from, from + RENDERED_AT_ONCE)
    const told = some.filter(({ id }) => !repeated.has(id))
    const made = await deliveriesOf(ctx.formats, tx, told, endpoints)
    for (const { id, messageId } of some) {
      const own = made.get(messageId) ?? []
      const ownBytes = bytesOf(own)
      if (passedOn.length > 0 && bytes + ownBytes > mostBytes) break next
      bytes += ownBytes
      deliveries.push(...own)
      passedOn.push(id)
    }
  }
  for (const part of partsOf(deliveries, mostBytes)) await insertDeliveries(tx, part)
  const due = new Set(deliveries.map(({ endpointId }) => endpointId))
  if (due.size > 0) await makeEndpointsDue(tx, [...due])
  await deleteMessages(tx, passedOn)
  return passedOn
}

function repeatedLater(messages: readonly WaitingMessage[]): Set<number> {
  const last = new Map<string, number>()
  const repeated = new Set<number>()
  for (const { id, userId, type, data } of messages) {
    if (!CURRENT_STATE_TYPES.includes(type)) continue
    const key = JSON.stringify([userId, type, data])
    const before = last.get(key)
    if (before !== undefined) repeated.add(before)
    last.set(key, id)
  }
  return repeated
}

/** By message id. */
async function deliveriesOf(
  formats: MessageFormats,
  tx: Tx,
  messages: readonly WaitingMessage[],
  endpoints: readonly EndpointRecord[],
): Promise<Map<string, NewDelivery[]>> {
  const pairs = messages.flatMap(message =>
    endpoints
      .filter(endpoint => endpoint.userId === message.userId && receives(endpoint, message))
      .map(endpoint => ({ endpoint, message })),
  )
  const bodies = await renderAll(formats, tx, pairs)
  const deliveries = pairs.flatMap(({ endpoint, message }): NewDelivery[] => {
    const { messageId, type, at: createdAt } = message
    const body = bodies[endpoint.format]?.get(messageId)
    return body === undefined ? [] : [{ endpointId: endpoint.id, messageId, type, body, createdAt }]
  })
  return Map.groupBy(deliveries, ({ messageId }) => messageId)
}

type Pair = { endpoint: EndpointRecord; message: WaitingMessage }

/** Each message once for each format. */
async function renderAll(
  formats: MessageFormats,
  tx: Tx,
  pairs: readonly Pair[],
): Promise<Partial<Record<WebhookFormat, Map<string, string>>>> {
  const bodies: Partial<Record<WebhookFormat, Map<string, string>>> = {}
  for (const format of new Set(pairs.map(({ endpoint }) => endpoint.format))) {
    const own = pairs.filter(({ endpoint }) => endpoint.format === format)
    bodies[format] = await formats[format].render(tx, [
      ...new Set(own.map(({ message }) => message)),
    ])
  }
  return bodies
}

const bytesOf = (deliveries: readonly NewDelivery[]): number =>
  deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)

/** Each has at most `mostBytes` of bodies, or is one delivery. */
function* partsOf(
  deliveries: readonly NewDelivery[],
  mostBytes: number,
): Generator<readonly NewDelivery[]> {
  let part: NewDelivery[] = []
  let bytes = 0
  for (const delivery of deliveries) {
    const own = Buffer.byteLength(delivery.body)
    if (part.length > 0 && bytes + own > mostBytes) {
      yield part
      ;[part, bytes] = [[], 0]
    }
    part.push(delivery)
    bytes += own
  }
  if (part.length > 0) yield part
}
