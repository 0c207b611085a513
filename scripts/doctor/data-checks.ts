/**
 * The doctor's checks of a migrated database: books, labels, bulk orders, restores. They only read;
 * each problem names its remedy.
 */
import type pg from 'pg'
import { countText, plural } from '#contract/format.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import { countOpenInOtherAccounts } from '#server/orders/service.ts'
import type { LastBackup } from '#server/platform/backup/create-backup.ts'
import { readRestoreState } from '#server/platform/backup/restore-state.ts'
import type { Database } from '#server/platform/database/database.ts'
import { connectToPrimary } from '#server/platform/database/primary-client.ts'
import { checkStoredSums } from './sum-checks.ts'

export type Finding = { isOk: boolean; text: string }

const okFinding = (text: string): Finding => ({ isOk: true, text })
const problemFinding = (text: string): Finding => ({ isOk: false, text })

const MAX_SHOWN = 20

/**
 * `url`: for queries without the pool's time limit. `accounts`: names of the configured carrier
 * account.
 */
export async function checkData(
  database: Database,
  url: string,
  accounts: CarrierAccountNames,
): Promise<Finding[]> {
  return [
    ...(await checkBooks(url)),
    ...(await checkLabels(database.pool)),
    ...(await checkAccounts(database, accounts)),
    ...(await checkBatches(database.pool)),
    ...(await checkRestore(database)),
  ]
}

/** How long the check of the books takes: measured on two cores, 190 s for 22 million transfers. */
const SECONDS_A_MILLION = 9

/** What to say before the books are checked; null where that takes only seconds. */
export function booksNotice(transfers: number): string | null {
  const minutes = Math.round(((transfers / 1e6) * SECONDS_A_MILLION) / 60)
  if (minutes < 1) return null
  const millions = Math.round(transfers / 1e6)
  return `Books: about ${millions} million transfers are added up. This takes about ${countText(minutes, 'minute')}`
}

/** How many transfers there are, by the planner's statistics: no row is read. */
export async function estimateTransfers({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    "select greatest(reltuples, 0)::float8 as n from pg_class where oid = 'transfer'::regclass",
  )
  return rows[0]!.n
}

