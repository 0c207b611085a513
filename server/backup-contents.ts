import type pg from 'pg'
import { countText } from '#contract/format.ts'
import type { BackupContents } from './platform/backup/staging.ts'

/** Counts users, orders and transfers of a restored database, and checks its books. */
export async function readBackupContents(client: pg.Client): Promise<BackupContents> {
  const {
    rows: [counts],
  } = await client.query<{ users: number; labels: number; transfers: number }>(`
    select (select count(*) from app_user) as users, (select count(*) from shipment_order) as labels,
      (select count(*) from transfer) as transfers`)
  const { rows: violations } = await client.query<{
    rule: string
    subject: string
    detail: string
  }>('select * from check_invariants()')
  const { users, labels, transfers } = counts!
  const books =
    violations.length === 0
      ? 'the books balance'
      : `${countText(violations.length, 'rule')} of the books broken`
  return {
    summary: `${countText(users, 'user')}, ${countText(labels, 'order')}, ${countText(transfers, 'transfer')}; ${books}.`,
    violations: violations.map(({ rule, subject, detail }) => `${rule} ${subject}: ${detail}`),
  }
}
