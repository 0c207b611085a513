// npm run restore -- <folder> [--replace]: puts a backup into DATA_DIR. `--rehearse` tries it in a scratch folder and changes
// nothing. `--mark`: says that the database (also one named by DATABASE_URL) was put back by other means.
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copySandboxSales } from '#server/carriers/sandbox/copy-sales.ts'
import { carrySandboxPayments } from '#server/payments/sandbox/carry-over.ts'
import { requireDiskSpace } from '#server/platform/backup/file-copy.ts'
import { totalBytes, readManifest, verifyFiles } from '#server/platform/backup/manifest.ts'
import { markRestored, assertNotRunning } from '#server/platform/backup/restore-state.ts'
import { rehearse, restoreBackup } from '#server/platform/backup/restore.ts'
import { readConfig } from '#server/config.ts'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { runOperatorCommand, ROOT, say } from './command.ts'

await runOperatorCommand(
  'restore',
  async ([folder], flags) => {
    if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'))
    const config = readConfig(process.env)
    if (flags.has('--mark')) return markDatabaseRestored(config)
    if (folder === undefined)
      throw new OperatorError('Name the folder of a backup: npm run restore -- <folder>')
    if (flags.has('--rehearse')) return rehearseRestore(resolve(folder), config)
    if (config.databaseUrl) {
      throw new OperatorError(
        'DATABASE_URL names a server of your own: stop Evenpost, put the database back with what that server has '
          + '(pg_restore), and then say so with npm run restore -- --mark, so that nothing is bought again. Nothing was done.',
      )
    }
    await restoreInto(resolve(folder), config, flags.has('--replace'))
  },
  ['--replace', '--rehearse', '--mark'],
)

async function restoreInto(folder: string, { dataDir }: Config, replace: boolean): Promise<void> {
  const { madeAt, contents, previousPaths } = await restoreBackup({
    folder,
    dataDir,
    replace,
    say,
    carryOver: carryOverSandbox,
  })
  say(`${dataDir} is as it was at ${madeAt.toISOString()}: ${contents.summary}`)
  for (const kept of previousPaths) say(`What was there before is in ${kept}`)
  contents.violations.forEach(violation => say(`  WRONG  ${violation}`))
  say(
    'The next start asks the carrier about every open label before it buys anything. Now: npm start',
  )
  if (contents.violations.length > 0) process.exitCode = 1
}

/** The sandbox plays other companies; what they did since the backup, they did. */
async function carryOverSandbox(old: Database, restored: Database): Promise<string> {
  const {
    rows: [mode],
  } = await old.pool.query<{ value: string }>(`select value from app_setting where key = 'mode'`)
  if (mode?.value !== 'sandbox') return 'Real carriers and payment services keep their own books'
  const sold = await copySandboxSales(old.db, restored)
  await carrySandboxPayments(old.db, restored)
  return `The sandbox carrier remembers the ${sold} labels it has sold, and the sandbox's payment service what was paid`
}

async function rehearseRestore(folder: string, { dataDir }: Config): Promise<void> {
  const manifest = await readManifest(folder)
  await verifyFiles(folder, manifest)
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  await requireDiskSpace(dataDir, totalBytes(manifest.files))
  const { summary } = await rehearse(folder, dataDir, say)
  say(`The backup of ${manifest.madeAt} can be put back: ${summary}`)
}

async function markDatabaseRestored({ databaseUrl, dataDir }: Config): Promise<void> {
  if (!databaseUrl && !existsSync(dataDir))
    throw new OperatorError(`There is no database in ${dataDir}.`)
  const postgres = databaseUrl ? undefined : await startPostgres({ dataDir, log: say })
  const database = openDatabase(databaseUrl ?? postgres!.url, { max: 2, name: 'evenpost restore' })
  try {
    await assertNotRunning(database)
    await markRestored(database)
  } finally {
    await database.close()
    await postgres?.stop()
  }
  say(
    'The database is marked as restored: the next start asks the carrier about every open label before it buys anything.',
  )
}
