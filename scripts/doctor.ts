// npm run doctor: looks at the configuration, the database and the disk, and says in plain sentences what is wrong. It changes
// nothing, may be run beside a running Evenpost, and ends with 1 when something is wrong.
import { existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '#server/platform/config.ts'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database.ts'
import type { Database } from '#server/platform/database.ts'
import { databaseFitness } from '#server/platform/fitness.ts'
import { pendingMigrations } from '#server/platform/migrate.ts'
import { startPostgres } from '#server/platform/postgres/start.ts'
import { ROOT } from './steps.ts'

const LEAST_FREE = 1_000_000_000 // bytes

let wrong = 0
const good = (text: string): void => void process.stdout.write(`  ok     ${text}\n`)
const bad = (text: string): void => {
  wrong++
  process.stdout.write(`  WRONG  ${text}\n`)
}

try {
  await examine()
} catch (error) {
  bad(error instanceof Error ? error.message : String(error))
}
process.stdout.write(wrong === 0 ? 'Everything is in order.\n' : `${wrong === 1 ? 'One thing needs' : `${wrong} things need`} attention.\n`)
process.exit(wrong === 0 ? 0 : 1)

async function examine(): Promise<void> {
  if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'))
  const config = readConfig(process.env)
  good(`Configuration: ${config.mode} mode, carrier ${config.carrier}, payments ${config.payments}, files ${config.files}`)
  good(`Node ${process.version} on ${process.platform} ${process.arch}`)
  checkDisk(config)
  if (!config.databaseUrl && !existsSync(config.dataDir)) {
    good(`Database: none yet in ${config.dataDir}; npm start makes it`)
    return
  }
  const embedded = config.databaseUrl ? undefined : await startPostgres({ dataDir: config.dataDir, log: good, exclusive: false })
  const database = openDatabase(config.databaseUrl ?? embedded!.url, { max: 2, name: 'evenpost doctor' })
  try {
    await checkDatabase(database)
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    bad(`Database: it cannot be asked (${message || code})`)
  } finally {
    await database.close()
    await embedded?.stop()
  }
}

function checkDisk({ dataDir }: Config): void {
  let place = dataDir
  while (!existsSync(place)) place = dirname(place)
  const { bavail, bsize } = statfsSync(place)
  const free = `${(bavail * bsize / 1e9).toFixed(1)} GB free for ${dataDir}`
  if (bavail * bsize < LEAST_FREE) bad(`Disk: only ${free}. The database stops selling labels when the disk is full: make room.`)
  else good(`Disk: ${free}`)
}

async function checkDatabase({ pool }: Database): Promise<void> {
  const { version, faults } = await databaseFitness(pool)
  good(`Database: PostgreSQL ${version}`)
  faults.forEach(fault => bad(`Database: ${fault}`))
  if (faults.length === 0) good('Database: keeps what it has confirmed (fsync, full_page_writes, synchronous_commit)')

  const pending = await pendingMigrations(pool)
  if (pending.length > 0) bad(`Migrations not applied yet: ${pending.join(', ')}. npm start applies them.`)
  else good('Migrations: all applied')

  // Older tables may lack what is asked next.
  if (pending.length > 0) return
  const { rows: violations } = await pool.query<Record<string, unknown>>('select * from check_invariants()')
  violations.forEach(violation => bad(`Books: ${JSON.stringify(violation)}`))
  if (violations.length === 0) good('Books: every balance is the sum of its transfers')
  await checkLabels(pool)
}

/** Labels on which nothing has happened for an hour, though a running worker looks at each of them within minutes. */
async function checkLabels(pool: Database['pool']): Promise<void> {
  const { rows: [stuck] } = await pool.query<{ unknown: number; waiting: number }>(`
    select count(*) filter (where state = 'unknown' and unknown_since < now() - interval '1 hour')::int as unknown,
           count(*) filter (where state in ('queued', 'purchasing') and queued_at < now() - interval '1 hour')::int as waiting
      from shipment_order where state in ('unknown', 'queued', 'purchasing')`)
  const { unknown, waiting } = stuck!
  if (unknown > 0) bad(`Labels: ${unknown} may or may not have been bought, for over an hour. Ask the carrier; their money is held.`)
  if (waiting > 0) bad(`Labels: ${waiting} wait for over an hour to be bought. Is a worker running (ROLE=all or worker)?`)
  if (unknown + waiting === 0) good('Labels: none has waited for over an hour')
}
