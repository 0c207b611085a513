// npm run doctor: looks at the configuration, the database, the disk and the bucket, and says in plain sentences what is wrong. It
// changes nothing, may be run beside a running Evenpost, and ends with 1 when something is wrong.
import { randomUUID } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { carrierAccount, carrierWarning } from '#server/carriers/open.ts'
import { readConfig } from '#server/config.ts'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import { readLastBackup } from '#server/platform/backup/create-backup.ts'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { pendingMigrations } from '#server/platform/database/migrate.ts'
import { checkDatabaseServer } from '#server/platform/database/server-check.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { openS3FileStore } from '#server/platform/storage/open.ts'
import { ROOT } from './command.ts'
import { checkData, checkBackupAge } from './doctor/data-checks.ts'
import type { Finding } from './doctor/data-checks.ts'

const MIN_FREE_BYTES = 1_000_000_000 // bytes

let problemCount = 0
const printOk = (text: string): void => void process.stdout.write(`  ok     ${text}\n`)
const printProblem = (text: string): void => {
  problemCount++
  process.stdout.write(`  WRONG  ${text}\n`)
}
const printFinding = ({ isOk, text }: Finding): void => (isOk ? printOk(text) : printProblem(text))

try {
  await runChecks()
} catch (error) {
  printProblem(error instanceof Error ? error.message : String(error))
}
process.stdout.write(
  problemCount === 0
    ? 'Everything is in order.\n'
    : `${problemCount === 1 ? 'One thing needs' : `${problemCount} things need`} attention.\n`,
)
process.exit(problemCount === 0 ? 0 : 1)

async function runChecks(): Promise<void> {
  if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'))
  const config = readConfig(process.env)
  printOk(
    `Configuration: ${config.mode} mode, carrier ${config.carrier}, payments ${config.payments}, files ${config.files}`,
  )
  const warning = carrierWarning(config)
  if (warning) printProblem(`Carrier: ${warning}`)
  printOk(`Node ${process.version} on ${process.platform} ${process.arch}`)
  checkDisk(config)
  await checkPayments(config)
  await checkFiles(config)
  if (!config.databaseUrl && !existsSync(config.dataDir)) {
    printOk(`Database: none yet in ${config.dataDir}; npm start makes it`)
    return
  }
  const embedded = config.databaseUrl
    ? undefined
    : await startPostgres({ dataDir: config.dataDir, log: printOk, exclusive: false })
  const database = openDatabase(config.databaseUrl ?? embedded!.url, {
    max: 2,
    name: 'evenpost doctor',
  })
  try {
    await checkDatabase(config, database, config.databaseUrl ?? embedded!.url)
    await checkBackup(config)
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    printProblem(
      error instanceof OperatorError
        ? `Database: ${message}`
        : `Database: it cannot be asked (${message || code})`,
    )
  } finally {
    await database.close()
    await embedded?.stop()
  }
}

function checkDisk({ dataDir }: Config): void {
  let place = dataDir
  while (!existsSync(place)) place = dirname(place)
  const { bavail, bsize } = statfsSync(place)
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free for ${dataDir}`
  if (bavail * bsize < MIN_FREE_BYTES)
    printProblem(
      `Disk: only ${free}. The database stops selling labels when the disk is full: make room.`,
    )
  else printOk(`Disk: ${free}`)
}

/** The one thing that the doctor writes: a small file in the bucket, which it deletes again. */
async function checkFiles(config: Config): Promise<void> {
  try {
    const { endpoint, bucket } = config.s3
    const proven = await openS3FileStore(config, STORED_FILE_NAMES)?.selfTest()
    if (proven?.deletes)
      printOk(
        `Files: the bucket ${bucket} at ${endpoint} takes a file, gives it back and deletes it`,
      )
    else if (proven)
      printProblem(
        `Files: the bucket ${bucket} at ${endpoint} keeps what it should delete: allow the key s3:DeleteObject`,
      )
  } catch (error) {
    printProblem(`Files: ${(error as Error).message}`)
  }
}

/** Whether the payment service answers and knows the key; a question that changes nothing there. */
async function checkPayments({ payments, btcpay }: Config): Promise<void> {
  if (payments !== 'btcpay') return
  try {
    await btcpayProvider(btcpay).findByReference(randomUUID())
    printOk('Payments: BTCPay Server answers, and the key may view the invoices of the store')
  } catch (error) {
    printProblem(`Payments: ${(error as Error).message}`)
  }
}

async function checkDatabase(config: Config, database: Database, url: string): Promise<void> {
  const { pool } = database
  const { version, problems } = await checkDatabaseServer(pool)
  printOk(`Database: PostgreSQL ${version}`)
  problems.forEach(fault => printProblem(`Database: ${fault}`))
  if (problems.length === 0)
    printOk('Database: keeps what it has confirmed (fsync, full_page_writes, synchronous_commit)')

  const pending = await pendingMigrations(pool)
  if (pending.length > 0)
    printProblem(`Migrations not applied yet: ${pending.join(', ')}. npm start applies them.`)
  else printOk('Migrations: all applied')

  // Older tables may lack what is asked next.
  if (pending.length > 0) return
  for (const finding of await checkData(database, url, [
    carrierAccount(config),
    ...config.carrierSameAccount,
  ]))
    printFinding(finding)
}

/** Of the embedded database; one named by DATABASE_URL is backed up by other means, which cannot be seen from here. */
async function checkBackup({ dataDir, databaseUrl, mode }: Config): Promise<void> {
  if (databaseUrl)
    printOk(
      'Backup: a server that DATABASE_URL names is backed up by its own means, which cannot be seen from here',
    )
  else printFinding(checkBackupAge(await readLastBackup(dataDir), mode, new Date()))
}
