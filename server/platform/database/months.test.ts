import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { EVIDENCE_TABLES } from '#server/evidence.ts'
import { cloneDatabase, testDatabase } from '#tests/support/database.ts'
import { ROOT } from '#tests/support/source.ts'
import { newUser } from '#tests/support/users.ts'
import { databaseCode } from './database.ts'
import { migrate } from './migrate.ts'
import { keepMonths, putRetention, readLastMonthEnd, readRetention } from './months.ts'

const database = await testDatabase()
const { pool, owner } = database

const keep = async (of: pg.Pool, ...tables: string[]): Promise<string[]> => {
  const done: string[] = []
  await keepMonths(of, tables, { say: step => done.push(step), isStopped: () => false })
  return done
}

/** None, or the month that began since the template of the database was made. */
const addedFirst = await keep(pool, ...EVIDENCE_TABLES)

test.each(EVIDENCE_TABLES)('%s has its months until three months from now', async table => {
  const mayHaveBegun = new Date().getUTCDate() === 1 ? 1 : 0
  expect(addedFirst.filter(step => step.includes(` ${table}_`)).length).toBeLessThanOrEqual(
    mayHaveBegun,
  )
  expect(await keep(pool, table)).toEqual([])
  const { rows } = await pool.query(
    `select $1 > now() + interval '3 months' and $1 <= now() + interval '4 months' + interval '1 day' as "isEnough"`,
    [await readLastMonthEnd(pool, table)],
  )
  expect(rows).toEqual([{ isEnough: true }])
})

test('months follow each other over the end of a year, and take the rows that had none', async () => {
  await owner.pool.query(`
    create table scan (id int, at timestamptz not null) partition by range (at);
    create table scan_past partition of scan for values from (minvalue) to ('2025-11-01Z');
    create table scan_default (id int primary key, at timestamptz not null);
    create trigger never before update or delete on scan for each row execute function refuse_change();
    alter table scan attach partition scan_default default;
    insert into scan values (1, '2025-10-31T23:59:59.999Z'), (2, '2025-11-01Z'), (3, '2025-12-31T23:59:59.999Z'),
      (4, '2026-01-01Z'), (5, '2099-01-01Z')`)
  expect((await keep(pool, 'scan')).slice(0, 3)).toEqual([
    'added scan_2025_11',
    'added scan_2025_12',
    'added scan_2026_01',
  ])
  const { rows } = await owner.pool.query(
    'select id, tableoid::regclass::text as month from scan order by id',
  )
  expect(rows.map(({ month }) => month)).toEqual([
    'scan_past',
    'scan_2025_11',
    'scan_2025_12',
    'scan_2026_01',
    'scan_default',
  ])
  await expect(owner.pool.query('delete from scan where id = 3')).rejects.toThrow(
    'are never changed',
  )
  await owner.pool.query('drop table scan')
})

test('an entry that is written while its month is added waits for it', async () => {
  await owner.pool.query(`
    create table visit (id int, at timestamptz not null) partition by range (at);
    create table visit_default (id int primary key, at timestamptz not null);
    create table visit_past partition of visit for values from (minvalue) to ('2025-11-01Z');
    alter table visit attach partition visit_default default`)
  const adding = await owner.pool.connect()
  await adding.query('begin')
  await adding.query("select add_evidence_month('visit')")
  const written = owner.pool.query("insert into visit values (1, '2025-11-20')")
  const waiting = async () =>
    (
      await owner.pool.query(
        "select from pg_locks where not granted and relation::regclass::text like 'visit%'",
      )
    ).rowCount
  await expect.poll(waiting, { interval: 5 }).toBe(1)
  await adding.query('commit')
  adding.release()
  await written
  const { rows } = await owner.pool.query('select tableoid::regclass::text as month from visit')
  expect(rows).toEqual([{ month: 'visit_2025_11' }])
  await owner.pool.query('drop table visit')
})

/** A month of long ago, as an installation has that began before it. */
async function addOldMonth(table: string, month: string, next: string): Promise<void> {
  const name = `${table}_${month}`
  const moment = (text: string): string => `'${text.replace('_', '-')}-01Z'`
  await owner.pool
    .query(`create table ${name} (like ${table}_default including all excluding identity);
    alter table ${table} attach partition ${name} for values from (${moment(month)}) to (${moment(next)})`)
}

const monthsOf = async (table: string): Promise<string[]> =>
  (await pool.query<{ name: string }>('select name from evidence_months($1)', [table])).rows.map(
    ({ name }) => name,
  )

