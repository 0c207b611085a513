import { sql } from 'kysely'
import type { AuditAction } from '#contract/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** One audit entry. `detail` never holds typed text such as addresses or passwords. */
export type NewAuditEntry = {
  actorId: number | null
  subjectId: number | null
  action: AuditAction
  detail?: Record<string, unknown>
}

// PostgreSQL stores a lone surrogate as text, where it becomes U+FFFD, but refuses it in JSON.
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** Returns the new entry's id. */
export async function insertAuditEntry(tx: Tx, entry: NewAuditEntry): Promise<number> {
  const [id] = await insertAuditEntries(tx, [entry])
  return id!
}

/** What a user did to their own account. */
export const insertOwnAuditEntry = (
  tx: Tx,
  userId: number,
  action: AuditAction,
  detail?: Record<string, unknown>,
): Promise<number> => insertAuditEntry(tx, { actorId: userId, subjectId: userId, action, detail })

/** Inserts all entries in one statement; returns their ids. */
export async function insertAuditEntries(tx: Tx, entries: NewAuditEntry[]): Promise<number[]> {
  if (entries.length === 0) return []
  const column = <T>(pick: (entry: NewAuditEntry) => T) => entries.map(pick)
  const { rows } = await sql<{ id: number }>`
    insert into audit_entry (actor_id, subject_id, action, detail)
      select * from unnest(${column(e => e.actorId)}::bigint[], ${column(e => e.subjectId)}::bigint[], ${column(e => e.action)}::text[],
        ${column(e => JSON.stringify(e.detail ?? {}, wellFormed))}::jsonb[])
      returning id`.execute(tx)
  return rows.map(row => row.id)
}