async function checkBooks(url: string): Promise<Finding[]> {
  const client = await connectToPrimary({
    connectionString: url,
    application_name: 'evenpost doctor',
  })
  try {
    const { rows }: pg.QueryResult<Record<string, unknown>> = await client.query(
      'select * from check_invariants()',
    )
    const sums = await checkStoredSums(client)
    if (rows.length === 0)
      return [okFinding('Books: every balance is the sum of its transfers'), ...sums]
    const more =
      rows.length > MAX_SHOWN ? [problemFinding(`Books: and ${rows.length - MAX_SHOWN} more`)] : []
    return [
      ...rows.slice(0, MAX_SHOWN).map(row => problemFinding(`Books: ${JSON.stringify(row)}`)),
      ...more,
      problemFinding(
        'Books: stop selling (ROLE=web, no worker) and make a backup before you correct anything',
      ),
      ...sums,
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

type StuckLabels = { unknown: number; waiting: number; voiding: number; unreachable: number }

/** Open labels that only another account at a carrier can look up. */
async function checkAccounts({ db }: Database, accounts: CarrierAccountNames): Promise<Finding[]> {
  return (await countOpenInOtherAccounts(db, accounts)).map(({ account, count }) =>
    problemFinding(
      `Labels: ${count} ${plural(count, 'waits', 'wait')} for the carrier account ${account}, but the configured one is ${accounts[0]}. `
        + `Configure the key of ${account} until they are settled; if it is the same account under a new key or name, `
        + `set CARRIER_SAME_ACCOUNT=${account}.`,
    ),
  )
}

/** Labels without progress for longer than a running worker would leave them. */
async function checkLabels(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query<StuckLabels>(`
    select count(*) filter (where state = 'unknown' and unknown_since < now() - interval '15 minutes') as unknown,
           count(*) filter (where state in ('queued', 'purchasing') and queued_at < now() - interval '1 hour') as waiting,
           count(*) filter (where state = 'voiding' and void_confirmed_at is null
             and void_requested_at < now() - interval '15 days') as voiding,
           count(*) filter (where state = 'purchasing' and lease_until < now() - interval '1 minute')
             + (select count(*) from open_carrier_call where lease_until < now() - interval '1 minute') as unreachable
      from shipment_order where state in ('unknown', 'queued', 'purchasing', 'voiding')`)
  const { unknown, waiting, voiding, unreachable } = rows[0]!
  const findings = [
    ...(unknown > 0
      ? [
          problemFinding(
            `Labels: ${unknown} may or may not have been bought, for over 15 minutes; their money is held. They are looked up `
              + "each minute. Check the carrier's own list, and resolve them manually in the administrator's list of labels.",
          ),
        ]
      : []),
    ...(waiting > 0
      ? [
          problemFinding(
            `Labels: ${waiting} ${plural(waiting, 'waits', 'wait')} for over an hour to be bought. Is a worker running `
              + '(ROLE=all or worker)? Does the carrier account have money left?',
          ),
        ]
      : []),
    ...(unreachable > 0
      ? [
          problemFinding(
            `Labels: ${unreachable} ${plural(unreachable, 'is', 'are')} leased by a process that is gone, and no worker continues. `
              + 'Start one (ROLE=all or worker); it looks them up at the carrier first.',
          ),
        ]
      : []),
    ...(voiding > 0
      ? [
          problemFinding(
            `Labels: ${countText(voiding, 'void')} without the carrier's decision for over 15 days. Contact the carrier, and `
              + "resolve them manually in the administrator's list of labels.",
          ),
        ]
      : []),
  ]
  return findings.length > 0 ? findings : [okFinding('Labels: none has waited too long')]
}

async function checkBatches(pool: pg.Pool): Promise<Finding[]> {
  // Batches whose labels wait are covered by checkLabels. 'failed', 'unknown' is the condition of the index order_not_purchased.
  const { rows: stalled } = await pool.query<{ id: number }>(`
    select id from batch b
      where status in ('processing', 'generating_files', 'retrying_failed') and updated_at < now() - interval '30 minutes'
        and not exists (select 1 from shipment_order o where o.batch_id = b.id and o.state in ('queued', 'purchasing'))
        and not exists (select 1 from shipment_order o where o.batch_id = b.id and o.state in ('failed', 'unknown') and o.state = 'unknown')
      order by id limit ${MAX_SHOWN}`)
  const { rows: withoutFiles } = await pool.query<{ id: number; problem: string }>(`
    select id, files_problem as problem from batch where files_problem is not null order by id limit ${MAX_SHOWN}`)
  const findings = [
    ...stalled.map(({ id }) =>
      problemFinding(
        `Bulk order ${id} has no open label but does not end. Is a worker running (ROLE=all or worker)?`,
      ),
    ),
    ...withoutFiles.map(({ id, problem }) =>
      problemFinding(
        `Bulk order ${id} has no files: ${problem}. They are retried automatically; free some space, or `
          + 'correct the permissions of DATA_DIR/files or of the bucket.',
      ),
    ),
  ]
  return findings.length > 0
    ? findings
    : [okFinding('Bulk orders: none is stuck, and all that ended have their files')]
}

async function checkRestore({ db }: Database): Promise<Finding[]> {
  const { pending, at } = await readRestoreState(db)
  if (pending) {
    return [
      problemFinding(
        'Restore: this database was restored, or moved to another server, since its last start. The next start looks up '
          + 'every open label at the carrier before it buys; start no older version on it.',
      ),
    ]
  }
  return at === null
    ? []
    : [
        okFinding(
          `Restore: the start of ${at.toISOString()} found a restored database and looked up all open labels`,
        ),
      ]
}

const DAY_MS = 24 * 60 * 60 * 1000

/** For the embedded database. In sandbox mode a missing backup is no problem. */
export function checkBackupAge(
  last: LastBackup | null,
  mode: 'sandbox' | 'live',
  now: Date,
): Finding {
  const finding = mode === 'sandbox' ? okFinding : problemFinding
  if (!last)
    return finding('Backup: there is none yet. npm run backup makes one while Evenpost runs.')
  const days = Math.floor((now.getTime() - new Date(last.madeAt).getTime()) / DAY_MS)
  const text = `Backup: the last one is of ${last.madeAt}, in ${last.folder}, ${last.rehearsed ? 'test-restored' : 'never test-restored'}`
  if (days >= 2) return finding(`${text}. That is ${countText(days, 'day')} ago: npm run backup.`)
  return okFinding(text)
}
