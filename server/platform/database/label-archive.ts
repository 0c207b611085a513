/**
 * The archive of finished labels: server/schema/functions/label_archive.sql has the steps, the reasons are in
 * docs/decisions/0072-old-labels-move-to-an-archive.md.
 */
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { runBriefStep } from './brief-step.ts'

/** The first step of the preparation analyzes the labels. */
const PREPARE_TIMEOUT_MS = 3600_000
const GROUP_TIMEOUT_MS = 30_000
const INDEX_TIMEOUT_MS = 12 * 3600_000
/** Labels looked at in one transaction. */
const ARCHIVE_GROUP = 1_000
/** Orders wait behind a step that waits for a lock, so the pauses between attempts grow. */
const LOCK_ATTEMPTS = 5
const LOCK_PAUSE_MS = 500
/** Pauses last as long as the group before, and so many times as long while labels wait to be purchased. */
const BUSY_FACTOR = 10
const MAX_PAUSE_MS = 2_000

type Progress = { say: (done: string) => void; isStopped: () => boolean }

/**
 * Moves labels that were finished long enough ago, some at a time, until none is left; nothing while the archive is off. Several
 * processes may call it at once: one of them works. `say` gets each step of the preparation, and at the end how many were moved.
 */
export async function keepLabelArchive(pool: pg.Pool, progress: Progress): Promise<void> {
  if (!(await prepareLabelArchive(pool, progress, LOCK_ATTEMPTS))) return
  let total = 0
  while (!progress.isStopped()) {
    const begun = performance.now()
    const moved = await runBriefStep<number | null>(
      pool,
      'archive_labels($1)',
      [ARCHIVE_GROUP],
      GROUP_TIMEOUT_MS,
    )
    if (moved === null || moved === 'locked') break
    total += moved
    const factor = (await hasQueue(pool)) ? BUSY_FACTOR : 1
    await wait(Math.min((performance.now() - begun) * factor, MAX_PAUSE_MS))
  }
  if (total > 0) progress.say(`archived ${total} labels`)
}

/** False when a step got no lock: other transactions keep a table, and the next round tries again. */
async function prepareLabelArchive(
  pool: pg.Pool,
  { say, isStopped }: Progress,
  attempts: number,
): Promise<boolean> {
  for (let attempt = 1; !isStopped();) {
    const done = await runBriefStep<string | null>(
      pool,
      'prepare_label_archive()',
      [],
      PREPARE_TIMEOUT_MS,
    )
    if (done === null) return true
    if (done !== 'locked') say(done)
    else if (attempt === attempts) return false
    else await wait(LOCK_PAUSE_MS * 2 ** attempt++ * (0.5 + Math.random()))
  }
  return false
}

const hasQueue = async (pool: pg.Pool): Promise<boolean> =>
  (
    await pool.query<{ isBusy: boolean }>(
      `select exists (select from only shipment_order where state = 'queued')
        or exists (select from only shipment_order where state = 'purchasing') as "isBusy"`,
    )
  ).rows[0]!.isBusy

/**
 * `isWorking`: within the last day a worker has come to the end of the labels that can move, or the setting was changed. `labels`: about
 * how many are in it, as the planner knows.
 */
export type LabelArchive = {
  months: number | null
  isThere: boolean
  isWorking: boolean
  labels: number
}

export async function readLabelArchive(pool: pg.Pool): Promise<LabelArchive> {
  const { rows } = await pool.query<LabelArchive>(`
    select (select months from label_archive) as months,
      to_regclass('shipment_order_archive') is not null as "isThere",
      coalesce((select greatest(complete_at, set_at) > now() - interval '1 day' from label_archive), false) as "isWorking",
      greatest(coalesce((select reltuples from pg_class where oid = to_regclass('shipment_order_archive')), 0), 0)::bigint as labels`)
  return rows[0]!
}

/**
 * Labels move after so many months; undefined: no more labels move, and those in the archive stay there. Adds to an archive what
 * migrations have added to labels. `pool`: of the owner, as the server's user may only read the setting.
 */
export async function putLabelArchive(pool: pg.Pool, months: number | undefined): Promise<void> {
  await (months === undefined
    ? pool.query('update label_archive set months = null, set_at = now() where months is not null')
    : pool.query(
        `insert into label_archive as a (months) values ($1) on conflict (is_only) do update
          set months = excluded.months, set_at = now() where a.months is distinct from excluded.months`,
        [months],
      ))
  if (months === undefined && !(await readLabelArchive(pool)).isThere) return
  // A start does not wait for a long report; a worker goes on where it stopped.
  await prepareLabelArchive(pool, { say: () => {}, isStopped: () => false }, 1)
  await buildIndexes(pool)
}

/** An arbitrary number: one process builds them. */
const INDEX_LOCK = 7_301_959

async function buildIndexes(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    const { rows: locked } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${INDEX_LOCK}) as taken`,
    )
    if (!locked[0]!.taken) return
    // One that is not valid was interrupted; without a definition, labels have it no more: dropped last, when others may replace it.
    const { rows } = await client.query<{
      name: string
      definition: string | null
      isThere: boolean
    }>(`
      select coalesce(wanted.name, own.relname) as name, wanted.definition, own.oid is not null as "isThere"
        from label_archive_indexes() wanted
        full join (
          select relname, c.oid, indisvalid from pg_index join pg_class c on c.oid = indexrelid
            where indrelid = to_regclass('shipment_order_archive') and relname like 'archive\\_%') own on own.relname = wanted.name
        where to_regclass('shipment_order_archive') is not null
          and (own.indisvalid is not true or wanted.definition is distinct from pg_get_indexdef(own.oid))
        order by wanted.definition is null`)
    for (const { name, definition, isThere } of rows) {
      if (isThere) await client.query(`drop index concurrently ${pg.escapeIdentifier(name)}`)
      if (definition === null) continue
      const text = definition.replace(/ INDEX (?=\w)/, ' INDEX CONCURRENTLY ')
      await client.query({ text, query_timeout: INDEX_TIMEOUT_MS } as pg.QueryConfig)
    }
  } finally {
    client.release(true)
  }
}
