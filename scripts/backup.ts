// npm run backup [folder]: copies database, label files and settings into a new dated folder, also
// while Evenpost runs. The backup is test-restored unless `--unrehearsed` is given. Files in a
// bucket are not copied.
import { join } from 'node:path'
import { readBackupContents } from '#server/backup-contents.ts'
import { readConfig, settingsInUse } from '#server/config.ts'
import { createBackup, backupSummary } from '#server/platform/backup/create-backup.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { loadEnvFile, runOperatorCommand, say, stopSignal } from './command.ts'

await runOperatorCommand(
  'backup',
  async ([folder], flags) => {
    loadEnvFile()
    const { databaseUrl, dataDir, files, s3 } = readConfig(process.env)
    const bucket =
      files === 's3' ? `turn on versioning of the bucket ${s3.bucket}, or copy it` : null
    if (databaseUrl) {
      throw new OperatorError(
        'DATABASE_URL names a server of your own: back it up with the tools of that server (pg_dump --format=custom, or its '
          + `archived log), and ${bucket ?? `copy ${join(dataDir, 'files')} too`}. Your pages are in ${join(dataDir, 'pages')}. `
          + 'Nothing was done.',
      )
    }
    const backup = await createBackup({
      dataDir,
      backupsFolder: folder ?? join(dataDir, 'backups'),
      settings: settingsInUse(process.env),
      readmeNote:
        'The first start after a restore looks up every open label at the carrier before it buys anything.',
      readContents: readBackupContents,
      rehearsed: !flags.has('--unrehearsed'),
      say,
      signal: stopSignal(),
    })
    say(backupSummary(backup))
    if (bucket) say(`It does not contain the label files: ${bucket}.`)
  },
  ['--unrehearsed'],
)
