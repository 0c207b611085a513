import type { TestDatabase } from './database.ts'

/**
 * Copies the first row `where` says, `many` times, with ids from 1,000,001. `changes`: SQL arguments
 * of jsonb_build_object, in which `n` is the id.
 */
export async function copyRow(
  { owner }: TestDatabase,
  table: string,
  where: string,
  many: number,
  changes: string,
): Promise<void> {
  await owner.pool.query(`
    insert into ${table} overriding system value
      select copied.* from generate_series(1000001, ${1_000_000 + many}) n,
        lateral (select to_jsonb(t) as it from ${table} t where ${where} order by id limit 1) source,
        lateral jsonb_populate_record(null::${table}, source.it || jsonb_build_object('id', n, ${changes})) copied`)
}

export const copyUser = (database: TestDatabase, userId: number, many: number): Promise<void> =>
  copyRow(
    database,
    'app_user',
    `id = ${userId}`,
    many,
    `'name', 'u' || n, 'email_key', n || '@example.com', 'referral_code', n::text`,
  )
