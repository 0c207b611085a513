/** The doctor's check of stored sums of the ledger: they are made from its transfers and can be made again. */
import type pg from 'pg'
import { TOTALLED_KINDS } from '#server/admin/dashboard-rules.ts'
import type { Finding } from './data-checks.ts'

/**
 * Tables with the cents of the transfers of each kind, up to the greatest `last_transfer_id`. `kinds`: which of them;
 * null: all.
 */
const SUM_TABLES = [
  { table: 'ledger_sum', kinds: [...TOTALLED_KINDS] },
  { table: 'ledger_total', kinds: null },
]

/** `client` has no time limit: all transfers are read, in one snapshot with the sums. */
export async function checkStoredSums(client: pg.Client): Promise<Finding[]> {
  const wrong: Finding[] = []
  for (const { table, kinds } of SUM_TABLES) {
    const { rows } = await client.query<{ kind: string; stored: string; added: string }>(
      `
      with stored as (select kind, sum(cents) as cents from ${table} group by kind),
      added as (
        select kind, sum(cents) as cents from transfer
          where id <= (select max(last_transfer_id) from ${table}) and ($1::text[] is null or kind = any($1))
          group by kind)
      select kind, coalesce(stored.cents, 0)::text as stored, coalesce(added.cents, 0)::text as added
        from stored full join added using (kind) where stored.cents is distinct from added.cents order by kind`,
      [kinds],
    )
    wrong.push(
      ...rows.map(({ kind, stored, added }) => ({
        isOk: false,
        text:
          `Sums: ${table} has ${stored} cents of kind ${kind}, and the transfers add up to ${added}. Only figures of the dashboard are `
          + `read from it. Empty it (truncate ${table}); a running worker fills it again.`,
      })),
    )
  }
  return wrong.length > 0
    ? wrong
    : [{ isOk: true, text: 'Sums: the stored figures of the dashboard are those of the ledger' }]
}
