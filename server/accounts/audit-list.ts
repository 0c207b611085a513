/** The audit as administrators read it. */
import { AUDIT_ACTIONS } from '#contract/audit.ts'
import type { AuditAction, AuditKind } from '#contract/audit.ts'
import { COUNT_LIMIT } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/database/database.ts'
import { idRangeFor } from '#server/platform/database/id-range.ts'
import { countAuditEntries, selectAuditEntries } from './audit-list-store.ts'
import type { AuditRecord } from './audit-list-store.ts'

/** What is looked for; `from` and `to` are ISO moments, both inside; `userId` finds who did it and to whom it was done. */
export type AuditQuery = {
  page: number
  limit: number
  kind?: AuditKind | undefined
  userId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A page of the audit, newest first; pages count from 1. `more`: there are more than `total`. */
export async function auditPage(
  db: Db,
  wish: AuditQuery,
): Promise<{ entries: AuditRecord[]; total: number; more: boolean }> {
  const [from, to] = [wish.from ? new Date(wish.from) : null, wish.to ? new Date(wish.to) : null]
  const filter = {
    actions: wish.kind === undefined ? null : actionsOf(wish.kind),
    userId: wish.userId === undefined ? null : Number(wish.userId),
    span: {
      from,
      to,
      ...(await idRangeFor(db, { table: 'audit_entry', timeColumn: 'at' }, from, to)),
    },
  }
  const entries = await selectAuditEntries(db, filter, (wish.page - 1) * wish.limit, wish.limit)
  const counted = await countAuditEntries(db, filter, COUNT_LIMIT + 1)
  return { entries, total: Math.min(counted, COUNT_LIMIT), more: counted > COUNT_LIMIT }
}

const actionsOf = (kind: AuditKind): AuditAction[] =>
  (Object.keys(AUDIT_ACTIONS) as AuditAction[]).filter(action => AUDIT_ACTIONS[action] === kind)
