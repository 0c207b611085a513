import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '#server/platform/config.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import type { Database } from './database.ts'

const MIN_VERSION = 15

/** Settings without which a confirmed purchase could vanish in a power cut. */
const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit']

export type ServerCheck = {
  version: string
  /** Sentences; empty when the server may keep our books. */
  problems: string[]
}

/** Whether this PostgreSQL may keep our books: new enough, UTF-8, and it keeps what it has confirmed. */
export async function checkDatabaseServer(pool: pg.Pool): Promise<ServerCheck> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [['server_version', 'server_version_num', 'server_encoding', ...DURABILITY_SETTINGS]],
  )
  const setting = Object.fromEntries(rows.map(row => [row.name, row.setting]))
  const faults = DURABILITY_SETTINGS.filter(name => setting[name] === 'off').map(
    name => `${name} is off: a power cut could lose labels that were paid for. Set ${name} = on.`,
  )
  if (Number(setting.server_version_num) < MIN_VERSION * 10_000) {
    faults.push(
      `It is PostgreSQL ${setting.server_version}; Evenpost needs ${MIN_VERSION} or newer.`,
    )
  }
  if (setting.server_encoding !== 'UTF8')
    faults.push(`Its encoding is ${setting.server_encoding}; Evenpost needs UTF8.`)
  return { version: setting.server_version ?? '?', problems: faults }
}

/** Throws unless the database is fit for the books of a till. Returns the server's version. */
export async function requireDatabaseServer(pool: pg.Pool, config: Config): Promise<string> {
  const { version, problems } = await checkDatabaseServer(pool)
  if (problems.length > 0 && !config.allowUnsafeDatabase)
    throw new OperatorError(['The database cannot be used.', ...problems].join('\n  - '))
  return version
}

const CONNECT_TIMEOUT_MS = 60_000
const NOT_READY_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  '57P03',
])

/** Waits for a database that is started beside us. Throws at once when it answers and will not have us. */
export async function waitForDatabase(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  const end = Date.now() + CONNECT_TIMEOUT_MS
  for (let told = false; ; told = true) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      const { code, message } = error as Error & { code?: string }
      if (!NOT_READY_CODES.has(code ?? '') || Date.now() > end) {
        throw new OperatorError(
          `The database named by DATABASE_URL cannot be used: ${message || code}`,
          {
            cause: error,
          },
        )
      }
      if (!told)
        say(
          `Waiting up to ${CONNECT_TIMEOUT_MS / 1000} s for the database named by DATABASE_URL, which does not answer (${code})`,
        )
      await wait(250)
    }
  }
}

/**
 * Writes the mode (sandbox or live) into the database at the first start, and refuses every later start that disagrees: play
 * money must never buy real postage.
 */
export async function requireSameMode(database: Database, mode: Config['mode']): Promise<void> {
  const kept = await database.tx(async tx => {
    await tx
      .insertInto('app_setting')
      .values({ key: 'mode', value: mode })
      .onConflict(at => at.column('key').doNothing())
      .execute()
    return tx
      .selectFrom('app_setting')
      .select('value')
      .where('key', '=', 'mode')
      .executeTakeFirstOrThrow()
  })
  if (kept.value === mode) return
  throw new OperatorError(
    `This database was made for ${kept.value} mode, and CARRIER and PAYMENTS ask for ${mode} mode. `
      + 'Play money and real money never share a database: set both variables as before, or use another DATA_DIR or DATABASE_URL.',
  )
}
