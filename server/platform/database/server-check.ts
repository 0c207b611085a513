import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '#server/platform/config.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'

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
const NOT_READY_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'ECONNRESET',
  '57P01',
  '57P02',
  '57P03',
])
/** Of the driver, whose errors have no code. */
const LATE_MESSAGE =
  /timeout exceeded|timeout expired|connection timeout|connection terminated|read timeout/i

/** Whether the server starts, is slow or was lost, so that the same may succeed in a moment. A refusal is none of these. */
export function isLateServer(error: unknown): boolean {
  const { code, message } = error as Error & { code?: string }
  return code === undefined ? LATE_MESSAGE.test(message) : NOT_READY_CODES.has(code)
}

function waitingLine(database: string, error: unknown): string {
  const { code, message } = error as Error & { code?: string }
  return `Waiting up to ${CONNECT_TIMEOUT_MS / 1000} s for ${database}, which does not respond (${code ?? message})`
}

const ANNOUNCE_AFTER_MS = 2_000

export type RetryOptions = {
  pauseMs: number
  /** Told once, after two seconds. */
  say: (line: string) => void
  mayRepeat?: () => boolean
}

/** At a start whose database has answered before: repeats `work` for a minute while the server is late and `mayRepeat` says so. */
export async function retryWhileLate<T>(
  work: () => Promise<T>,
  { pauseMs, say, mayRepeat = () => true }: RetryOptions,
): Promise<T> {
  const began = performance.now()
  for (let announced = false; ; await wait(pauseMs)) {
    try {
      return await work()
    } catch (error) {
      const waitedMs = performance.now() - began
      if (!isLateServer(error) || !mayRepeat() || waitedMs > CONNECT_TIMEOUT_MS) throw error
      if (announced || waitedMs < ANNOUNCE_AFTER_MS) continue
      say(waitingLine('the database', error))
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
  const end = Date.now() + CONNECT_TIMEOUT_MS
  for (let announced = false; ; announced = true) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      const { code, message } = error as Error & { code?: string }
      if (!isLateServer(error) || Date.now() > end) {
        throw new OperatorError(
          `The database named by ${variable} cannot be used: ${message || code}`,
          {
            cause: error,
          },
        )
      }
      if (!announced) say(waitingLine(`the database named by ${variable}`, error))
      await wait(250)
    }
  }
}
