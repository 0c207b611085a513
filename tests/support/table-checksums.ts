import { createHash } from 'node:crypto'
import type { TestDatabase } from './database.ts'

/** Without what is done meanwhile: the sending of emails and the look-ups of invoices; and without the last use of keys. */
const ROWS: Record<string, string> = {
  invoice: `(select to_jsonb(i) - array['synced_at', 'last_lookup', 'next_lookup_at'] from invoice i)`,
  mail: '(select id, kind, user_id, created_at from mail)',
  api_key:
    '(select id, user_id, key_hash, name, scopes, expires_at, replaced_by, revoked_at from api_key)',
}

/** All rows of all tables but those that note the calls themselves: a sum for each table, to be compared. */
export async function tableChecksums(database: TestDatabase): Promise<Record<string, string>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
       and table_name not in ('throttle', 'login_session', 'known_network', 'audit_entry')`,
  )
  const sums = tables.map(async ({ name }) => {
    const { rows } = await database.pool.query<{ line: string }>(
      `select t::text as line from ${ROWS[name] ?? name} t order by 1`,
    )
    return [
      name,
      createHash('sha256')
        .update(rows.map(row => row.line).join('\n'))
        .digest('hex'),
    ]
  })
  return Object.fromEntries(await Promise.all(sums))
}
