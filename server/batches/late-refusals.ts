/**
 * Users of whom a bulk order was refused after rows of it were inserted. For a while all rows of their next ones are read before one is
 * inserted: a refusal then costs the database nothing, however many follow. Each process knows of its own refusals.
 */
import type { Database } from '#server/platform/database/database.ts'

const READ_FIRST_MS = 10 * 60_000

/** By user id: until when, in ms of a clock that only rises. */
const endsOf = new WeakMap<Database, Map<number, number>>()

/** `now`: in ms of a clock that only rises. */
export function recordLateRefusal(database: Database, userId: number, now: number): void {
  const ends = endsOf.get(database) ?? new Map<number, number>()
  endsOf.set(database, ends)
  for (const [id, end] of ends) if (end <= now) ends.delete(id)
  ends.set(userId, now + READ_FIRST_MS)
}

export const hadLateRefusal = (database: Database, userId: number, now: number): boolean =>
  (endsOf.get(database)?.get(userId) ?? -Infinity) > now

/** After a bulk order was accepted. */
export const forgetLateRefusal = (database: Database, userId: number): void =>
  void endsOf.get(database)?.delete(userId)
