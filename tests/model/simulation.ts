/**
 * An installation without clocks and workers: everything happens in steps. Time is the database's
 * and passes by moving stored times into the past, so every interleaving of customers, workers,
 * crashes and clocks can be run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cents } from '#contract/money.ts'
import { attemptKey } from '#server/carriers/port.ts'
import type { Carrier, PurchaseResult } from '#server/carriers/port.ts'
import { readConfig } from '#server/config.ts'
import { adjustBalanceTo } from '#server/ledger/adjustment.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import type { Logger } from '#server/platform/process/log.ts'
import { openPurchasing } from '#server/purchasing/open.ts'
import type { PurchaseClaim } from '#server/purchasing/queue-store.ts'
import type { ClaimedVoids } from '#server/voids/settle.ts'
import { CARRIER_TIMEOUT_MS, createCarrierControl } from '#tests/support/carrier-control.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'

/** A suspended process, with responses of the carrier or a claimed void. It continues when it is resumed, however late. */
export type SleepingProcess =
  | { answers: { claim: PurchaseClaim; outcome: PurchaseResult }[] }
  | { voids: ClaimedVoids }

export type Simulation = {
  database: TestDatabase
  /** Where workers work. */
  ctx: LabelContext
  /** The same for customers' requests, which do not wait for a worker. */
  customerCtx: LabelContext
  customerIds: [ana: number, ben: number]
  operator: number
  batches: number[]
  /** Failed rows that another bulk order has taken over. */
  replacedOrderIds: Set<number>
  sleepers: SleepingProcess[]
  outages: { diskIsFull: boolean; carrierIsSilent: boolean; accountIsEmpty: boolean }
  /** Purchase calls by attempt: how many, and whether the last one is proven not to have sold the label. */
  purchaseCalls: Map<string, { times: number; isProven: boolean }>
  /** Attempts that were repeated without that proof: none. */
  unprovenRepeats: string[]
  /** Logged errors, except those of a full disk: none. */
  errors: string[]
}

/**
 * A faulty system, to see the model test fail: `statement` changes the schema, `change` the
 * context.
 */
export type InjectedFault = {
  statement?: string
  change?: (ctx: LabelContext) => Partial<LabelContext>
}

/**
 * Every state change of labels and batches, recorded by the database. `at`: ms of the simulated clock. A label's change also has the
 * status of its batch, and whether it was unknown since before the retry; a batch's change has the number of its unknown labels.
 */
const HISTORY_SCHEMA = `
  create table simulated_clock (passed bigint);
  insert into simulated_clock values (0);
  create function simulated_now() returns float8 language sql as
    $$ select extract(epoch from clock_timestamp())::float8 * 1000 + passed from simulated_clock $$;
  create table label_history (id bigint generated always as identity primary key, order_id bigint, batch_id bigint, before text, after text,
    status text, was_given_up boolean, at float8);
  create function record_label() returns trigger language plpgsql as $$ begin
    insert into label_history (order_id, batch_id, before, after, status, was_given_up, at)
      select new.id, new.batch_id, case when tg_op = 'UPDATE' then old.state end, new.state, b.status,
          case when tg_op = 'UPDATE' then coalesce(old.unknown_since < b.retried_at, false) end, simulated_now()
        from (values (1)) as one left join batch b on b.id = new.batch_id;
    return null;
  end $$;
  create trigger record_new_label after insert on shipment_order for each row execute function record_label();
  create trigger record_label after update of state on shipment_order
    for each row when (old.state <> new.state) execute function record_label();
  create table batch_history (id bigint generated always as identity primary key, batch_id bigint, before text, after text,
    unknown int, at float8);
  create function record_batch() returns trigger language plpgsql as $$ begin
    insert into batch_history (batch_id, before, after, unknown, at)
      select new.id, old.status, new.status, count(*), simulated_now() from shipment_order where batch_id = new.id and state = 'unknown';
    return null;
  end $$;
  create trigger record_batch after update of status on batch
    for each row when (old.status is distinct from new.status) execute function record_batch();
  grant select, insert, update on simulated_clock, label_history, batch_history to evenpost_app;`

const NO_SPACE = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const NO_ANSWER = Object.assign(new Error('the carrier is silent'), { code: 'ECONNREFUSED' })
const NO_MONEY: PurchaseResult = {
  ok: false,
  kind: 'account',
  code: 'NO_MONEY',
  message: 'The account is empty',
}

/** The context with possible outages of disk, carrier connection and carrier account. */
function withOutages(ctx: LabelContext, outages: Simulation['outages']): LabelContext {
  const { carrier, files } = ctx
  const unlessSilent =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      outages.carrierIsSilent ? Promise.reject(NO_ANSWER) : call(...args)
  return {
    ...ctx,
    carrier: {
      ...carrier,
      lookup: unlessSilent(carrier.lookup),
      void: unlessSilent(carrier.void),
      purchase: unlessSilent((...args) =>
        outages.accountIsEmpty ? Promise.resolve(NO_MONEY) : carrier.purchase(...args),
      ),
    },
    files: {
      ...files,
      write: (name, produce) =>
        outages.diskIsFull ? Promise.reject(NO_SPACE) : files.write(name, produce),
    },
  }
}

