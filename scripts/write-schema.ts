// node scripts/write-schema.ts: writes server/schema/schema.sql, the snapshot of the database as the migrations make it.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { ROOT } from './command.ts'
import { describeSchema, SCHEMA_FILE } from './schema/describe-schema.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost-schema-'))
await chmod(folder, 0o711) // as root, PostgreSQL runs as another user
const postgres = await startPostgres({
  dataDir: join(folder, 'data'),
  testMode: true,
  log: () => {},
})
try {
  const { pool, close } = openDatabase(postgres.ownerUrl, { max: 2 })
  await migrate(pool)
  await writeFile(join(ROOT, SCHEMA_FILE), await describeSchema(pool).finally(close))
  process.stdout.write(`${SCHEMA_FILE} is written.\n`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
