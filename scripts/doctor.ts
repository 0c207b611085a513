// npm run doctor: checks configuration, database, disk and bucket, and prints what is wrong. It
// changes nothing, can run while Evenpost runs, and exits with 1 when something is wrong.
import { randomUUID } from 'node:crypto'
import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { carrierAccount, carrierWarnings } from '#server/carriers/open.ts'
import { firstCatalogueWarning } from '#server/catalogue/service.ts'
import { readConfig } from '#server/config.ts'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { btcpayProvider } from '#server/payments/btcpay/adapter.ts'
import { readLastBackup } from '#server/platform/backup/create-backup.ts'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { pendingMigrations } from '#server/platform/database/migrate.ts'
import { checkDatabaseServer } from '#server/platform/database/server-check.ts'
import { APP_ROLE, hasDatabase } from '#server/platform/embedded-postgres/cluster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { untrustedProxyWarning } from '#server/platform/http/untrusted-proxy.ts'
import { ignoreLostOutput } from '#server/platform/process/lost-output.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { readUnexpectedEnds } from '#server/platform/process/unexpected-ends.ts'
import { filesFolderProblem } from '#server/platform/storage/disk.ts'
import { openS3FileStore } from '#server/platform/storage/open.ts'
import { openOperatorPages } from '#server/support/pages-service.ts'
import { loadEnvFile } from './command.ts'
import { checkCarrierAccounts } from './doctor/carrier-checks.ts'
import { booksNotice, checkBackupAge, checkData, estimateTransfers } from './doctor/data-checks.ts'
import type { Finding } from './doctor/data-checks.ts'
import { checkDatabaseUser } from './doctor/database-user.ts'
import { checkEvidence } from './doctor/evidence-checks.ts'
import { checkLabelArchive } from './doctor/label-archive-check.ts'
import { checkMails, checkMailSender, checkUnexpectedEnds } from './doctor/mail-checks.ts'
import { checkSupportPages } from './doctor/page-checks.ts'
import { checkPasskeys } from './doctor/passkey-checks.ts'
import { checkSecretKey } from './doctor/secret-key-checks.ts'
import { checkStandby } from './doctor/standby-check.ts'

const MIN_FREE_BYTES = 1_000_000_000

let problemCount = 0
const printOk = (text: string): void => void process.stdout.write(`  ok     ${text}\n`)
const printProblem = (text: string): void => {
  problemCount++
  process.stdout.write(`  WRONG  ${text}\n`)
}
const printFinding = ({ isOk, text }: Finding): void => (isOk ? printOk(text) : printProblem(text))

ignoreLostOutput()
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
  loadEnvFile()
  const config = readConfig(process.env)
  const carriers = config.carrierAccounts.map(({ carrier }) => carrier).join(' and ')
  printOk(
    `Configuration: ${config.mode} mode, carrier ${carriers}, payments ${config.payments}, files ${config.files}`,
  )
  for (const warning of carrierWarnings(config)) printProblem(`Carrier: ${warning}`)
  printOk(`Node ${process.version} on ${process.platform} ${process.arch}`)
  checkDisk(config)
  printFinding(checkUnexpectedEnds(await readUnexpectedEnds(config.dataDir), new Date()))
  checkMailSender(config).forEach(printFinding)
  await checkPayments(config)
  await checkFiles(config)
  await checkPages(config)
  if (!config.databaseUrl && !(await hasDatabase(config.dataDir))) {
    printOk(`Database: none yet in ${config.dataDir}; npm start creates it`)
    return
  }
  const embedded = config.databaseUrl
    ? undefined
    : await startPostgres({ dataDir: config.dataDir, log: printOk, exclusive: false })
  const url = config.databaseUrl ?? embedded!.ownerUrl
  const database = openDatabase(url, { max: 2, name: 'evenpost doctor' })
  try {
    await checkDatabase(config, database, url)
    await checkBackup(config)
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    printProblem(
      error instanceof OperatorError
        ? `Database: ${message}`
        : `Database: it cannot be queried (${message || code})`,
    )
  } finally {
    await database.close()
    await embedded?.stop()
  }
}

