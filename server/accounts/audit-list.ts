import { AUDIT_ACTIONS } from '#contract/audit.ts'
import type { AuditAction, AuditKind } from '#contract/audit.ts'
import { COUNT_LIMIT } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/database/database.ts'
import { idRangeForPeriod } from '#server/platform/database/id-range.ts'
import { countAuditEntries, selectAuditIds } from './audit-list-store.ts'
import type { AuditSearch } from './audit-list-store.ts'
import { auditText } from './audit-text.ts'
import { selectMatchingUserIds } from './users-store.ts'

export { selectAuditEntries as auditEntriesByIds } from './audit-list-store.ts'

/** A search follows no more users: each of them is two scans. */
const MAX_SEARCHED_USERS = 20

/** `from` and `to`: ISO moments, inclusive; `userId` matches actor and subject; `search` too, and actions. */
export type AuditQuery = {
  page: number
  limit: number
  kind?: AuditKind | undefined
  userId?: string | undefined
  search?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/**
 * Newest first; pages count from 1. `more`: there are more than `total`. `moreUsers`: the search
 * matches more users than the newest, whose entries are listed.
 */
export async function auditIdsPage(
  db: Db,
  query: AuditQuery,
): Promise<{ ids: number[]; total: number; more: boolean; moreUsers: boolean }> {
  const [from, to] = [
    query.from ? new Date(query.from) : null,
    query.to ? new Date(query.to) : null,
  ]
  const { search, moreUsers } = await searched(db, query)
  const filter = {
    search,
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
  return { ids, total: Math.min(counted, COUNT_LIMIT), more: counted > COUNT_LIMIT, moreUsers }
}

/** A chosen user narrows a search to actions: entries of two users have no index. */
async function searched(
  db: Db,
  { search: typed = '', userId }: AuditQuery,
): Promise<{ search: AuditSearch | null; moreUsers: boolean }> {
  const search = typed.trim()
  if (search === '') return { search: null, moreUsers: false }
  const userIds =
    userId === undefined ? await selectMatchingUserIds(db, search, MAX_SEARCHED_USERS + 1) : []
  return {
    search: { userIds: userIds.slice(0, MAX_SEARCHED_USERS), actions: actionsWith(search) },
    moreUsers: userIds.length > MAX_SEARCHED_USERS,
  }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Actions in whose name or sentence each word of the search begins a word. */
function actionsWith(search: string): AuditAction[] {
  const wanted = wordsOf(search)
  if (wanted.length === 0) return []
  return (Object.keys(AUDIT_ACTIONS) as AuditAction[]).filter(action => {
    const words = wordsOf(`${action} ${auditText(action, {})}`)
    return wanted.every(begin => words.some(word => word.startsWith(begin)))
  })
}

const actionsOf = (kind: AuditKind): AuditAction[] =>
  (Object.keys(AUDIT_ACTIONS) as AuditAction[]).filter(action => AUDIT_ACTIONS[action] === kind)
