/**
 * Two roles: the owner of the tables applies migrations; the server reads and writes as another
 * role, which may do what server/schema/grants.sql lists and nothing else.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { changeAddress, credentialsOf } from './addresses.ts'
import { databaseCode, lacksPermission } from './database.ts'
import { connectToPrimary } from './primary-client.ts'

/** How one process reaches its database. */
export type DatabaseAccess = {
  /** For all connections of the running program. */
  url: string
  /** For migrations. Null: another process applies them. */
  ownerUrl: string | null
  /** The role that grants.sql is applied to. Null: the owner itself is in use. */
  role: string | null
}

type Queryable = Pick<pg.ClientBase, 'query'>

/** Creates a role that may log in and has no rights of its own, or gives it this password. */
export async function putLoginRole(
  client: Queryable,
  role: string,
  password: string,
): Promise<void> {
  await createRole(client, role)
  await client.query(
    `alter role ${pg.escapeIdentifier(role)} login password '${scramVerifier(password)}'`,
  )
}

const ALREADY_EXISTS = new Set(['42710', '23505'])

/** False when the role exists already. */
async function createRole(client: Queryable, role: string): Promise<boolean> {
  try {
    await client.query(`create role ${pg.escapeIdentifier(role)}`)
    return true
  } catch (error) {
    if (ALREADY_EXISTS.has(databaseCode(error) ?? '')) return false
    throw error
  }
}

const SCRAM_ITERATIONS = 4096

/** The stored form of a password (RFC 5803), so that the password itself is in no statement. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256')
  const keyOf = (text: string): Buffer => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const server = keyOf('Server Key').toString('base64')
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`
}

/**
 * The access by DATABASE_URL, and by DATABASE_OWNER_URL when it is set; the server must respond.
 * Creates the server's role where it is missing and the owner may create roles. With the owner in
 * DATABASE_URL alone, connections act as a role named after the database. Throws OperatorError.
 */
export async function accessByUrls(
  databaseUrl: string,
  databaseOwnerUrl: string | undefined,
): Promise<DatabaseAccess> {
  return databaseOwnerUrl === undefined
    ? withClient(databaseUrl, client => accessByOneUrl(client, databaseUrl))
    : accessByTwoUrls(databaseUrl, databaseOwnerUrl)
}

async function accessByTwoUrls(url: string, ownerUrl: string): Promise<DatabaseAccess> {
  const [role, password] = credentialsOf(url)
  if (role === '' || role === credentialsOf(ownerUrl)[0])
    throw new OperatorError(
      'DATABASE_URL and DATABASE_OWNER_URL must name two different users: the one of DATABASE_OWNER_URL owns the tables, '
        + 'the one of DATABASE_URL has the rights that the running program needs.',
    )
  await withClient(ownerUrl, async client => {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
    if (rowCount === 0) await createServerRole(client, role, password)
  })
  return { url, ownerUrl, role }
}

async function createServerRole(client: Queryable, role: string, password: string): Promise<void> {
  try {
    await putLoginRole(client, role, password)
  } catch (error) {
    if (!lacksPermission(error)) throw error
    throw new OperatorError(
      `The user ${role} of DATABASE_URL does not exist, and the user of DATABASE_OWNER_URL may not create it. `
        + `Create it as an administrator of the server: create role ${pg.escapeIdentifier(role)} login password '…'`,
      { cause: error },
    )
  }
}

async function accessByOneUrl(client: pg.Client, url: string): Promise<DatabaseAccess> {
  const { rows } = await client.query<{ role: string; isOwner: boolean; derived: string }>(`
    select session_user as role, left(regexp_replace(current_database(), '\\W', '_', 'g'), 59) || '_app' as derived,
      coalesce((select pg_has_role(session_user, relowner, 'member') from pg_class where oid = to_regclass('schema_migration')),
        true) as "isOwner"`)
  const { role, isOwner, derived } = rows[0]!
  if (!isOwner) return { url, ownerUrl: null, role }
  if (!(await mayActAs(client, derived))) return { url, ownerUrl: url, role: null }
  return { url: actingAs(url, derived), ownerUrl: url, role: derived }
}

/** Creates the role when it is missing. False when this user may neither create nor take it. */
async function mayActAs(client: pg.Client, role: string): Promise<boolean> {
  const name = pg.escapeIdentifier(role)
  const attempt = (statement: string): Promise<boolean> =>
    client.query(statement).then(
      () => true,
      () => false,
    )
  if (await createRole(client, role).catch(() => false)) {
    await attempt(`grant ${name} to session_user`)
    // To see the start of other processes' transactions, which log in as the owner.
    await attempt(`grant pg_read_all_stats to ${name}`)
  }
  const { rows } = await client.query<{ canLogin: boolean }>(
    'select rolcanlogin or rolsuper as "canLogin" from pg_roles where rolname = $1',
    [role],
  )
  // A role that logs in belongs to another program.
  if (rows[0]?.canLogin !== false) return false
  return (await attempt(`set role ${name}`)) && attempt('reset role')
}

const actingAs = (url: string, role: string): string =>
  changeAddress(url, ({ searchParams }) => {
    const options = searchParams.get('options')
    searchParams.set('options', [options, `-c role=${role}`].filter(Boolean).join(' '))
  })

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToPrimary({
    connectionString: url,
    application_name: 'evenpost roles',
  })
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * What a user may do beyond grants.sql, as ends of a sentence that begins with the user; empty when
 * it is separated from the owner. Default: the user of these connections, also while they act as
 * another role, since a statement can end that.
 */
export async function excessRights(
  client: Queryable,
  user?: string,
): Promise<{ user: string; rights: string[] }> {
  const { rows } = await client.query<{ user: string; rights: string[] }>(EXCESS_RIGHTS_QUERY, [
    user ?? null,
  ])
  return rows[0] ?? { user: user ?? '', rights: ['does not exist yet'] }
}

const EXCESS_RIGHTS_QUERY = `
  select r.rolname as user, case when r.rolsuper then array['is a superuser'] else array_remove(array[
    case when exists (select 1 from pg_class c where c.relnamespace = current_schema()::regnamespace
      and pg_has_role(r.oid, c.relowner, 'member')) then 'owns the tables' end,
    case when r.rolcreaterole then 'may create roles' end,
    case when r.rolreplication then 'may copy the whole server' end,
    case when pg_has_role(r.oid, 'pg_execute_server_program', 'member') or pg_has_role(r.oid, 'pg_write_server_files', 'member')
      or pg_has_role(r.oid, 'pg_read_server_files', 'member') then 'may use files or programs of the server' end,
    case when has_schema_privilege(r.oid, current_schema(), 'create') then 'may create functions and tables' end,
    case when has_database_privilege(r.oid, current_database(), 'temporary') then 'may create temporary tables' end,
    case when has_table_privilege(r.oid, 'balance', 'insert, update, delete, truncate') then 'may write balances' end,
    case when has_table_privilege(r.oid, 'transfer', 'update, delete, truncate')
      or has_table_privilege(r.oid, 'audit_entry', 'update, delete, truncate')
      then 'may change or delete transfers or audit entries' end], null) end as rights
  from pg_roles r where r.rolname = coalesce($1, session_user)`

/** Null when the user is separated from the owner. */
export const separationWarning = ({
  user,
  rights,
}: Awaited<ReturnType<typeof excessRights>>): string | null =>
  rights.length === 0
    ? null
    : `The database user ${user} ${rights.join(', ')}: balances and audit are not protected from a faulty statement. `
      + 'Set DATABASE_OWNER_URL to the owner of the tables, and DATABASE_URL to another user (docs/operations.md, Database users).'
