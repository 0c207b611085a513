import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { testDatabase } from '#tests/support/database.ts'
import { postTransfers } from './service.ts'

const database = await testDatabase()
const WALLETS = 5_000

test('a transfer costs no more beside the wallets of thousands of other users', async () => {
  const { pool } = database.owner
  const { rows } = await pool.query<{ id: number }>(
    `insert into app_user (name, email, email_key, password_hash, referral_code)
      select 'User ' || n, n || '@example.test', n || '@example.test', '-', 'CODE' || n from generate_series(1, $1::int) n
      returning id::int`,
    [WALLETS],
  )
  await pool.query(
    `insert into account (kind, owner_id) select kind, u.id from app_user u, unnest(array['available', 'held']) kind`,
  )
  await pool.query('analyze account')

  const accountsRead = await database.tx(async tx => {
    const postings = rows.slice(0, 200).map(({ id }) => ({
      ownerId: id,
      kind: 'deposit' as const,
      cents: cents(500),
      key: `deposit:${id}`,
      invoiceId: id,
    }))
    expect((await postTransfers(tx, postings)).size).toBe(200)
    const { rows: stats } = await sql<{ n: number }>`
      select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'account'`.execute(
      tx,
    )
    return stats[0]!.n
  })
  expect(accountsRead).toBeLessThan(WALLETS)
})
