/** What a started process does: opens the database, and serves and works until it stops. */
import type { FastifyInstance } from 'fastify'
import { ensureFirstAdmin } from './accounts/service.ts'
import { restoreSteps } from './after-restore.ts'
import { buildApp } from './app.ts'
import { carrierWarnings } from './carriers/open.ts'
import { firstCatalogueWarning } from './catalogue/service.ts'
import { requireSameMode } from './mode.ts'
import { browserUrl } from './platform/config.ts'
import type { Config } from './platform/config.ts'
import { openDatabase } from './platform/database/database.ts'
import type { Database } from './platform/database/database.ts'
import { accessOfServer, migrateDatabase } from './platform/database/migrate-database.ts'
import { openReader } from './platform/database/reader.ts'
import { excessRights, separationWarning } from './platform/database/roles.ts'
import { announceRunningProgram } from './platform/database/running-program.ts'
import { APP_ROLE } from './platform/embedded-postgres/cluster.ts'
import type { Postgres } from './platform/embedded-postgres/start.ts'
import { guardFailOver, settleAtStart } from './platform/fail-over/fail-over.ts'
import { isFreshCopy, openMarks } from './platform/fail-over/marks.ts'
import { untrustedProxyWarning } from './platform/http/untrusted-proxy.ts'
import { giveMemoryBack } from './platform/process/idle-memory.ts'
import type { Lifecycle } from './platform/process/lifecycle.ts'
import { createLogger } from './platform/process/log.ts'
import { OperatorError, printError } from './platform/process/operator-error.ts'
import { openSecretKey } from './platform/process/secret-key.ts'
import {
  isPortFree,
  NOT_RESTARTED,
  portBefore,
  STARTED_AT_ONCE,
  tellSupervisor,
} from './platform/process/supervised.ts'
import { secretKeyWarning } from './secret-key-warning.ts'
import { supportWarnings } from './support/pages-service.ts'

export type StartingProcess = {
  config: Config
  life: Lifecycle
  /** The embedded database, which may still be starting. */
  postgres: Promise<Postgres> | undefined
  /** On the clock of `performance`: when the database was started or looked for. */
  began: number
  printLine: (line: string) => void
}

/** Opens the database, then serves pages and works, as ROLE says. Throws OperatorError. */
export async function serve(starting: StartingProcess): Promise<void> {
  const { config, life, printLine } = starting
  giveMemoryBack()
  const opened = openUnconnected(config, printLine)
  const { database } = opened
  const ctx = { config, database, log: createLogger(config.logLevel), spreadsJobs: true }
  // Adding the routes needs this thread, getting the database ready mostly waits.
  const building = buildApp(ctx)
  // Its error comes after the database is ready, which then can be stopped.
  building.catch(() => {})
  const postgres = await prepareDatabase(starting, opened)
  const { app, start: begin, stop: end } = await building
  life.onStop(end)
  await begin()
  const what =
    config.mode === 'sandbox'
      ? 'Sandbox: no real money or postage. Labels are specimens.'
      : 'Live: real money, real postage.'
  for (const warning of carrierWarnings(config)) printLine(`WARNING  ${warning}`)
  const prices = await firstCatalogueWarning(database, config.mode)
  if (prices) printLine(`WARNING  ${prices}`)
  const proxy = await untrustedProxyWarning(database, config.trustProxy)
  if (proxy) printLine(`WARNING  ${proxy}`)
  for (const problem of await supportWarnings(ctx)) printLine(`WARNING  ${problem}`)
  if (config.role === 'worker') {
    printLine(`${what}\nEvenpost is ready and buys labels (ROLE=worker: it serves no pages)`)
    tellSupervisor({ ready: true })
    return warnOfOtherKey(starting, database)
  }
  const address = await listen(app, config)
  if (!config.hasPublicUrl) config.publicUrl = address
  await postgres?.announce(address)
  // After listening: the password is shown once, and a start that fails at the port would lose it.
  const admin = await ensureFirstAdmin(ctx)
  printLine(`${what}\nEvenpost is ready at ${address}`)
  printLine(admin ? signInLine(admin) : `Sign in at ${config.publicUrl}/login`)
  tellSupervisor({ ready: true, port: Number(new URL(address).port) })
  await warnOfOtherKey(starting, database)
}

/** Once it is ready, so that no start waits for it, and none fails here. */
async function warnOfOtherKey(
  { config, printLine }: StartingProcess,
  { db }: Database,
): Promise<void> {
  const warning = await secretKeyWarning(db, await openSecretKey(config)).catch(() => null)
  if (warning) printLine(`WARNING  ${warning}`)
}

