import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from './refusal.ts'

/** Files and pages: with an empty cache a page loads up to 40, and once idle some 80 of other pages. */
export const FILES_A_MINUTE = 6_000
/** Above any monitor, which asks once a second. */
export const HEALTH_CHECKS_A_MINUTE = 12_000
/** When the network of a large office returns, all its pages reconnect at once, some twice. */
export const SOCKETS_A_MINUTE = 6_000

const WINDOW_MS = 60_000
/** A limit that ends so much later than its window allows is from before the clock was set back, and over. */
const CLOCK_MARGIN_MS = 60_000
// A killed process loses at most the counts of this time.
const SAVE_INTERVAL_MS = 2_000
const ADDRESS_LIMITS = {
  calls: { prefix: 'calls:', most: null, text: 'Too many calls from your address.' },
  files: {
    prefix: 'files:',
    most: FILES_A_MINUTE,
    text: 'Too many pages are loaded from your address.',
  },
  health: {
    prefix: 'health:',
    most: HEALTH_CHECKS_A_MINUTE,
    text: 'Too many health checks from your address.',
  },
  sockets: {
    prefix: 'sockets:',
    most: SOCKETS_A_MINUTE,
    text: 'Too many live connections are opened from your address.',
  },
} as const
export type RequestKind = keyof typeof ADDRESS_LIMITS

/** Bounds the work for wrong keys of an address; a key has 178 random bits and cannot be guessed. */
const WRONG_KEYS_A_MINUTE = 300
const WRONG_KEYS_PREFIX = 'wrong-keys:'
const KEY_CALLS_PREFIX = 'key:'
/** Keys that were valid lately, in memory: others' wrong keys at their address do not stop them. */
const VALID_KEYS_KEPT = 10_000
const STORED_PREFIXES = [
  ...Object.values(ADDRESS_LIMITS).map(({ prefix }) => prefix),
  WRONG_KEYS_PREFIX,
  KEY_CALLS_PREFIX,
]

// A trusted proxy may forward any text. A key too long for the table's index would make saving all
// counts fail.
const MAX_ADDRESS_LENGTH = 64

