import { sql } from 'kysely'
import type { OrderRecord } from '#server/orders/rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { ManualResolutionRow } from './order-timeline.ts'

export async function selectManualResolutions(
  db: Db,
  { id, userId }: OrderRecord,
): Promise<ManualResolutionRow[]> {
  const { rows } = await sql<ManualResolutionRow>`
    select a.created_at as at, a.action, a.detail ->> 'outcome' as outcome, a.detail ->> 'reason' as reason,
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as by
      from audit_entry a left join app_user u on u.id = a.actor_id
      where a.subject_id = ${userId} and a.action in ('label-ended', 'void-ended') and (a.detail ->> 'orderId')::bigint = ${id}
      order by a.id`.execute(db)
  return rows
}