function signInLine({ email, password }: { email: string; password?: string }): string {
  return password === undefined
    ? `Sign in as ${email} with the password in ADMIN_PASSWORD`
    : `Sign in as ${email} with the password ${password} (shown this once; change it after signing in)`
}

type OpenedDatabase = {
  database: Database
  marks: ReturnType<typeof openMarks>
  reader: ReturnType<typeof openReader> | undefined
}

function openUnconnected(config: Config, say: (line: string) => void): OpenedDatabase {
  const database = openDatabase('', { max: config.databasePool, log: say })
  const marks = openMarks(database, { say })
  if (config.databaseReadUrl === undefined) return { database, marks, reader: undefined }
  const reader = openReader({
    url: config.databaseReadUrl,
    primary: database,
    max: config.databasePool,
    isFresh: standby => isFreshCopy(marks, standby),
    log: say,
  })
  database.reader = reader.db
  return { database, marks, reader }
}

/** Waits for PostgreSQL, applies migrations, and settles what the database is before anything works. Throws OperatorError. */
async function prepareDatabase(
  starting: StartingProcess,
  opened: OpenedDatabase,
): Promise<Postgres | undefined> {
  const { config, life, began, printLine } = starting
  const { database } = opened
  const postgres = await starting.postgres
  if (postgres) life.onStop(postgres.stop)
  const access = postgres
    ? { url: postgres.url, ownerUrl: postgres.ownerUrl, role: APP_ROLE }
    : await accessOfServer(config, printLine)
  database.useServer(access.url)
  life.onStop(database.close)
  const { version, program, applied, newer } = await migrateDatabase(
    database,
    access,
    config,
    printLine,
  )
  const [announced, rights] = await Promise.all([
    announceRunningProgram({
      url: access.url,
      version: program,
      onTooOld(error) {
        printError(error, 'while running')
        void life.stop('a newer version has taken over the database', NOT_RESTARTED)
      },
      say: printLine,
    }),
    excessRights(database.pool),
  ])
  life.onStop(announced.stop)
  const warning = separationWarning(rights)
  if (warning) printLine(`WARNING  ${warning}`)
  await requireSameMode(database, config.mode)
  const where = postgres
    ? `in ${config.dataDir}${postgres.adopted ? ', still running from before' : ''}`
    : 'named by DATABASE_URL'
  const changes = applied.length > 0 ? `, ${applied.length} migrations applied` : ''
  if (newer.length > 0)
    printLine(
      `The database is that of a newer Evenpost (${newer.at(-1)}), and this version may still work on it: finish the upgrade`,
    )
  printLine(
    `PostgreSQL ${version} ${where}${changes}: ready in ${Math.round(performance.now() - began)} ms`,
  )
  await followDatabase(starting, opened)
  return postgres
}

/** Settles what the database is now, and again when a standby is promoted in the place of its server. */
async function followDatabase(
  { life, printLine }: StartingProcess,
  opened: OpenedDatabase,
): Promise<void> {
  const { database, marks, reader } = opened
  const restored = await settleAtStart(database, restoreSteps)
  if (restored) printLine(restored)
  await marks.start()
  life.onStop(marks.stop)
  guardFailOver({
    database,
    marks,
    restore: restoreSteps,
    say: printLine,
    onStale() {
      printLine('This process starts again, as the database has changed under it')
      // At once: what it would settle is looked up by the next process.
      process.exit(STARTED_AT_ONCE)
    },
  })
  if (!reader) return
  await reader.start()
  life.onStop(reader.stop)
}

/** With PORT=0 a restarted server tries its port of before, so that open pages go on. */
async function listenAgain(app: FastifyInstance, host: string, port: number): Promise<void> {
  const before = port === 0 ? portBefore() : undefined
  if (before !== undefined && (await isPortFree(host, before)))
    await app.listen({ host, port: before })
  else await app.listen({ host, port })
}

/** Returns the address that a browser can open. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await listenAgain(app, host, port)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new OperatorError(
        `Port ${port} is in use. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
      )
    if (code === 'EACCES')
      throw new OperatorError(
        `This user may not listen on port ${port}. Choose one above 1023, for example PORT=3000.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError(
        `HOST=${host} is not an address of this machine. Set 127.0.0.1, or 0.0.0.0 to accept connections from other machines.`,
      )
    throw error
  }
  const bound = app.server.address()
  return browserUrl(host, typeof bound === 'object' && bound ? bound.port : port)
}
