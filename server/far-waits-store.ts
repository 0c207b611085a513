import { sql } from 'kysely'
import type { Database } from './platform/database/database.ts'
import { CUSTOM_PLAN } from './platform/database/prepared-statements.ts'

/** Times until which work waits: none is further ahead than `longest`, unless the database's clock was set back. */
type Wait = readonly [table: string, column: string, where: string, longest: string]

const IS_UNFINISHED =
  "status in ('processing', 'generating_files', 'retrying_failed') or files_stale"
const IS_OPEN = "status = 'New' and paid_cents = 0"
const IS_PAID =
  "status in ('New', 'Processing') and paid_cents > credited_cents and not needs_review"
/** The index finds those of a later clock. */
const IS_ASKED = 'asking_until is not null and asked_at > statement_timestamp()'
const HAS_WORK = 'due_at is not null and enabled and deleted_at is null'

export const WAITS: readonly Wait[] = [
  ['shipment_order', 'run_after', "state = 'unknown'", '10 minutes'],
  ['shipment_order', 'run_after', "state = 'voiding' and void_confirmed_at is null", '1 hour'],
  ['parcel_tracking', 'next_check_at', 'next_check_at is not null', '1 day'],
  ['parcel_tracking', 'void_check_at', 'void_check_at is not null', '1 day'],
  ['carrier_label_file', 'run_after', "state = 'pending'", '6 hours'],
  ['bought_before_restore', 'next_check_at', 'true', '6 hours'],
  ['scan_form', 'run_after', "state = 'asked' or awaits_file", '1 hour'],
  ['batch', 'work_lease_until', IS_UNFINISHED, '10 minutes'],
  ['api_shipment', 'buy_after', "batch_state = 'queued'", '10 minutes'],
  ['invoice', 'creating_until', IS_OPEN, '10 minutes'],
  ['invoice', 'next_lookup_at', IS_OPEN, '1 hour'],
  ['invoice', 'next_lookup_at', IS_PAID, '1 hour'],
  ['carrier_budget', 'silent_until', 'silent_until is not null', '1 hour'],
  ['carrier_quote', 'asking_until', IS_ASKED, '10 minutes'],
  ['webhook_inbox', 'retry_at', 'handled_at is null', '1 hour'],
  ['mail', 'next_attempt_at', 'ended_at is null', '10 minutes'],
  ['mail', 'lease_until', 'ended_at is null', '10 minutes'],
  ['webhook_delivery', 'next_try_at', "state = 'waiting'", '27 hours'],
  ['webhook_endpoint', 'paused_until', HAS_WORK, '1 day'],
  ['webhook_endpoint', 'due_at', HAS_WORK, '27 hours'],
  ['webhook_endpoint', 'lease_until', HAS_WORK, '10 minutes'],
]

const ROWS_AT_ONCE = 1_000

/** What waits for longer than it ever does is due now. */
export async function endFarWaits({ tx }: Pick<Database, 'tx'>): Promise<void> {
  for (const [table, column, where, longest] of WAITS) {
    const [rows, at] = [sql.table(table), sql.ref(column)]
    const far = sql`select ctid from only ${rows} where (${sql.raw(where)})
      and ${at} > statement_timestamp() + ${longest}::interval + interval '1 minute' limit ${ROWS_AT_ONCE} for update skip locked`
    const endSome = () =>
      tx(inner =>
        sql`${sql.raw(CUSTOM_PLAN)} update only ${rows} set ${at} = clock_timestamp() where ctid = any(array(${far}))`.execute(
          inner,
        ),
      )
    while (Number((await endSome()).numAffectedRows) === ROWS_AT_ONCE);
  }
}