function checkDisk({ dataDir }: Config): void {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = statfsSync(folder)
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free for ${dataDir}`
  if (bavail * bsize < MIN_FREE_BYTES)
    printProblem(`Disk: only ${free}. No label can be sold when the disk is full: free some space.`)
  else printOk(`Disk: ${free}`)
}

/** A worker shows no pages. */
async function checkPages(config: Config): Promise<void> {
  const { mode, role, supportEmail } = config
  if (role === 'worker') return
  const log = { warn: ({ problem }: { problem: string }) => printProblem(`Pages: ${problem}`) }
  const pages = await openOperatorPages({ config, log }).list()
  for (const finding of checkSupportPages({ mode, pages, supportEmail })) printFinding(finding)
}

/** Whether label files can be stored: in the data folder, or in the bucket, where a small file is written and deleted. */
async function checkFiles(config: Config): Promise<void> {
  try {
    const problem = config.files === 'disk' ? await filesFolderProblem(config.dataDir) : null
    if (problem !== null) printProblem(`Files: ${problem}`)
    const { endpoint, bucket } = config.s3
    const result = await openS3FileStore(config, STORED_FILE_NAMES)?.selfTest()
    if (result?.deletes)
      printOk(
        `Files: in the bucket ${bucket} at ${endpoint} a file can be written, read and deleted`,
      )
    else if (result)
      printProblem(
        `Files: in the bucket ${bucket} at ${endpoint} a file cannot be deleted: allow the key s3:DeleteObject`,
      )
  } catch (error) {
    printProblem(`Files: ${(error as Error).message}`)
  }
}

/** Looks up an invoice that does not exist: the service must respond and accept the key. */
async function checkPayments({ payments, btcpay }: Config): Promise<void> {
  if (payments !== 'btcpay') return
  try {
    await btcpayProvider(btcpay).findByReference(randomUUID())
    printOk('Payments: BTCPay Server responds, and the key may view the invoices of the store')
  } catch (error) {
    printProblem(`Payments: ${(error as Error).message}`)
  }
}

async function checkDatabase(config: Config, database: Database, url: string): Promise<void> {
  const { pool } = database
  const { version, problems } = await checkDatabaseServer(pool)
  printOk(`Database: PostgreSQL ${version}`)
  problems.forEach(problem => printProblem(`Database: ${problem}`))
  if (problems.length === 0)
    printOk('Database: commits are durable (fsync, full_page_writes, synchronous_commit)')

  const pending = await pendingMigrations(pool)
  if (pending.length > 0)
    printProblem(`Migrations not applied yet: ${pending.join(', ')}. npm start applies them.`)
  else printOk('Migrations: all applied')

  // The next queries need the newest tables.
  if (pending.length > 0) return
  const prices = await firstCatalogueWarning(database, config.mode)
  if (prices) printProblem(`Prices: ${prices}`)
  const proxy = await untrustedProxyWarning(database, config.trustProxy)
  if (proxy) printProblem(`Proxy: ${proxy}`)
  const embeddedUser = config.databaseUrl === undefined ? APP_ROLE : undefined
  for (const finding of await checkDatabaseUser(pool, embeddedUser)) printFinding(finding)
  const notice = booksNotice(await estimateTransfers(database))
  if (notice) process.stdout.write(`  wait   ${notice}\n`)
  for (const finding of await checkData(database, url, [
    carrierAccount(config.carrierAccounts[0]),
    ...config.carrierSameAccount,
    ...config.carrierAccounts
      .slice(1)
      .flatMap(one => [carrierAccount(one), ...one.carrierSameAccount]),
  ]))
    printFinding(finding)
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  for (const finding of await checkCarrierAccounts({ config, database, log: quiet }))
    printFinding(finding)
  for (const finding of await checkEvidence(pool, config, new Date())) printFinding(finding)
  printFinding(await checkLabelArchive(pool, config))
  for (const finding of await checkMails(pool)) printFinding(finding)
  for (const finding of await checkPasskeys(pool, config.publicUrl)) printFinding(finding)
  for (const finding of await checkSecretKey(pool, config)) printFinding(finding)
  if (config.databaseReadUrl) printFinding(await checkStandby(config.databaseReadUrl))
}

async function checkBackup({ dataDir, databaseUrl, mode }: Config): Promise<void> {
  if (databaseUrl)
    printOk(
      'Backup: the server named by DATABASE_URL has backups of its own, which the doctor cannot check',
    )
  else printFinding(checkBackupAge(await readLastBackup(dataDir), mode, new Date()))
}
