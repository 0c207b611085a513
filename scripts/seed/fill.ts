/** Fills an empty database with users and labels of several months; its books balance. */
import pg from 'pg'
import { hashPassword } from '#server/accounts/password.ts'
import { seedPlanFor } from './plan.ts'
import type { SeedSize } from './plan.ts'
import {
  labelStatements,
  depositStatements,
  userStatements,
  finalStatements,
} from './statements.ts'

/** Of every seeded user; the first is seller1@example.com. */
export const SEED_PASSWORD = 'a long enough passphrase'

/**
 * Tables that grow with the labels. Vacuumed and analyzed at the end, as autovacuum would have
 * done.
 */
const GROWING_TABLES = [
  'shipment_order',
  'order_list_entry',
  'user_order_count',
  'transfer',
  'audit_entry',
  'carrier_call',
  'sandbox_purchase',
  'batch',
  'app_user',
  'account',
  'balance',
  'label_file',
  'invoice',
  'parcel_tracking',
]

export type SeedOptions = SeedSize & {
  /** Ages count from here. Default: now. */
  from?: Date
  /** Reports progress. */
  say?: (line: string) => void
}

/**
 * Fills a migrated database in one transaction; about 2 minutes for a million labels. Throws when
 * it has orders already.
 */
export async function fillDatabase(
  url: string,
  { users, labels, from = new Date(), say = () => {} }: SeedOptions,
): Promise<void> {
  const plan = seedPlanFor({ users, labels })
  // A connection of its own, without the pool's statement timeout.
  const client = new pg.Client(url)
  await client.connect()
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const text of statements) await client.query(text, text.includes('$1') ? [from] : [])
  }
  try {
    await requireUnseeded(client)
    await run([
      `set synchronous_commit = off`,
      `set work_mem = '64MB'`,
      `set maintenance_work_mem = '256MB'`,
      `set jit = off`,
      'begin',
    ])
    const indexes = await dropIndexes(client)
    say(`Seeding ${users.toLocaleString('en-US')} users`)
    await run([
      ...userStatements(plan, await hashPassword(SEED_PASSWORD)),
      ...depositStatements(plan),
      'analyze seed_user, seed_wallet, account, balance',
    ])
    for (let n = 0; n < labels; n += plan.chunkLabels) {
      const to = Math.min(labels, n + plan.chunkLabels)
      await run(labelStatements(plan, n, to))
      say(`Seeded ${to.toLocaleString('en-US')} of ${labels.toLocaleString('en-US')} labels`)
    }
    await run(finalStatements(plan))
    say('Building the indexes')
    await run([...indexes, 'commit', `vacuum (analyze) ${GROWING_TABLES.join(', ')}`])
  } finally {
    await client.end()
  }
}

async function requireUnseeded(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select 1 from shipment_order union all select 1 from batch
    union all select 1 from app_user where email_key = 'seller1@example.com' limit 1`)
  if (rows.length > 0)
    throw new Error('This database has orders or was seeded already: seed an empty one.')
}

/**
 * Drops all indexes without a constraint and returns their definitions. Building them at the end
 * takes a third of the time.
 */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index i
      where indrelid = any($1::regclass[]) and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`,
    [GROWING_TABLES],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ made }) => made)
}
