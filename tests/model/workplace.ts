/**
 * A house in which nothing happens by itself: no clock ticks, no worker runs unless a step says so. Time is the database's, and it
 * passes by moving what is written there into the past. So every interleaving of customers, workers, deaths and clocks can be played.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WithBatches } from '#server/batches/close.ts'
import type { Outcome } from '#server/carriers/port.ts'
import { adjust } from '#server/ledger/adjustment.ts'
import { cents } from '#contract/money.ts'
import type { Claim } from '#server/orders/queue-store.ts'
import { LEASE_MS } from '#server/orders/reconcile.ts'
import type { Taken } from '#server/orders/voids.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database.ts'
import type { Logger } from '#server/platform/log.ts'
import { openWorkshop } from '#server/workshop.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'

/** A process that fell asleep: over answers of the carrier, or before it asked for a void. It goes on when it wakes up, however late. */
export type Sleeper = { answers: { claim: Claim, outcome: Outcome }[] } | { voids: Taken }

export type Place = {
  database: Database
  /** Where workers work. */
  house: WithBatches
  /** The same for customers, of whom none waits: there is nobody behind the counter until a step says so. */
  counter: WithBatches
  people: [ana: number, ben: number]
  operator: number
  batches: number[]
  asleep: Sleeper[]
  trouble: { diskIsFull: boolean, carrierIsSilent: boolean }
  /** Errors that the house has logged, but those of a full disk: none. */
  errors: string[]
}

/** A broken house, to see that the game is lost in it: `statement` changes the schema, `change` the house. */
export type Fault = { statement?: string, change?: (house: WithBatches) => Partial<WithBatches> }

/** Every step of every label and of every batch, as the database saw it. */
const WITNESS = `
  create table life (id bigint generated always as identity primary key, order_id bigint, before text, after text, round int);
  create function witness_label() returns trigger language plpgsql as $$ begin
    insert into life (order_id, before, after, round)
      values (new.id, case when tg_op = 'UPDATE' then old.state end, new.state, new.round);
    return null;
  end $$;
  create trigger witness_new_label after insert on shipment_order for each row execute function witness_label();
  create trigger witness_label after update of state on shipment_order
    for each row when (old.state <> new.state) execute function witness_label();
  create table path (id bigint generated always as identity primary key, batch_id bigint, before text, after text);
  create function witness_batch() returns trigger language plpgsql as $$ begin
    insert into path (batch_id, before, after) values (new.id, old.status, new.status);
    return null;
  end $$;
  create trigger witness_batch after update of status on batch
    for each row when (old.status is distinct from new.status) execute function witness_batch();`

const NO_SPACE = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const NO_ANSWER = Object.assign(new Error('the carrier is silent'), { code: 'ECONNREFUSED' })

/** The house with what may happen to its disk and its line to the carrier. */
function withTrouble(house: WithBatches, trouble: Place['trouble']): WithBatches {
  const { carrier, files } = house
  const unlessSilent = <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) => (...asked: Asked): Promise<Answer> =>
    trouble.carrierIsSilent ? Promise.reject(NO_ANSWER) : ask(...asked)
  return {
    ...house,
    carrier: {
      ...carrier, purchase: unlessSilent(carrier.purchase), lookup: unlessSilent(carrier.lookup), void: unlessSilent(carrier.void),
    },
    files: { ...files, write: (name, produce) => trouble.diskIsFull ? Promise.reject(NO_SPACE) : files.write(name, produce) },
  }
}

/** Opens a house for one game, and leaves nothing of it behind. */
export async function atPlace<T>(fault: Fault, game: (place: Place) => Promise<T>): Promise<T> {
  const { database, drop } = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'evenpost-model-'))
  const errors: string[] = []
  const quiet = (): void => {}
  const error: Logger['error'] = (...said: unknown[]) => {
    const [{ err }, text] = said as [{ err?: Error }, string]
    if (err !== NO_SPACE) errors.push(`${text}: ${err?.stack ?? ''}`)
  }
  const log: Logger = { debug: quiet, info: quiet, warn: quiet, error }
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', ROLE: 'web', CARRIER_TIMEOUT_MS: '250', LOG_LEVEL: 'silent' })
  const workshop = openWorkshop({ config, database, log })
  try {
    await database.pool.query(WITNESS)
    if (fault.statement) await database.pool.query(fault.statement)
    await workshop.start()
    const trouble = { diskIsFull: false, carrierIsSilent: false }
    const sound = withTrouble(workshop, trouble)
    const house: WithBatches = { ...sound, ...fault.change?.(sound) }
    const operator = await newUser(database, 'operator')
    const place: Place = {
      database, house, counter: { ...house, closing: AbortSignal.abort() }, operator, batches: [], asleep: [],
      people: [await newUser(database, 'ana'), await newUser(database, 'ben')], trouble, errors,
    }
    return await game(place)
  } finally {
    await workshop.rest()
    await workshop.stop()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

let lines = 0

/** Gives somebody a balance. */
export const give = ({ database, operator }: Place, to: number, wanted: number): Promise<unknown> =>
  database.tx(tx => adjust(tx, to, cents(wanted), { actorId: operator, reason: 'to play with', entry: ++lines }))

/** Lengths of time (ms) that make a difference: back-offs, leases, the patience with unknown labels. */
export const SPANS = { 'a moment': 2_000, 'a lease': LEASE_MS + 1_000, 'a quarter of an hour': 15 * 60_000 + 1_000 } as const

/** Time passes: everything that is written down happened that much earlier. */
export async function pass({ database }: Place, ms: number): Promise<void> {
  const earlier = (...columns: string[]): string =>
    columns.map(column => `${column} = ${column} - $1 * interval '1 millisecond'`).join(', ')
  await database.pool.query(`update shipment_order set ${earlier('lease_until', 'run_after', 'queued_at', 'unknown_since')}`, [ms])
  await database.pool.query(`update batch set ${earlier('work_lease_until', 'waiting_since', 'updated_at', 'retried_at')}
    where status is not null`, [ms])
}
