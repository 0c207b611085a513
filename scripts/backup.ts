// npm run backup [folder]: database, label files and settings of this house into a new dated folder, while it runs or not. The
// backup is put back on trial before the command ends; `--unrehearsed` leaves that out. Files in a bucket stay there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, VARIABLES } from '#server/config.ts'
import { createBackup, backupSummary } from '#server/platform/backup/create-backup.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { SECRET_NAME } from '#server/platform/variables.ts'
import { runOperatorCommand, ROOT, say } from './command.ts'

await runOperatorCommand(
  'backup',
  async ([folder], flags) => {
    if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'))
    const { databaseUrl, dataDir, files, s3 } = readConfig(process.env)
    const bucket =
      files === 's3'
        ? `have the bucket ${s3.bucket} keep old versions of what is in it, or copy it`
        : null
    if (databaseUrl) {
      throw new OperatorError(
        'DATABASE_URL names a server of your own: back it up with what that server has (pg_dump --format=custom, or its '
          + `archived log), and ${bucket ?? `copy ${join(dataDir, 'files')} beside it`}. Nothing was done.`,
      )
    }
    const set = Object.keys(VARIABLES).filter(name => process.env[name]?.trim())
    const settings = Object.fromEntries(
      set.map(name => [
        name,
        SECRET_NAME.test(name) ? '(a secret, not kept here)' : process.env[name]!.trim(),
      ]),
    )
    const backup = await createBackup({
      dataDir,
      backupsFolder: folder ?? join(dataDir, 'backups'),
      settings,
      rehearsed: !flags.has('--unrehearsed'),
      say,
    })
    say(backupSummary(backup))
    if (bucket) say(`The label files are not in it: ${bucket}.`)
  },
  ['--unrehearsed'],
)