/**
 * Records each purchase call and whether it was allowed: once, and again only with proof that
 * nothing was sold.
 */
function withPurchaseCallLog(
  carrier: Carrier,
  { purchaseCalls, unprovenRepeats }: Pick<Simulation, 'purchaseCalls' | 'unprovenRepeats'>,
): Carrier {
  return {
    ...carrier,
    async purchase(attempt, ...more) {
      const key = attemptKey(attempt)
      const before = purchaseCalls.get(key)
      if (before?.isProven === false) unprovenRepeats.push(key)
      const now = { times: (before?.times ?? 0) + 1, isProven: false }
      purchaseCalls.set(key, now)
      const outcome = await carrier.purchase(attempt, ...more)
      if (!outcome.ok && outcome.kind !== 'unknown') now.isProven = true
      return outcome
    },
    async lookup(attempt, ...more) {
      const found = await carrier.lookup(attempt, ...more)
      const before = purchaseCalls.get(attemptKey(attempt))
      if (before && found.found === 'not_purchased') before.isProven = true
      return found
    },
  }
}

/** Opens a system for one run and removes it afterwards. */
export async function withSimulation<T>(
  fault: InjectedFault,
  run: (simulation: Simulation) => Promise<T>,
): Promise<T> {
  const { database, drop } = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'evenpost-model-'))
  const errors: string[] = []
  const quiet = (): void => {}
  const error: Logger['error'] = (...said: unknown[]) => {
    const [{ err }, text] = said as [{ err?: Error }, string]
    if (err !== NO_SPACE && text !== 'the carrier account has a problem; buying is paused')
      errors.push(`${text}: ${err?.stack ?? ''}`)
  }
  const log: Logger = { debug: quiet, info: quiet, warn: quiet, error }
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    ROLE: 'web',
    CARRIER_TIMEOUT_MS,
    LOG_LEVEL: 'silent',
  })
  const purchasing = openPurchasing({ config, database, log }, createCarrierControl().wrap)
  try {
    await database.owner.pool.query(HISTORY_SCHEMA)
    if (fault.statement) await database.owner.pool.query(fault.statement)
    await purchasing.start()
    const outages = { diskIsFull: false, carrierIsSilent: false, accountIsEmpty: false }
    const sound = withOutages(purchasing, outages)
    const witness = { purchaseCalls: new Map(), unprovenRepeats: [] }
    const changed: LabelContext = { ...sound, ...fault.change?.(sound) }
    const ctx: LabelContext = {
      ...changed,
      carrier: withPurchaseCallLog(changed.carrier, witness),
    }
    const operator = await newUser(database, 'operator')
    const simulation: Simulation = {
      database,
      ctx,
      customerCtx: { ...ctx, closing: AbortSignal.abort() },
      operator,
      batches: [],
      replacedOrderIds: new Set(),
      sleepers: [],
      customerIds: [await newUser(database, 'ana'), await newUser(database, 'ben')],
      outages,
      errors,
      ...witness,
    }
    return await run(simulation)
  } finally {
    await purchasing.drain()
    await purchasing.stop()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

let lines = 0

export const setCustomerBalance = (
  { database, operator }: Simulation,
  to: number,
  wanted: number,
): Promise<unknown> =>
  database.tx(tx =>
    adjustBalanceTo(tx, to, cents(wanted), {
      actorId: operator,
      reason: 'to play with',
      auditId: ++lines,
    }),
  )

/** The longest that a batch waits for unknown labels, in ms (docs/requirements.md#batches). */
export const UNKNOWN_WAIT_MS = 15 * 60_000

/** Lengths of time (ms) that make a difference: back-offs, leases, the patience with unknown labels and with a carrier's account. */
export const TIME_SPANS = {
  moment: 2_000,
  lease: LABEL_LEASE_MS + 1_000,
  quarterHour: UNKNOWN_WAIT_MS + 1_000,
  day: 24 * 60 * 60_000 + 1_000,
} as const

/** Time passes: everything that is written down happened that much earlier. */
export async function advanceTime({ database }: Simulation, ms: number): Promise<void> {
  const earlier = (...columns: string[]): string =>
    columns.map(column => `${column} = ${column} - $1 * interval '1 millisecond'`).join(', ')
  await database.pool.query('update simulated_clock set passed = passed + $1', [ms])
  const ofLabels = earlier(
    'run_after',
    'queued_at',
    'unknown_since',
    'answer_missing_at',
    'void_requested_at',
  )
  await database.pool.query(`update shipment_order set ${ofLabels}`, [ms])
  await database.owner.pool.query(
    `update open_carrier_call set ${earlier('started_at', 'lease_until')}`,
    [ms],
  )
  await database.pool.query(`update carrier_call set ${earlier('started_at')}`, [ms])
  await database.pool.query(
    `update carrier_budget set ${earlier('filled_at', 'paused_until', 'paused_since')}`,
    [ms],
  )
  await database.pool.query(
    `update batch set ${earlier('work_lease_until', 'only_unknown_since', 'updated_at', 'retried_at')}
    where status is not null`,
    [ms],
  )
}
