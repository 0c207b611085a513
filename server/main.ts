import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ensureFirstAdmin } from './accounts/service.ts'
import { buildApp } from './app.ts'
import { carrierWarning } from './carriers/open.ts'
import { addressOf, readConfig } from './platform/config.ts'
import type { Config } from './platform/config.ts'
import { openDatabase } from './platform/database.ts'
import type { Database } from './platform/database.ts'
import { demandFitDatabase, settleMode, waitForDatabase } from './platform/fitness.ts'
import { tieLifecycle } from './platform/lifecycle.ts'
import { createLog } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { startPostgres } from './platform/postgres/start.ts'
import type { Postgres } from './platform/postgres/start.ts'
import { Trouble } from './platform/trouble.ts'
import { afterRestore } from './restored.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const fault = (error: unknown, what: string): void => {
  const text =
    error instanceof Trouble ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`Evenpost, ${what}: ${text}\n`)
}
const life = tieLifecycle({ say, fault })

try {
  await start()
} catch (error) {
  fault(error, 'while starting')
  await life.stop(undefined, 1)
}

async function start(): Promise<void> {
  const envFile = join(import.meta.dirname, '..', '.env')
  if (existsSync(envFile)) process.loadEnvFile(envFile)
  const config = readConfig(process.env)
  const { database, postgres } = await openHouseDatabase(config)
  const restored = await afterRestore(database)
  if (restored) say(restored)
  const house = { config, database, log: createLog(config.logLevel) }
  const { app, start: begin, stop: end } = await buildApp(house)
  life.onStop(end)
  await begin()
  const what =
    config.mode === 'sandbox'
      ? 'Sandbox: money and postage are played, labels are specimens.'
      : 'Live: real money, real postage.'
  const warning = carrierWarning(config)
  if (warning) say(`WARNING  ${warning}`)
  if (config.role === 'worker') {
    say(`${what}\nEvenpost is ready and buys labels (ROLE=worker: it serves no pages)`)
    return
  }
  const address = await listen(app, config)
  if (!process.env.PUBLIC_URL) config.publicUrl = address
  await postgres?.announce(address)
  // Only now: a password is made and shown once, and a start that failed at the port would have swallowed it.
  const admin = await ensureFirstAdmin(house)
  say(`${what}\nEvenpost is ready at ${address}`)
  say(admin ? signInLine(admin) : `Sign in at ${address}/login`)
}

function signInLine({ email, password }: { email: string; password?: string }): string {
  return password === undefined
    ? `Sign in as ${email} with the password in ADMIN_PASSWORD`
    : `Sign in as ${email} with the password ${password} (shown this once; change it after signing in)`
}

/** Starts or finds PostgreSQL and brings it to the newest migration. */
async function openHouseDatabase(
  config: Config,
): Promise<{ database: Database; postgres: Postgres | undefined }> {
  const began = performance.now()
  let postgres: Postgres | undefined
  if (!config.databaseUrl) {
    postgres = await startPostgres({
      dataDir: config.dataDir,
      log: say,
      onLost: error => {
        fault(error, 'the database was taken over')
        void life.stop('the database is lost', 1)
      },
    })
    life.onStop(postgres.stop)
  }
  const database = openDatabase(config.databaseUrl ?? postgres!.url, {
    max: config.databasePool,
    log: say,
  })
  life.onStop(database.close)
  if (config.databaseUrl) await waitForDatabase(database.pool, say)
  const version = await demandFitDatabase(database.pool, config)
  const { applied } = await migrate(database.pool)
  await settleMode(database, config.mode)
  const where = postgres
    ? `in ${config.dataDir}${postgres.adopted ? ', still running from before' : ''}`
    : 'named by DATABASE_URL'
  const changes = applied.length > 0 ? `, ${applied.length} migrations applied` : ''
  say(
    `PostgreSQL ${version} ${where}${changes}: ready in ${Math.round(performance.now() - began)} ms`,
  )
  return { database, postgres }
}

/** Serves on the configured address; answers with the one a browser can open. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Trouble(
        `Port ${port} is in use. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
      )
    if (code === 'EACCES')
      throw new Trouble(
        `This user may not listen on port ${port}. Choose one above 1023, for example PORT=3000.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Trouble(`HOST=${host} is not an address of this machine.`)
    throw error
  }
  const bound = app.server.address()
  return addressOf(host, typeof bound === 'object' && bound ? bound.port : port)
}
