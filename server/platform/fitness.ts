import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { Trouble } from './trouble.ts'

const OLDEST = 15

/** Settings without which a confirmed purchase could vanish in a power cut. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit']

export type Fitness = {
  version: string
  /** Sentences; empty when the server may keep our books. */
  faults: string[]
}

/** Whether this PostgreSQL may keep our books: new enough, UTF-8, and it keeps what it has confirmed. */
export async function databaseFitness(pool: pg.Pool): Promise<Fitness> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [['server_version', 'server_version_num', 'server_encoding', ...DURABLE]],
  )
  const setting = Object.fromEntries(rows.map(row => [row.name, row.setting]))
  const faults = DURABLE.filter(name => setting[name] === 'off').map(
    name => `${name} is off: a power cut could lose labels that were paid for. Set ${name} = on.`,
  )
  if (Number(setting.server_version_num) < OLDEST * 10_000) {
    faults.push(`It is PostgreSQL ${setting.server_version}; Evenpost needs ${OLDEST} or newer.`)
  }
  if (setting.server_encoding !== 'UTF8')
    faults.push(`Its encoding is ${setting.server_encoding}; Evenpost needs UTF8.`)
  return { version: setting.server_version ?? '?', faults }
}

/** Throws unless the database is fit for the books of a till. Returns the server's version. */
export async function demandFitDatabase(pool: pg.Pool, config: Config): Promise<string> {
  const { version, faults } = await databaseFitness(pool)
  if (faults.length > 0 && !config.allowUnsafeDatabase)
    throw new Trouble(['The database cannot be used.', ...faults].join('\n  - '))
  return version
}

const PATIENCE_MS = 60_000
const NOT_YET = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  '57P03',
])

/** Waits for a database that is started beside us. Throws at once when it answers and will not have us. */
export async function waitForDatabase(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  for (let told = false; ; told = true) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      const { code, message } = error as Error & { code?: string }
      if (!NOT_YET.has(code ?? '') || Date.now() > end) {
        throw new Trouble(`The database named by DATABASE_URL cannot be used: ${message || code}`, {
          cause: error,
        })
      }
      if (!told)
        say(
          `Waiting up to ${PATIENCE_MS / 1000} s for the database named by DATABASE_URL, which does not answer (${code})`,
        )
      await wait(250)
    }
  }
}

/**
 * Writes the mode (sandbox or live) into the database at the first start, and refuses every later start that disagrees: play
 * money must never buy real postage.
 */
export async function settleMode(database: Database, mode: Config['mode']): Promise<void> {
  const kept = await database.tx(async tx => {
    await tx
      .insertInto('house_setting')
      .values({ key: 'mode', value: mode })
      .onConflict(at => at.column('key').doNothing())
      .execute()
    return tx
      .selectFrom('house_setting')
      .select('value')
      .where('key', '=', 'mode')
      .executeTakeFirstOrThrow()
  })
  if (kept.value === mode) return
  throw new Trouble(
    `This database was made for ${kept.value} mode, and CARRIER and PAYMENTS ask for ${mode} mode. `
      + 'Play money and real money never share a database: set both variables as before, or use another DATA_DIR or DATABASE_URL.',
  )
}