test('old months are dropped when the operator says so, one at a time, but none of which a label is open', async () => {
  for (const table of EVIDENCE_TABLES) {
    await owner.pool.query(`alter table ${table} detach partition ${table}_past;
      alter table ${table} attach partition ${table}_past for values from (minvalue) to ('2024-01-01Z')`)
    await addOldMonth(table, '2024_01', '2024_02')
    await addOldMonth(table, '2024_02', '2024_03')
  }
  const ana = await newUser(database, 'ana')
  const {
    rows: [order],
  } = await pool.query<{ id: number }>(
    `insert into shipment_order (user_id, service_uid, service_name, price_cents, sender, receiver, package)
      values ($1, 's', 's', 100, '{}', '{}', '{}') returning id`,
    [ana],
  )
  await owner.pool.query(
    `insert into carrier_call (order_id, round, attempt, fence, started_at)
      values ($1, 1, 1, 1, '2024-01-20'), (0, 1, 1, 1, '2024-02-20'), (0, 1, 1, 2, '2023-02-20')`,
    [order!.id],
  )
  await owner.pool.query(
    `insert into audit_entry (action, created_at) values ('login', '2024-01-20')`,
  )

  expect(await keep(pool, ...EVIDENCE_TABLES)).toEqual([])
  await putRetention(owner.pool, 13)
  // As if the clock had jumped: the last weeks have no evidence.
  expect(await keep(pool, ...EVIDENCE_TABLES)).toEqual([])
  await owner.pool.query(
    `insert into audit_entry (action, created_at) values ('login', now() - interval '20 days')`,
  )
  expect(await keep(pool, ...EVIDENCE_TABLES)).toEqual([
    'dropped carrier_call_past',
    'dropped carrier_call_2024_02',
    'dropped audit_entry_past',
    'dropped audit_entry_2024_01',
    'dropped audit_entry_2024_02',
    'dropped parcel_event_past',
    'dropped parcel_event_2024_01',
    'dropped parcel_event_2024_02',
  ])
  expect((await monthsOf('carrier_call'))[0]).toBe('carrier_call_2024_01')
  const { rows: told } = await pool.query(
    `select detail from audit_entry where action = 'evidence-dropped' order by id limit 2`,
  )
  expect(told).toEqual([
    { detail: { table: 'carrier_call', before: '2024-01-01', months: 13 } },
    { detail: { table: 'carrier_call', before: '2024-03-01', months: 13 } },
  ])

  await owner.pool.query(`alter table shipment_order disable trigger user;
    update shipment_order set state = 'failed'; alter table shipment_order enable trigger user`)
  expect(await keep(pool, ...EVIDENCE_TABLES)).toEqual(['dropped carrier_call_2024_01'])
  expect(await keep(pool, ...EVIDENCE_TABLES)).toEqual([])
})

test.each([
  'delete from evidence_retention',
  'insert into evidence_retention (months) values (13)',
  'update evidence_retention set months = 13',
  'drop table audit_entry_default',
  'select * from audit_entry_default',
  'truncate carrier_call_default',
  'alter table audit_entry detach partition audit_entry_default',
])('the server’s database user cannot have more evidence dropped: %s', async statement => {
  const refused = await pool.query(statement).catch((error: unknown) => databaseCode(error))
  expect(refused).toBe('42501')
})

test('less than 13 months cannot be set, and without the variable evidence is kept forever', async () => {
  await expect(putRetention(owner.pool, 12)).rejects.toThrow('evidence_retention_months_check')
  await putRetention(owner.pool, 24)
  expect(await readRetention(pool)).toBe(24)
  await putRetention(owner.pool, undefined)
  expect(await readRetention(pool)).toBe(null)
})

/** Number of the newest migration before evidence had months. */
const LAST_WITHOUT_MONTHS = 49

/** The database of the version before, with rows and without rights of the server's user. */
async function databaseOfTheVersionBefore() {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-before-'))
  for (const part of ['migrations', 'schema'])
    await cp(join(ROOT, 'server', part), join(folder, part), { recursive: true })
  for (const name of await readdir(join(folder, 'migrations')))
    if (Number.parseInt(name, 10) > LAST_WITHOUT_MONTHS) await rm(join(folder, 'migrations', name))
  // The rules of the books read tables of later versions.
  await rm(join(folder, 'schema', 'check_invariants.sql'))
  await rm(join(folder, 'schema', 'invariants'), { recursive: true })
  const { database: before, drop } = await cloneDatabase()
  await before.owner.pool.query('drop schema public cascade; create schema public')
  await migrate(before.owner.pool, { folder })
  await rm(folder, { recursive: true })
  return { before: before.owner, drop }
}

/** A wallet would be in tables of later versions. */
async function userWithoutWallet({ pool: before }: Pick<typeof owner, 'pool'>): Promise<number> {
  const { rows } = await before.query<{ id: number }>(
    `insert into app_user (name, email, email_key, password_hash, referral_code)
      values ('Ana', 'ana@example.test', 'ana@example.test', '-', 'ANA') returning id`,
  )
  return rows[0]!.id
}

