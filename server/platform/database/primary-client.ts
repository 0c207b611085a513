import type pg from 'pg'
import { chooseAddress, currentAddress, serverAddresses, skipAddress } from './addresses.ts'
import { PreparedStatementClient } from './prepared-statements.ts'

/** The cluster, and its timeline as PostgreSQL writes it: 8 hexadecimal digits, a higher one after each promotion. */
export type ServerIdentity = { system: string; timeline: string }

/** Decides whether a connection to this server may be used; throws if not. */
export type AdmitServer = (server: ServerIdentity) => Promise<void>

export type PrimaryClientConfig = pg.ClientConfig & {
  connectionString: string
  admit?: AdmitServer
}

/** With several servers the next one is tried soon: a machine that is gone does not answer at all. */
const CONNECT_TIMEOUT_MS = 3_000

/** `code`: of PostgreSQL, for "cannot connect now". */
export class NotPrimaryError extends Error {
  readonly code = '57P03'
}

/**
 * The database is another server than at the start, or was promoted, before this process could judge it. The process must end; its
 * next start may use that server.
 */
export class ServerReplacedError extends NotPrimaryError {}

/** The insert location tells the new timeline right after a promotion, the control file only after a checkpoint. */
const IDENTITY_QUERY = `
  select (select system_identifier::text from pg_control_system()) as system,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline`

/**
 * Connects only to a server that accepts writes and that `admit` allows. After a failure the next
 * connection tries the next server of the address.
 */
export class PrimaryClient extends PreparedStatementClient {
  /** Known once it is connected. */
  server: ServerIdentity | undefined
  readonly #url: string
  readonly #address: string
  readonly #admit: AdmitServer | undefined

  constructor(config: PrimaryClientConfig) {
    const { connectionString: url, admit } = config
    const address = currentAddress(url)
    super({
      ...config,
      connectionString: address,
      ...(serverAddresses(url).length > 1 && { connectionTimeoutMillis: CONNECT_TIMEOUT_MS }),
    })
    this.#url = url
    this.#address = address
    this.#admit = admit
    this.on('error', () => {})
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the driver's signature: with a callback or a promise
  override connect(callback?: any): any {
    const connected = this.#connectToPrimary()
    if (callback === undefined) return connected
    void this.#tell(connected, callback)
  }

  async #tell(connected: Promise<unknown>, callback: (error?: unknown) => void): Promise<void> {
    try {
      await connected
    } catch (error) {
      return callback(error)
    }
    callback()
  }

  async #connectToPrimary(): Promise<this> {
    // The driver would connect to a server that its defaults name.
    if (this.#url === '') throw new Error('the server of the database is not known yet')
    try {
      await super.connect()
      const { rows }: pg.QueryResult<{ system: string; timeline: string | null }> =
        await super.query(IDENTITY_QUERY)
      const { system, timeline } = rows[0]!
      if (timeline === null)
        throw new NotPrimaryError(`${this.host}:${this.port} is a standby, not the primary`)
      this.server = { system, timeline }
      let isLost = false
      this.once('end', () => (isLost = true))
      await this.#admit?.(this.server)
      if (isLost) throw new NotPrimaryError('the connection was lost while the server was judged')
      return this
    } catch (error) {
      skipAddress(this.#url, this.#address)
      super.end().catch(() => {})
      throw error
    }
  }

  /** At once, in the middle of a statement too. */
  destroy(): void {
    this.connection.stream.destroy()
  }
}

/** A connection of its own to the primary: each server of the address is tried once, unless one has replaced the known primary. */
export async function connectToPrimary(config: PrimaryClientConfig): Promise<PrimaryClient> {
  for (let left = serverAddresses(config.connectionString).length; ; left--) {
    const client = new PrimaryClient(config)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (left <= 1 || error instanceof ServerReplacedError) throw error
    }
  }
}

/**
 * Of several servers that accept writes the one that was promoted last: the one before may have come back.
 * Those that do not answer are not waited for.
 */
export async function startAtNewestServer(url: string): Promise<void> {
  const addresses = serverAddresses(url)
  if (addresses.length === 1) return
  const found = await Promise.all(
    addresses.map(async address => {
      const client = new PrimaryClient({
        connectionString: address,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: CONNECT_TIMEOUT_MS,
      })
      try {
        await client.connect()
        return [{ address, timeline: client.server!.timeline }]
      } catch {
        return []
      } finally {
        client.end().catch(() => {})
      }
    }),
  )
  const newest = found.flat().toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1))[0]
  if (newest) chooseAddress(url, newest.address)
}
