import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '#server/platform/config.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { isDatabaseUnavailable } from './faults.ts'
import { ServerReplacedError } from './primary-client.ts'

const MIN_VERSION = 15

/** Without these a confirmed commit could be lost in a power cut. */
const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit']

export type ServerCheck = {
  version: string
  /** Empty when the server can be used. */
  problems: string[]
}

/** Checks for a supported version, UTF-8 and durable commits. */
export async function checkDatabaseServer(pool: pg.Pool): Promise<ServerCheck> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [['server_version', 'server_version_num', 'server_encoding', ...DURABILITY_SETTINGS]],
  )
  const setting = Object.fromEntries(rows.map(row => [row.name, row.setting]))
  const problems = DURABILITY_SETTINGS.filter(name => setting[name] === 'off').map(
    name => `${name} is off: a power cut could lose confirmed transactions. Set ${name} = on.`,
  )
  if (Number(setting.server_version_num) < MIN_VERSION * 10_000) {
    problems.push(
      `It is PostgreSQL ${setting.server_version}; Evenpost needs ${MIN_VERSION} or newer.`,
    )
  }
  if (setting.server_encoding !== 'UTF8')
    problems.push(`Its encoding is ${setting.server_encoding}; Evenpost needs UTF8.`)
  return { version: setting.server_version ?? '?', problems }
}

/** Returns the server's version. Throws OperatorError unless the server passes the check. */
export async function requireDatabaseServer(pool: pg.Pool, config: Config): Promise<string> {
  const { version, problems } = await checkDatabaseServer(pool)
  if (problems.length > 0 && !config.allowUnsafeDatabase)
    throw new OperatorError(['The database cannot be used.', ...problems].join('\n  - '))
  return version
}

const CONNECT_TIMEOUT_MS = 60_000
/** Time limits of the driver, whose errors have no code. */
const LATE_MESSAGES = new Set(['timeout expired', 'Query read timeout'])

/** Whether the server is starting, slow or lost, so that the same call may succeed in a moment. */
function isLateServer(error: unknown): boolean {
  if (error instanceof ServerReplacedError) return false
  const { code, message } = error as Error & { code?: string }
  return isDatabaseUnavailable(error) || code === 'EAI_AGAIN' || LATE_MESSAGES.has(message)
}

export type RetryOptions = {
  pauseMs: number
  /** Called once, when it has taken longer than `announceAfterMs`. */
  say: (line: string) => void
  announceAfterMs?: number
  /** What the line calls it. */
  database?: string
}

/** For a start: repeats `work` for up to a minute while the database server is late. */
export async function retryWhileLate<T>(
  work: () => Promise<T>,
  { pauseMs, say, announceAfterMs = 2_000, database = 'the database' }: RetryOptions,
): Promise<T> {
  const began = performance.now()
  for (let announced = false; ; await wait(pauseMs)) {
    try {
      return await work()
    } catch (error) {
      const waitedMs = performance.now() - began
      if (!isLateServer(error) || waitedMs > CONNECT_TIMEOUT_MS) throw error
      if (announced || waitedMs < announceAfterMs) continue
      const { code, message } = error as Error & { code?: string }
      say(
        `Waiting up to ${CONNECT_TIMEOUT_MS / 1000} s for ${database}, which does not respond (${code ?? message})`,
      )
      announced = true
    }
  }
}

/**
 * Waits for a database that starts at the same time; `variable` names it in messages. Throws OperatorError at once when it refuses
 * the connection for another reason.
 */
export async function waitForDatabase(
  pool: pg.Pool,
  say: (line: string) => void,
  variable: string,
): Promise<void> {
  const database = `the database named by ${variable}`
  try {
    const ask = () => pool.query('select 1')
    await retryWhileLate(ask, { pauseMs: 250, say, announceAfterMs: 0, database })
  } catch (cause) {
    const { code, message } = cause as Error & { code?: string }
    throw new OperatorError(
      `The database named by ${variable} cannot be used: ${message || code}`,
      { cause },
    )
  }
}
