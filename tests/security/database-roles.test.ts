/**
 * The server's database user may do what server/schema/grants.sql lists. A faulty statement or a
 * faulty package leaves balances, transfers and audit entries as they are.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { readConfig } from '#server/config.ts'
import { adjustBalanceTo } from '#server/ledger/adjustment.ts'
import { findViolations } from '#server/ledger/service.ts'
import type { Config } from '#server/platform/config.ts'
import { databaseCode, openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { accessOfServer, migrateDatabase } from '#server/platform/database/migrate-database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { excessRights, separationWarning } from '#server/platform/database/roles.ts'
import type { DatabaseAccess } from '#server/platform/database/roles.ts'
import { APP_ROLE } from '#server/platform/embedded-postgres/cluster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { FORBIDDEN_STATEMENTS } from '#tests/model/forbidden-statements.ts'
import { cloneDatabase, testDatabase } from '#tests/support/database.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { ROOT } from '#tests/support/source.ts'
import { newUser } from '#tests/support/users.ts'

const database = await testDatabase()
const [ana, ben] = [await newUser(database, 'ana'), await newUser(database, 'ben')]
await database.tx(async tx => {
  const auditId = await insertAuditEntry(tx, { actorId: ana, subjectId: ana, action: 'adjusted' })
  await adjustBalanceTo(tx, ana, cents(10_00), { actorId: ana, reason: 'to protect', auditId })
})

const refusalCode = (pool: pg.Pool, statement: string): Promise<string | undefined> =>
  pool.query(statement).then(
    () => 'accepted',
    (error: unknown) => databaseCode(error),
  )

const NOT_ALLOWED = '42501'

test.each([
  'set session_replication_role = replica',
  'update balance set credits = credits + 100',
  'insert into balance (account_id, credits) select max(id) + 1, 100 from account',
  'delete from balance',
  'truncate balance cascade',
  'update transfer set cents = cents + 1',
  'delete from transfer',
  'truncate transfer cascade',
  `insert into transfer (owner_id, kind, debit_account_id, credit_account_id, cents, key, invoice_id, created_at)
    select owner_id, kind, debit_account_id, credit_account_id, cents, 'old', invoice_id, now() - interval '1 year' from transfer`,
  `update transfer_rule set credit_kind = 'available'`,
  'update account set owner_id = null',
  `update audit_entry set action = 'logout'`,
  'delete from audit_entry',
  'truncate audit_entry',
  `insert into audit_entry (action, created_at) values ('login', now() - interval '1 year')`,
  'update price_version set version = 9',
  'delete from shipment_order',
  'delete from app_user',
  'delete from schema_migration',
  'alter table transfer disable trigger all',
  'drop trigger transfer_immutable on transfer',
  'alter table balance drop constraint balance_covers_debits',
  'alter table balance owner to current_user',
  'create table balance_copy ()',
  'create temporary table balance (account_id bigint)',
  'create function free_money() returns int language sql as $$ select 1 $$',
  'create function pg_temp.free_money() returns int language sql as $$ select 1 $$',
  `create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$`,
  `create rule quiet as on insert to audit_entry do instead nothing`,
  'create extension dblink',
  `copy audit_entry to program 'cat'`,
  `copy throttle from '/etc/passwd'`,
  `select pg_read_file('/etc/passwd')`,
  'set role evenpost',
  'set session authorization evenpost',
  'alter role evenpost_app superuser',
  `alter system set fsync = 'off'`,
])('the server’s database user may not: %s', async statement => {
  const code = await refusalCode(database.pool, statement)
  expect(code, statement).toBe(NOT_ALLOWED)
})

test('nor anything else that creates or loses money', async () => {
  const numbers: Record<string, number> = { me: ana, other: ben, label: 999, missing: 2 ** 40 }
  for (const [name, statement] of FORBIDDEN_STATEMENTS) {
    const written = statement.replace(/\$(\w+)/g, (_, word: string) => String(numbers[word]))
    expect(await refusalCode(database.pool, written), name).toMatch(/^(23|42501)/)
  }
})

test('it can lock a balance, move money by transfers, and check the books', async () => {
  await database.pool.query('select 1 from balance for update')
  // A grant without the right to grant changes nothing; the column that a lock needs is refused too.
  await database.pool.query('grant update on balance to evenpost_app')
  expect(await refusalCode(database.pool, 'update balance set row_lock = true')).toBe('23001')
  expect(await findViolations(database.db)).toEqual([])
  expect(await excessRights(database.pool)).toEqual({ user: APP_ROLE, rights: [] })
})

test('every table has a line in server/schema/grants.sql, and no line names a table that is gone', async () => {
  const text = await readFile(join(ROOT, 'server/schema/grants.sql'), 'utf8')
  const granted = [...text.matchAll(/^grant [^;]* on (?!sequence)(\w+) to evenpost_app;/gm)].map(
    ([, table]) => table!,
  )
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
      and not relispartition`,
  )
  expect(granted.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

const say = (): void => {}

async function openMigrated(access: DatabaseAccess, config: Config): Promise<Database> {
  const database = openDatabase(access.url)
  try {
    await migrateDatabase(database, access, config, say)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

test('the embedded database of an earlier version gets the user at its next start, with a new password each time', async () => {
  const { path, forget } = await createDataFolder()
  onTestFinished(forget)
  const config = readConfig({ DATA_DIR: path, ALLOW_UNSAFE_DATABASE: 'yes' })
  const earlier = await startPostgres({ dataDir: path, testMode: true, log: say })
  const owner = openDatabase(earlier.ownerUrl, { max: 1 })
  await migrate(owner.pool)
  await owner.pool.query(`drop role ${APP_ROLE}`)
  await owner.close()
  await earlier.stop()
  const urls: string[] = []
  for (let n = 0; n < 2; n++) {
    const postgres = await startPostgres({ dataDir: path, testMode: true, log: say })
    urls.push(new URL(postgres.url).password)
    const opened = await openMigrated({ ...postgres, role: APP_ROLE }, config)
    expect(await excessRights(opened.pool)).toEqual({ user: APP_ROLE, rights: [] })
    expect(await findViolations(opened.db)).toEqual([])
    await opened.close()
    await postgres.stop()
  }
  expect(new Set(urls).size).toBe(2)
})

/** A database of the owner alone, as DATABASE_URL named it before there were two users. */
async function withOwnedDatabase(
  work: (database: TestDatabase, role: string) => Promise<void>,
): Promise<void> {
  const { database: owned, drop } = await cloneDatabase()
  const role = `${new URL(owned.url).pathname.slice(1)}_app`
  try {
    await work(owned, role)
  } finally {
    await owned.owner.pool.query(
      `do $$ begin if to_regrole('${role}') is not null then drop owned by ${role}; drop role ${role}; end if; end $$`,
    )
    await drop()
  }
}

