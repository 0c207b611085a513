/**
 * A new version goes live while the old one still works: both on one database, orders all the time, and a long report that
 * keeps its tables. Later the version after it removes what the old one used.
 */
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { initBatch, processBatch } from '#contract/batches.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { countLabelStates, countOpenWork } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { createNextVersion } from '#tests/support/next-version.ts'
import { repeatSpoiled } from '#tests/support/rounds.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { startWorkerProcess, stopProcess } from '#tests/support/worker-process.ts'

const ROWS = 300

/** One migration of each form that may run beside orders. */
const EXPANDING = {
  notes: `alter table shipment_order add column note text not null default '';
    alter table shipment_order add constraint order_note check (length(note) <= 100) not valid;`,
  note_index: `-- Orders with a note.
    create index concurrently order_with_note on shipment_order (user_id, id) where note <> '';`,
  note_check: 'alter table shipment_order validate constraint order_note;',
  // Each single order reads all columns of this table in its transaction.
  request_source: 'alter table order_request add column source text;',
  gifts:
    'create table gift (order_id bigint primary key references shipment_order, words text not null);',
}
const SCHEMA = {
  'grants.sql': '\ngrant select, insert on gift to evenpost_app;\n',
  'triggers/orders.sql': '\n-- The new version has another text of these triggers.\n',
  'triggers/ledger.sql': '\n-- Of these too.\n',
}

/** A server that stands still for so long in a transaction loses it, and refuses the order. */
const STOOD_STILL_MS = 10_000

test('two versions work on one database: no order fails, none is lost or bought twice, and the old one may start again', async () => {
  const failed = await repeatSpoiled(
    upgrade,
    found =>
      found.length > 0
      && found.every(({ status, tookMs }) => status === 503 && tookMs >= STOOD_STILL_MS),
  )
  expect(failed).toEqual([])
})

/** Returns the answers to orders that failed. */
async function upgrade(): Promise<OrderAnswer[]> {
  const [{ database, drop }, data, next, afterNext] = await Promise.all([
    cloneDatabase(),
    createDataFolder(),
    createNextVersion(() => EXPANDING, SCHEMA),
    createNextVersion(
      first => ({
        ...EXPANDING,
        no_notes: `-- Oldest program: ${String(first + 4).padStart(4, '0')}\nalter table shipment_order drop column note;`,
      }),
      SCHEMA,
    ),
  ])
  const env = {
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.owner.url,
    DATA_DIR: data.path,
    ALLOW_UNSAFE_DATABASE: 'yes',
    SANDBOX_CARRIER_LATENCY_MS: '150',
    CARRIER_TIMEOUT_MS: '10000',
  }
  const startWeb = (entry?: string) =>
    startServer(data.path, { ...env, ROLE: 'web' }, entry === undefined ? {} : { entry })
  const webs: ServerProcess[] = [await startWeb()]
  const workers: ChildProcess[] = [await startWorkerProcess(env)]
  const orders = ordersAllTheTime(() => webs)
  try {
    const ana = await webs[0]!.register('Ana')
    await webs[0]!.pay(ana, 20_000)
    await submitBatch(webs[0]!, ana)
    orders.start(ana)
    await orders.some()

    const report = await keepTables(database)
    const upgraded = startWeb(next.entry)
    await waitsForLock(database)
    await orders.some() // while the migration waits for the report
    await report.end()
    webs.push(await upgraded)
    workers.push(await startWorkerProcess(env, next.entry))
    await orders.some()
    expect(await migrationsAfter(database, next.migrations[0]!)).toEqual(next.migrations)

    // An old process that is killed now comes back, and puts back none of its own functions and triggers.
    const applied = await appliedSchema(database)
    await webs[0]!.stop('SIGKILL')
    webs[0] = await startWeb()
    expect(webs[0].readOutput()).toContain(
      `is that of a newer Evenpost (${next.migrations.at(-1)})`,
    )
    expect(await appliedSchema(database)).toEqual(applied)
    await submitBatch(webs[0], ana)
    await orders.some()

    await expect(startWeb(afterNext.entry)).rejects.toThrow('and one is still running')
    await orders.some()
    const [oldWeb, oldWorker] = [webs.shift()!, workers.shift()!]
    await Promise.all([oldWeb.stop('SIGTERM'), stopProcess(oldWorker, 'SIGTERM')])
    webs.push(await startWeb(afterNext.entry))
    await orders.some()
    await expect(startWeb()).rejects.toThrow('This database is newer than this program')

    const served = await orders.stop()
    const failed = served.filter(({ status }) => ![200, 202].includes(status))
    await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
    if (failed.length > 0) {
      expect(await findDiscrepancies(database)).toEqual([])
      return failed
    }
    expect(await countLabelStates(database)).toEqual({ purchased: 2 * ROWS + served.length })
    await Promise.all([
      ...webs.map(web => web.stop('SIGTERM')),
      ...workers.map(worker => stopProcess(worker, 'SIGTERM')),
    ])
    expect(await findDiscrepancies(database)).toEqual([])
    return []
  } finally {
    await Promise.all([
      ...webs.map(web => web.stop('SIGKILL')),
      ...workers.map(worker => stopProcess(worker, 'SIGKILL')),
    ])
    await drop()
    await Promise.all([data, next, afterNext].map(folder => folder.forget()))
  }
}