/** Rate limits. They are stored in the database, so a restart resets none of them. */
export type RequestLimits = {
  /**
   * Counts an attempt under `key`: `max` at once, and one more is free each `windowSeconds / max`.
   * Throws Refusal 429 with `text` and the seconds to wait. Refused attempts do not extend
   * the wait.
   */
  countAttempt(key: string, max: number, windowSeconds: number, text?: string): Promise<void>
  /** As `countAttempt`, but counts nothing. `longestSeconds`: the longest window that `key` is counted with. */
  checkAttempts(
    key: string,
    max: number,
    windowSeconds: number,
    longestSeconds?: number,
  ): Promise<void>
  resetAttempts(key: string): Promise<void>
  /** Counts a request or a new socket of an address, in memory. Throws Refusal 429. */
  admit(address: string, kind?: RequestKind): void
  /**
   * Counts a call with a key before it is looked up. Throws Refusal 'rate_limited' when too many
   * wrong keys came from the address, except for a key whose last call was valid.
   */
  countKeyCall(key: string, address: string): KeyAllowance
  rememberValidKey(key: string): void
  countWrongKey(key: string, address: string): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Of one key and minute. `left`: calls after this one; negative: this one is too many. */
export type KeyAllowance = { most: number; left: number; seconds: number }

type RequestCount = { hits: number; unsaved: number; resetsAt: number }

export function openRequestLimits(ctx: Context): RequestLimits {
  const counts = new Map<string, RequestCount>()
  const validKeys = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()
  const save = () =>
    (saving = saving
      .then(() => saveCounts(ctx, counts))
      .catch((error: unknown) => {
        // The counts stay in memory; the next save includes them.
        ctx.log.warn({ err: error }, 'the request counts could not be saved')
      }))
  return {
    countAttempt: (key, max, windowSeconds, text) =>
      countAttempt(ctx, key, max, windowSeconds, text),
    checkAttempts: (key, max, windowSeconds, longestSeconds) =>
      checkAttempts(ctx, key, max, windowSeconds, { longestSeconds }),
    resetAttempts: async key =>
      void (await sql`delete from throttle where key = ${key}`.execute(ctx.database.db)),
    admit(address, kind = 'calls') {
      const { prefix, text, most } = ADDRESS_LIMITS[kind]
      const limit = { most: most ?? ctx.config.callsPerMinute, text }
      const count = countOf(counts, prefix + networkOf(address))
      refuseBeyond(count, limit)
      addHit(count)
    },
    countKeyCall(key, address) {
      const mark = keyMark(key)
      const wrong = countOf(counts, WRONG_KEYS_PREFIX + networkOf(address))
      if (!validKeys.has(mark))
        refuseBeyond(wrong, {
          most: WRONG_KEYS_A_MINUTE,
          text: 'Too many wrong keys from your address.',
        })
      const most = ctx.config.keyCallsPerMinute
      const count = countOf(counts, KEY_CALLS_PREFIX + mark)
      if (count.hits < most) addHit(count)
      else return { most, left: -1, seconds: secondsLeft(count) }
      return { most, left: most - count.hits, seconds: secondsLeft(count) }
    },
    rememberValidKey(key) {
      const mark = keyMark(key)
      // Again at the end: the one that was used longest ago is forgotten.
      validKeys.delete(mark)
      validKeys.add(mark)
      if (validKeys.size > VALID_KEYS_KEPT) validKeys.delete(validKeys.values().next().value!)
    },
    countWrongKey(key, address) {
      validKeys.delete(keyMark(key))
      addHit(countOf(counts, WRONG_KEYS_PREFIX + networkOf(address)))
    },
    async start() {
      if (timer) return
      await loadCounts(ctx, counts)
      timer = setInterval(save, SAVE_INTERVAL_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await save()
    },
  }
}

/**
 * What counts as one address: a whole /64 of IPv6, since one customer gets all of it; the IPv4
 * address of a mapped one; any other text itself, cut to a length that can be stored.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address)) return address.slice(0, MAX_ADDRESS_LENGTH)
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  while (tail !== undefined && groups.length + after.length < 8) groups.push('0')
  return `${[...groups, ...after]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** SQL condition on a `throttle t`. */
const isOfLaterClock = (windowSeconds: number) => sql<boolean>`t.resets_at > now()
  + (${windowSeconds}::float8 + ${CLOCK_MARGIN_MS / 1000}::float8) * interval '1 second'`

const isStoredOver = (windowSeconds: number) =>
  sql<boolean>`(t.resets_at <= now() or ${isOfLaterClock(windowSeconds)})`

/**
 * One statement, so that concurrent attempts cannot exceed the limit. `resets_at` is when all
 * attempts are free again. An attempt moves it by one interval and is refused when it would be more
 * than the window ahead.
 */
async function countAttempt(
  ctx: Context,
  key: string,
  max: number,
  windowSeconds: number,
  text?: string,
): Promise<void> {
  const interval = windowSeconds / max
  const isOld = isStoredOver(windowSeconds)
  const { rows } = await sql<{ hits: number }>`
    insert into throttle as t (key, hits, resets_at) values (${key}, 1, now() + ${interval} * interval '1 second')
    on conflict (key) do update
      set hits = case when ${isOld} then 1 else t.hits + 1 end,
          resets_at = case when ${isOld} then now() else t.resets_at end + ${interval} * interval '1 second'
      where ${isOld} or t.resets_at <= now() + (${windowSeconds}::float8 - ${interval}::float8) * interval '1 second'
    returning hits`.execute(ctx.database.db)
  if (!rows[0]) await checkAttempts(ctx, key, max, windowSeconds, { text })
}

async function checkAttempts(
  ctx: Context,
  key: string,
  max: number,
  windowSeconds: number,
  {
    text,
    longestSeconds = windowSeconds,
  }: { text?: string | undefined; longestSeconds?: number | undefined },
): Promise<void> {
  const interval = windowSeconds / max
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from resets_at - now()) - ${windowSeconds}::float8 + ${interval}::float8)::int as seconds
      from throttle t where key = ${key} and not ${isOfLaterClock(longestSeconds)}`.execute(
    ctx.database.db,
  )
  const seconds = rows[0]?.seconds ?? 0
  if (seconds <= 0) return
  throw new Refusal(
    'rate_limited',
    text ?? `Too many attempts. Please wait ${waitText(seconds)} and try again.`,
    { retryAfter: seconds },
  )
}

function countOf(counts: Map<string, RequestCount>, key: string): RequestCount {
  const now = Date.now()
  let count = counts.get(key)
  if (!count || isOver(count, now))
    counts.set(key, (count = { hits: 0, unsaved: 0, resetsAt: now + WINDOW_MS }))
  return count
}

const isOver = ({ resetsAt }: RequestCount, now: number): boolean =>
  resetsAt <= now || resetsAt > now + WINDOW_MS + CLOCK_MARGIN_MS

function addHit(count: RequestCount): void {
  count.hits++
  count.unsaved++
}

function refuseBeyond(count: RequestCount, { most, text }: { most: number; text: string }): void {
  if (count.hits < most) return
  const seconds = secondsLeft(count)
  throw new Refusal('rate_limited', `${text} Please wait ${waitText(seconds)} and try again.`, {
    retryAfter: seconds,
  })
}

const secondsLeft = ({ resetsAt }: RequestCount): number =>
  Math.max(1, Math.ceil((resetsAt - Date.now()) / 1000))

/** Of a count: no key can be found from it. */
const keyMark = (key: string): string =>
  createHash('sha256').update(`calls of ${key}`).digest('base64url').slice(0, 22)

/** Adds the counts of this process to those of others and continues from the sum. */
async function saveCounts(ctx: Context, counts: Map<string, RequestCount>): Promise<void> {
  const now = Date.now()
  const isOld = isStoredOver(WINDOW_MS / 1000)
  const fresh: [string, RequestCount, number][] = []
  for (const [key, count] of counts) {
    if (isOver(count, now)) counts.delete(key)
    else if (count.unsaved > 0) fresh.push([key, count, count.unsaved])
  }
  if (fresh.length > 0) {
    const { rows } = await sql<{ key: string; hits: number }>`
      insert into throttle as t (key, hits, resets_at)
      select f.key, f.hits, now() + f.ms * interval '1 millisecond'
        from unnest(${fresh.map(([key]) => key)}::text[], ${fresh.map(([, , unsaved]) => unsaved)}::int[],
                    ${fresh.map(([, count]) => count.resetsAt - now)}::float8[]) as f (key, hits, ms)
        order by f.key
      on conflict (key) do update
        set hits = case when ${isOld} then excluded.hits else t.hits + excluded.hits end,
            resets_at = case when ${isOld} then excluded.resets_at else t.resets_at end
      returning key, hits`.execute(ctx.database.db)
    const sums = new Map(rows.map(row => [row.key, row.hits]))
    for (const [key, count, unsaved] of fresh) {
      count.unsaved -= unsaved
      count.hits = Math.max(count.hits, (sums.get(key) ?? 0) + count.unsaved)
    }
  }
  await sql`delete from throttle where resets_at < now() - interval '1 minute'`.execute(
    ctx.database.db,
  )
}

async function loadCounts(ctx: Context, counts: Map<string, RequestCount>): Promise<void> {
  const { rows } = await sql<{ key: string; hits: number; ms: number }>`
    select key, hits, (extract(epoch from resets_at - now()) * 1000)::float8 as ms from throttle t
      where key ^@ any (${STORED_PREFIXES}::text[]) and resets_at > now() and not ${isOfLaterClock(WINDOW_MS / 1000)}`.execute(
    ctx.database.db,
  )
  const now = Date.now()
  for (const { key, hits, ms } of rows) counts.set(key, { hits, unsaved: 0, resetsAt: now + ms })
}

const waitText = (seconds: number): string =>
  seconds <= 90
    ? `${seconds} second${seconds === 1 ? '' : 's'}`
    : `${Math.ceil(seconds / 60)} minutes`
