/**
 * Messages about facts, written in the transaction of the fact. The module that passes them on
 * keeps `outbox_subscription` and takes them: docs/decisions/0049-messages-wait-in-an-outbox.md.
 */
import { sql } from 'kysely'
import type { MessageData, WebhookType } from '#contract/webhooks.ts'
import { arrayOf } from '#server/platform/database/array-of.ts'
import { afterCommit } from '#server/platform/database/database.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { asNoUser } from '#server/platform/process/current-user.ts'

/** Database channel: messages wait. The payload is empty. */
export const OUTBOX_CHANNEL = 'outbox'

/**
 * `data`: ids, states, numbers and reasons, never names or streets. `isBulkRow`: of a row of a bulk
 * order, which is only written for users who asked for these.
 */
export type OutboxMessage = {
  [Type in WebhookType]: {
    userId: number
    type: Type
    data: MessageData<Type>
    isBulkRow?: boolean
  }
}[WebhookType]

/**
 * Writes the messages in one statement, for users who receive that type alone. They are passed on
 * when the transaction has committed, in the order of their ids for one endpoint as far as no try
 * fails.
 */
export async function publish(tx: Tx, messages: readonly OutboxMessage[]): Promise<void> {
  const wanted = messages.length < MANY ? messages : await selectWanted(tx, messages)
  if (wanted.length === 0) return
  const column = <T>(pick: (message: OutboxMessage) => T): T[] => wanted.map(pick)
  const { numAffectedRows } = await sql`
    insert into outbox (user_id, type, data, is_bulk_row)
      select m.user_id, m.type, m.data, m.is_bulk_row
        from unnest(${column(m => m.userId)}::bigint[], ${column(m => m.type)}::text[],
          ${column(m => JSON.stringify(m.data, storable))}::jsonb[], ${column(m => m.isBulkRow ?? false)}::boolean[])
          with ordinality as m (user_id, type, data, is_bulk_row, place)
        join outbox_subscription s on s.user_id = m.user_id and s.type = m.type and (s.bulk_rows or not m.is_bulk_row)
        order by m.place`.execute(tx)
  if (numAffectedRows) afterCommit(tx, OUTBOX_CHANNEL, announce)
}

/** From so many messages on, it is looked up first which of them a user receives; the others are not written out. */
const MANY = 20

async function selectWanted(
  tx: Tx,
  messages: readonly OutboxMessage[],
): Promise<readonly OutboxMessage[]> {
  const { rows } = await sql<{ userId: number; type: WebhookType; bulkRows: boolean }>`
    select user_id as "userId", type, bulk_rows as "bulkRows" from outbox_subscription
      where user_id = any(${arrayOf('bigint', [...new Set(messages.map(m => m.userId))])})`.execute(
    tx,
  )
  const received = new Map(
    rows.map(({ userId, type, bulkRows }) => [`${userId} ${type}`, bulkRows]),
  )
  return messages.filter(({ userId, type, isBulkRow = false }) => {
    const bulkRows = received.get(`${userId} ${type}`)
    return bulkRows !== undefined && (bulkRows || !isBulkRow)
  })
}

// PostgreSQL refuses the zero character and lone surrogates in JSON; a message must not fail its
// fact.
const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\u{FFFD}') : value

/** The last announcement of a burst is always made. If it is lost, the next round finds the messages. */
const ANNOUNCE_EVERY_MS = 50
const announcements = new WeakMap<Db, { at: number; timer?: NodeJS.Timeout | undefined }>()

function announce(db: Db): void {
  const last = announcements.get(db) ?? { at: -Infinity }
  announcements.set(db, last)
  const notify = (): void => {
    last.timer = undefined
    last.at = performance.now()
    // Outside the transaction of the fact: commits of transactions that notify wait for each other.
    asNoUser(() => void sql`select pg_notify(${OUTBOX_CHANNEL}, '')`.execute(db).catch(() => {}))
  }
  const waitMs = last.at + ANNOUNCE_EVERY_MS - performance.now()
  if (waitMs <= 0) return notify()
  last.timer ??= setTimeout(notify, waitMs).unref()
}

/** What a user receives; `bulkRows`: types also for rows of bulk orders. */
export type Subscription = { type: WebhookType; bulkRows: boolean }

/** Replaces the user's subscriptions. Lock the user before. */
export async function replaceSubscriptions(
  tx: Tx,
  userId: number,
  subscriptions: readonly Subscription[],
): Promise<void> {
  await tx.deleteFrom('outbox_subscription').where('user_id', '=', userId).execute()
  if (subscriptions.length === 0) return
  await tx
    .insertInto('outbox_subscription')
    .values(
      subscriptions.map(({ type, bulkRows }) => ({ user_id: userId, type, bulk_rows: bulkRows })),
    )
    .execute()
}

export type WaitingMessage = {
  id: number
  messageId: string
  userId: number
  type: WebhookType
  data: Record<string, unknown>
  isBulkRow: boolean
  at: Date
}

/** Returns how many there were. */
export async function discardMessages(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('outbox').executeTakeFirst()
  return Number(numDeletedRows)
}

// Written out: each is the condition of an index.
const IS_BULK_ROW = sql`is_bulk_row`
const IS_OTHER = sql`not is_bulk_row`

/** `areBulkRows`: of rows of bulk orders, or all others. `except`: ids that wait for another time. */
export type MessagesToLock = { most: number; areBulkRows: boolean; except: readonly number[] }

/**
 * Locks the oldest messages until the transaction ends, oldest first; those that other transactions
 * have locked are skipped.
 */
export async function lockMessages(
  tx: Tx,
  { most, areBulkRows, except }: MessagesToLock,
): Promise<WaitingMessage[]> {
  const { rows } = await sql<WaitingMessage>`
    select id, message_id as "messageId", user_id as "userId", type, data, is_bulk_row as "isBulkRow", at from outbox
      where ${areBulkRows ? IS_BULK_ROW : IS_OTHER} and id <> all(${except}::bigint[])
      order by id limit ${most} for update skip locked`.execute(tx)
  return rows
}

/** Deletes messages that the transaction has locked. */
export async function deleteMessages(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`delete from outbox where id = any(${ids}::bigint[])`.execute(tx)
}