async function submitBatch(web: ServerProcess, { token, user }: SignedInUser): Promise<void> {
  const {
    body: { orderId },
  } = await web.call(initBatch, { body: { userId: user._id } }, token)
  const body = { orderId, orderData: rows(ROWS) }
  const sent = await web.call(processBatch, { params: { userId: user._id }, body }, token)
  expect(sent.status, sent.body.message).toBe(202)
}

/** The message tells which refusal it was when the test fails. */
type OrderAnswer = { status: number; message: string | undefined; tookMs: number }

/** Three customers' programs that order one label after the other, and a page that is reloaded all the time. */
function ordersAllTheTime(webs: () => ServerProcess[]) {
  const served: OrderAnswer[] = []
  let isOver = false
  let programs: Promise<void>[] = []
  const program = async (n: number, ana: SignedInUser): Promise<void> => {
    while (!isOver) {
      const key = randomUUID()
      let answer: OrderAnswer | undefined
      // A process that is killed or has ended is replaced by another one, as a load balancer does.
      for (let turn = n; !answer; turn++) {
        const web = webs()[turn % webs().length]!
        answer = await place(web, ana, key).catch(() => undefined)
      }
      served.push(answer)
    }
  }
  return {
    start(ana: SignedInUser) {
      programs = [0, 1, 2].map(n => program(n, ana))
    },
    /** Orders that began after the call are served. */
    async some() {
      const before = served.length
      await expect.poll(() => served.length, { interval: 20 }).toBeGreaterThan(before + 10)
    },
    async stop() {
      isOver = true
      await Promise.all(programs)
      return served
    },
  }
}

async function place(
  web: ServerProcess,
  ana: SignedInUser,
  key: string,
): Promise<OrderAnswer | undefined> {
  const began = performance.now()
  const answer = await fetch(web.url + placeOrder.path, {
    method: 'POST',
    headers: { token: ana.token, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(singleOrderBody(ana.user._id)),
  })
  const { message } = (await answer.json()) as { message?: string }
  if (isEnding(answer.status, message)) return undefined
  const list = await web.call(
    listOrders,
    { params: { userId: ana.user._id }, query: {} },
    ana.token,
  )
  // The order is sent again with its key to another process, and is answered as before.
  if (isEnding(list.status, list.body.message)) return undefined
  const tookMs = performance.now() - began
  return list.status === 200
    ? { status: answer.status, message, tookMs }
    : { status: list.status, message: list.body.message, tookMs }
}

/** A process that ends in order says this; every other refusal counts. */
function isEnding(status: number, message: string | undefined): boolean {
  return status === 503 && message === 'Service Unavailable'
}

/** A report that reads for a long time: what changes the table waits for it. */
async function keepTables(database: TestDatabase): Promise<{ end(): Promise<void> }> {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select count(*) from shipment_order')
  return {
    async end() {
      await client.query('commit')
      client.release(true)
    },
  }
}

async function waitsForLock(database: TestDatabase): Promise<void> {
  const waiting = `select from pg_locks
    where relation = 'shipment_order'::regclass and mode = 'AccessExclusiveLock' and not granted`
  await expect
    .poll(async () => (await database.pool.query(waiting)).rowCount, { interval: 20 })
    .toBe(1)
}

async function migrationsAfter(database: TestDatabase, first: string): Promise<string[]> {
  const { rows: found } = await database.pool.query<{ name: string }>(
    'select name from schema_migration where name >= $1 order by number',
    [first],
  )
  return found.map(({ name }) => name)
}

async function appliedSchema(database: TestDatabase): Promise<unknown[]> {
  return (await database.pool.query('select * from repeatable_sql order by name')).rows
}
