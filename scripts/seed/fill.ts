/** Fills an empty database with users and labels of several months; its books balance. */
import pg from 'pg'
import { hashPassword } from '#server/accounts/password.ts'
import { withRetries } from '#server/platform/database/database.ts'
import { seedPlanFor } from './plan.ts'
import type { SeedSize } from './plan.ts'
import { setAside } from './set-aside.ts'
import {
  labelStatements,
  depositStatements,
  userStatements,
  finalStatements,
} from './statements.ts'

/** Of every seeded user; the first is seller1@example.com. */
export const SEED_PASSWORD = 'a long enough passphrase'

/** Tables with a row or more for each label. Their constraints and indexes are made after the rows. */
const TABLES_OF_LABELS = [
  'shipment_order',
  'order_list_entry',
  'transfer',
  'audit_entry',
  'carrier_call',
  'sandbox_purchase',
  'parcel_tracking',
]

/** All that are filled. Vacuumed and analyzed at the end, as autovacuum would have done. */
const FILLED_TABLES = [
  ...TABLES_OF_LABELS,
  'user_order_count',
  'batch',
  'app_user',
  'account',
  'balance',
  'label_file',
  'invoice',
]

export type SeedOptions = SeedSize & {
  /** Ages count from here. Default: now. */
  from?: Date
  /** Reports progress. */
  say?: (line: string) => void
}

/**
 * Begins a transaction and sets constraints and indexes aside. A server that reads the tables meanwhile
 * may lock them in another order: after a deadlock it begins again.
 */
const beginSetAside = (client: pg.Client): Promise<string[]> =>
  withRetries(async () => {
    await client.query('begin')
    try {
      return await setAside(client, TABLES_OF_LABELS)
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  })

/**
 * Fills a migrated database and checks its books, in slices of 200,000 labels. Throws when it has orders already. A fill that was
 * interrupted leaves a database without indexes and constraints, which must be created again.
 */
export async function fillDatabase(
  url: string,
  { from = new Date(), say = () => {}, ...size }: SeedOptions,
): Promise<void> {
  const plan = seedPlanFor(size, from)
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
      `set work_mem = '256MB'`,
      `set maintenance_work_mem = '512MB'`,
      `set jit = off`,
    ])
    const definitions = await beginSetAside(client)
    await run([`alter table transfer disable trigger apply_transfers_to_balances`])
    say(`Seeding ${plan.users.toLocaleString('en-US')} users`)
    await run([
      ...userStatements(plan, await hashPassword(SEED_PASSWORD)),
      ...depositStatements(plan),
      'commit',
      'analyze seed_user, seed_wallet, account, balance',
    ])
    for (let n = 0; n < plan.labels; n += plan.chunkLabels) {
      const to = Math.min(plan.labels, n + plan.chunkLabels)
      await run(['begin', ...labelStatements(plan, n, to), 'commit'])
      say(`Seeded ${to.toLocaleString('en-US')} of ${plan.labels.toLocaleString('en-US')} labels`)
    }
    say('Adding up the balances')
    await run([
      ...finalStatements(plan),
      `alter table transfer enable trigger apply_transfers_to_balances`,
    ])
    for (const [n, text] of definitions.entries()) {
      say(`Making index or constraint ${n + 1} of ${definitions.length}`)
      await run([text])
    }
    for (const table of FILLED_TABLES) {
      say(`Vacuuming ${table}`)
      await run([`vacuum (analyze) ${table}`])
    }
    await requireBalance(client, say)
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

async function requireBalance(client: pg.Client, say: (line: string) => void): Promise<void> {
  say('Checking the books')
  const { rows } = await client.query<{ rule: string; subject: string; detail: string }>(
    // Materialized: a limit of a few rows alone makes PostgreSQL look up each label by itself, which takes twenty times as long.
    'with found as materialized (select * from check_invariants()) select * from found limit 5',
  )
  const broken = rows.map(({ rule, subject, detail }) => `${rule} ${subject}: ${detail}`)
  if (broken.length > 0) throw new Error(`The books do not balance:\n${broken.join('\n')}`)
}
