// npm run restore -- <folder> [--replace]: restores a backup into DATA_DIR. `--rehearse` restores
// it into a scratch folder only. `--mark` marks the database (also one named by DATABASE_URL) as
// restored by other means.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { readBackupContents } from '#server/backup-contents.ts'
import { carrySandboxSales } from '#server/carriers/sandbox/copy-sales.ts'
import { readConfig } from '#server/config.ts'
import { carrySandboxPayments } from '#server/payments/sandbox/carry-over.ts'
import { requireDiskSpace } from '#server/platform/backup/file-copy.ts'
import { totalBytes, readManifest, verifyFiles } from '#server/platform/backup/manifest.ts'
import { markRestored, assertNotRunning } from '#server/platform/backup/restore-state.ts'
import { rehearse, restoreBackup } from '#server/platform/backup/restore.ts'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { requireDatabase } from '#server/platform/embedded-postgres/cluster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { loadEnvFile, runOperatorCommand, say, stopSignal } from './command.ts'

await runOperatorCommand(
  'restore',
  async ([folder], flags) => {
    loadEnvFile()
    const config = readConfig(process.env)
    if (flags.has('--mark')) return markDatabaseRestored(config)
    if (folder === undefined)
      throw new OperatorError('Name the folder of a backup: npm run restore -- <folder>')
    if (flags.has('--rehearse')) return rehearseRestore(resolve(folder), config)
    if (config.databaseUrl) {
      throw new OperatorError(
        'DATABASE_URL names a server of your own: stop Evenpost, restore the database with the tools of that server '
          + '(pg_restore), and then run npm run restore -- --mark, so that no label is bought twice. Nothing was done.',
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
    readContents: readBackupContents,
    say,
    signal: stopSignal(),
    carryOver: carryOverSandbox,
  })
  say(`${dataDir} is restored to ${madeAt.toISOString()}: ${contents.summary}`)
  for (const path of previousPaths) say(`The earlier data is in ${path}`)
  contents.violations.forEach(violation => say(`  WRONG  ${violation}`))
  say(
    'The next start looks up every open label at the carrier before it buys anything. Now: npm start',
  )
  if (contents.violations.length > 0) process.exitCode = 1
}

/** Keeps the sandbox's external state: a real carrier would not roll back either. */
async function carryOverSandbox(old: Database, restored: Database): Promise<string> {
  const {
    rows: [mode],
  } = await old.pool.query<{ value: string }>(`select value from app_setting where key = 'mode'`)
  if (mode?.value !== 'sandbox') return 'Carriers and payment services have their own records'
  const sold = await carrySandboxSales(old.db, restored)
  await carrySandboxPayments(old.db, restored)
  return `The sandbox still has the ${sold} labels it has sold and the payments it has received`
}

async function rehearseRestore(folder: string, { dataDir }: Config): Promise<void> {
  const manifest = await readManifest(folder)
  const signal = stopSignal()
  await verifyFiles(folder, manifest, signal)
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  await requireDiskSpace(dataDir, totalBytes(manifest.files))
  const { summary } = await rehearse({
    folder,
    parent: dataDir,
    readContents: readBackupContents,
    say,
    signal,
  })
  say(`The backup of ${manifest.madeAt} can be restored: ${summary}`)
}

async function markDatabaseRestored({ databaseUrl, dataDir }: Config): Promise<void> {
  if (!databaseUrl) await requireDatabase(dataDir)
  const postgres = databaseUrl ? undefined : await startPostgres({ dataDir, log: say })
  const database = openDatabase(databaseUrl ?? postgres!.ownerUrl, {
    max: 2,
    name: 'evenpost restore',
  })
  try {
    await assertNotRunning(database)
    await markRestored(database)
  } finally {
    await database.close()
    await postgres?.stop()
  }
  say(
    'The database is marked as restored: the next start looks up every open label at the carrier before it buys anything.',
  )
}