const configFor = (databaseUrl: string, databaseOwnerUrl?: string) =>
  readConfig({
    DATABASE_URL: databaseUrl,
    ...(databaseOwnerUrl && { DATABASE_OWNER_URL: databaseOwnerUrl }),
    ALLOW_UNSAFE_DATABASE: 'yes',
  })

test('DATABASE_URL and DATABASE_OWNER_URL: the owner creates the user and gives it its rights', () =>
  withOwnedDatabase(async ({ owner }, role) => {
    const url = new URL(owner.url)
    Object.assign(url, { username: role, password: 'a password of its own' })
    const config = configFor(url.href, owner.url)
    const opened = await openMigrated(await accessOfServer(config, say), config)
    expect(await excessRights(opened.pool)).toEqual({ user: role, rights: [] })
    expect(await refusalCode(opened.pool, 'delete from transfer')).toBe(NOT_ALLOWED)
    await opened.close()

    // A first start without the owner says what it lacks.
    await owner.pool.query(`create schema nothing; grant usage on schema nothing to ${role}`)
    const empty = new URL(url)
    empty.searchParams.set('options', '-c search_path=nothing')
    const lacking = configFor(empty.href)
    await expect(openMigrated(await accessOfServer(lacking, say), lacking)).rejects.toThrow(
      /^The user of DATABASE_URL may not create the tables .*Set DATABASE_OWNER_URL to the owner of the database/,
    )

    // Another process does not need the owner.
    const alone = configFor(url.href)
    const access = await accessOfServer(alone, say)
    expect(access).toEqual({ url: url.href, ownerUrl: null, role })
    await (await openMigrated(access, alone)).close()
    // It starts also where its user owns the database, though not the tables.
    const name = url.pathname.slice(1)
    await owner.pool.query(`alter database ${name} owner to ${role}`)
    await (await openMigrated(access, alone)).close()
    await owner.pool.query(`alter database ${name} owner to current_user`)
    // After a new version it waits for one that has the owner.
    await owner.pool.query(`update repeatable_sql set checksum = 'older' where name = 'grants.sql'`)
    await expect(openMigrated(access, alone)).rejects.toThrow(
      `The database is not ready for this program (grants.sql), and the user ${role} of DATABASE_URL does not own the tables.`,
    )
    // A dump that was loaded on another server has lost the rights.
    await owner.pool.query(`drop owned by ${role}`)
    await (await openMigrated(await accessOfServer(config, say), config)).close()
    // One that was loaded into a new database, too: a dump has no rights of the database itself.
    await owner.pool.query(`grant temporary on database ${name} to public`)
    await (await openMigrated(await accessOfServer(config, say), config)).close()
    expect((await excessRights(owner.pool, role)).rights).toEqual([])
    await expect(accessOfServer(configFor(owner.url, owner.url), say)).rejects.toThrow(
      'must name two different users',
    )
  }))

test('DATABASE_URL alone with the owner: it acts as another user, and the start says what is not separated', () =>
  withOwnedDatabase(async ({ owner }, role) => {
    const config = configFor(owner.url)
    const opened = await openMigrated(await accessOfServer(config, say), config)
    for (const statement of ['update balance set credits = 9', 'delete from audit_entry'])
      expect(await refusalCode(opened.pool, statement)).toBe(NOT_ALLOWED)
    const { rows } = await opened.pool.query('select current_user as acting')
    expect(rows).toEqual([{ acting: role }])
    expect(separationWarning(await excessRights(opened.pool))).toBe(
      'The database user evenpost is a superuser: balances and audit are not protected from a faulty statement. '
        + 'Set DATABASE_OWNER_URL to the owner of the tables, and DATABASE_URL to another user (docs/operations.md, Database users).',
    )
    await opened.close()
    const { path, forget } = await createDataFolder()
    const server = await startServer(path, {
      DATABASE_URL: owner.url,
      ALLOW_UNSAFE_DATABASE: 'yes',
    })
    try {
      expect(server.readOutput()).toContain('WARNING  The database user evenpost is a superuser')
      const customer = await server.register('Cleo')
      await server.pay(customer, 20)
    } finally {
      await server.stop('SIGTERM')
      await forget()
    }
    expect(await findViolations(owner.db)).toEqual([])
  }))