test('an installation with rows gets its months while it works, and loses none', async () => {
  const { before, drop } = await databaseOfTheVersionBefore()
  onTestFinished(drop)
  const ana = await userWithoutWallet(before)
  await before.pool.query(
    `insert into shipment_order (user_id, service_uid, service_name, price_cents, sender, receiver, package)
      select $1, 's', 's', 100, '{}', '{}', '{}' from generate_series(1, 10)`,
    [ana],
  )
  await before.pool.query(`
    insert into carrier_call (order_id, round, attempt, fence, started_at)
      select n, 1, 1, 1, now() - n * interval '1 hour' from generate_series(1, 5000) n;
    insert into audit_entry (action, created_at) select 'login', now() - n * interval '1 hour' from generate_series(1, 5000) n;
    insert into parcel_event (order_id, at, status, text, place)
      select 1 + n % 10, now() - n * interval '1 hour', 'in_transit', 'Arrived', '' from generate_series(0, 4999) n;
    insert into parcel_event values (1, now() + interval '70 days', 'in_transit', 'A clock that is wrong', '')`)

  await before.pool.query(`grant insert, update on carrier_call to evenpost_app;
    grant insert (action) on audit_entry to evenpost_app; grant select on parcel_event to evenpost_app`)
  const program = writeAllTheTime(before.pool)
  await program.some()
  await migrate(before.pool)
  const rights = await before.pool.query(`
    select has_table_privilege('evenpost_app', 'carrier_call', 'update') as calls,
      has_table_privilege('evenpost_app', 'parcel_event', 'select') as events,
      has_column_privilege('evenpost_app', 'audit_entry', 'action', 'insert') as entries,
      has_column_privilege('evenpost_app', 'audit_entry', 'created_at', 'insert') as times`)
  expect(rights.rows).toEqual([{ calls: true, events: true, entries: true, times: false }])
  await program.some()
  const done = await keep(before.pool, ...EVIDENCE_TABLES)
  await program.some()
  const written = await program.stop()

  expect(done.filter(step => !step.startsWith('added'))).toEqual(
    EVIDENCE_TABLES.flatMap(table => [
      `limited ${table}_past`,
      ...(table === 'parcel_event'
        ? ['moved what is later than the limit of parcel_event_past']
        : []),
      `proved the limit of ${table}_past`,
      `separated ${table}_past`,
    ]),
  )
  const { rows } = await before.pool.query(`
    select (select count(*) from carrier_call) as calls, (select count(*) from carrier_call where outcome = 'bought') as closed,
      (select count(distinct id) from carrier_call) as ids, (select count(*) from audit_entry) as entries,
      (select count(*) from parcel_event) as events`)
  expect(rows).toEqual([
    {
      calls: 5000 + written,
      closed: written,
      ids: 5000 + written,
      entries: 5000 + written,
      events: 5001 + written,
    },
  ])
})

test('months begin although a carrier told the time of a scan wrongly', async () => {
  const { before, drop } = await databaseOfTheVersionBefore()
  onTestFinished(drop)
  const ana = await userWithoutWallet(before)
  await before.pool.query(
    `insert into shipment_order (user_id, service_uid, service_name, price_cents, sender, receiver, package)
      values ($1, 's', 's', 100, '{}', '{}', '{}')`,
    [ana],
  )
  await before.pool.query(`insert into parcel_event
    select o.id, at, 'in_transit', 'Arrived', '' from shipment_order o, unnest(array[now(), '2099-12-31']) at`)
  await migrate(before.pool)
  const done = await keep(before.pool, 'parcel_event')
  expect(done.filter(step => !step.startsWith('added'))).toEqual([
    'limited parcel_event_past',
    'moved what is later than the limit of parcel_event_past',
    'proved the limit of parcel_event_past',
    'separated parcel_event_past',
  ])
  const { rows } = await before.pool.query(
    `select tableoid::regclass::text as part, at > now() + interval '1 day' as late from parcel_event order by at`,
  )
  expect(rows).toEqual([
    { part: 'parcel_event_past', late: false },
    { part: 'parcel_event_default', late: true },
  ])
  expect(await readLastMonthEnd(before.pool, 'parcel_event')).not.toBeNull()
  const { rows: ends } = await before.pool.query(
    `select bool_and(ends_at < now() + interval '5 months') as near from evidence_months('parcel_event')`,
  )
  expect(ends).toEqual([{ near: true }])
})

/** The statements of a program that records calls, audit entries and scans, prepared before the upgrade. */
function writeAllTheTime(of: pg.Pool) {
  let written = 0
  let isOver = false
  const write = async (): Promise<void> => {
    for (; !isOver; written++) {
      const fence = [1_000_000 + written]
      await of.query(
        'insert into carrier_call (order_id, round, attempt, fence) values ($1, 1, 1, 1)',
        fence,
      )
      await of.query(
        `update carrier_call set outcome = 'bought', finished_at = now() where order_id = $1 and fence = 1 and finished_at is null`,
        fence,
      )
      await of.query(
        `insert into audit_entry (action, detail) values ('login', to_jsonb($1::int))`,
        fence,
      )
      await of.query(
        `insert into parcel_event select 1, now(), 'in_transit', $1, '' on conflict do nothing`,
        [String(written)],
      )
    }
  }
  const writing = write()
  return {
    /** Rows that began after the call are written. */
    async some() {
      const before = written
      await expect.poll(() => written, { interval: 10 }).toBeGreaterThan(before + 20)
    },
    async stop() {
      isOver = true
      await writing
      return written
    },
  }
}
