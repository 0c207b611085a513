import { AUDIT_ACTIONS } from '#contract/audit.ts'
import type { AuditAction, AuditKind } from '#contract/audit.ts'
import { COUNT_LIMIT } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/database/database.ts'
import { idRangeForPeriod } from '#server/platform/database/id-range.ts'
import { countAuditEntries, selectAuditEntries, selectAuditIds } from './audit-list-store.ts'
import type { AuditRecord } from './audit-list-store.ts'

/** `from` and `to`: ISO moments, inclusive; `userId` matches actor and subject. */
export type AuditQuery = {
  page: number
  limit: number
  kind?: AuditKind | undefined
  userId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Newest first; pages count from 1. `more`: there are more than `total`. */
export async function auditIdsPage(
  db: Db,
  query: AuditQuery,
): Promise<{ ids: number[]; total: number; more: boolean }> {
  const [from, to] = [
    query.from ? new Date(query.from) : null,
    query.to ? new Date(query.to) : null,
  ]
  const filter = {
    actions: query.kind === undefined ? null : actionsOf(query.kind),
    userId: query.userId === undefined ? null : Number(query.userId),
    span: {
      from,
      to,
      ...(await idRangeForPeriod(db, { table: 'audit_entry', timeColumn: 'created_at' }, from, to)),
    },
  }
  const ids = await selectAuditIds(db, filter, (query.page - 1) * query.limit, query.limit)
  const counted = await countAuditEntries(db, filter, COUNT_LIMIT + 1)
  return { ids, total: Math.min(counted, COUNT_LIMIT), more: counted > COUNT_LIMIT }
}

/** Newest first. */
export const auditEntriesByIds = (db: Db, ids: readonly number[]): Promise<AuditRecord[]> =>
  selectAuditEntries(db, ids)

const actionsOf = (kind: AuditKind): AuditAction[] =>
  (Object.keys(AUDIT_ACTIONS) as AuditAction[]).filter(action => AUDIT_ACTIONS[action] === kind)
