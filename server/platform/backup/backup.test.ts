import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '#scripts/command.ts'
import { fillDatabase } from '#scripts/seed/fill.ts'
import { readBackupContents } from '#server/backup-contents.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { keepLabelArchive, putLabelArchive } from '#server/platform/database/label-archive.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import type { Postgres } from '#server/platform/embedded-postgres/start.ts'
import { openSecretKey, SECRET_KEY_FILE } from '#server/platform/process/secret-key.ts'
import { readLastBackup, createBackup, neededBytes } from './create-backup.ts'
import type { Backup } from './create-backup.ts'
import { readRestoreState, runOnceAfterRestore } from './restore-state.ts'
import { restoreBackup } from './restore.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost backup '))
await chmod(folder, 0o711) // started as root, the server runs as another user
const dataDir = join(folder, 'data')
const kept = join(folder, 'kept')
const say = (): void => {}
const start = (path = dataDir) => startPostgres({ dataDir: path, log: say })
const restore = (from: string, to: string, replace = false) =>
  restoreBackup({ folder: from, dataDir: to, replace, readContents: readBackupContents, say })

/** The notes in the database of a data folder. */
async function notes(url: string): Promise<string[]> {
  const database = openDatabase(url, { max: 1 })
  const { rows } = await database.pool
    .query<{ text: string }>('select text from note order by text')
    .finally(() => database.close())
  return rows.map(({ text }) => text)
}

async function write(url: string, text: string): Promise<void> {
  const database = openDatabase(url, { max: 1 })
  await database.pool.query('insert into note values ($1)', [text]).finally(() => database.close())
}

let living: Postgres
let backup: Backup

beforeAll(async () => {
  living = await start()
  const database = openDatabase(living.ownerUrl, { max: 1 })
  await migrate(database.pool)
  await runOnceAfterRestore(database, async () => true)
  await database.pool.query(`create table note (text text); insert into note values ('before')`)
  await database.close()
  await mkdir(join(dataDir, 'files', 'ab'), { recursive: true })
  await writeFile(join(dataDir, 'files', 'ab', 'label.pdf'), 'a label')
  await mkdir(join(dataDir, 'pages'))
  await writeFile(join(dataDir, 'pages', 'terms.md'), '# Our terms')
  await openSecretKey({ dataDir, secretKey: undefined })
  backup = await createBackup({
    dataDir,
    backupsFolder: kept,
    settings: { PORT: '3000' },
    readmeNote: 'A note.',
    readContents: readBackupContents,
    rehearsed: true,
    say,
  })
  await write(living.ownerUrl, 'after')
})
afterAll(async () => {
  await living.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a backup of a running database describes itself, was test-restored, and is known to the doctor', async () => {
  expect(backup.contents).toEqual({
    summary: '0 users, 0 orders, 0 transfers; the books balance.',
    violations: [],
  })
  expect(await readFile(join(backup.folder, 'README.txt'), 'utf8')).toContain(
    'To restore it:     npm run restore -- <this folder>',
  )
  expect(JSON.parse(await readFile(join(backup.folder, 'settings.json'), 'utf8'))).toEqual({
    PORT: '3000',
  })
  expect(await readLastBackup(dataDir)).toMatchObject({ folder: backup.folder, rehearsed: true })
  expect(await readdir(kept)).toHaveLength(1) // nothing of the test restore is left
})

test('restored into an empty folder it has the state of the backup and knows that it was restored', async () => {
  const elsewhere = join(folder, 'elsewhere')
  expect((await restore(backup.folder, elsewhere)).previousPaths).toEqual([])
  expect(await readFile(join(elsewhere, 'files', 'ab', 'label.pdf'), 'utf8')).toBe('a label')
  expect(await readFile(join(elsewhere, 'pages', 'terms.md'), 'utf8')).toBe('# Our terms')
  const key = await readFile(join(elsewhere, SECRET_KEY_FILE), 'utf8')
  expect(key, 'the secret key').toBe(await readFile(join(dataDir, SECRET_KEY_FILE), 'utf8'))
  const postgres = await start(elsewhere)
  const database = openDatabase(postgres.ownerUrl, { max: 1 })
  try {
    expect(await notes(postgres.ownerUrl)).toEqual(['before'])
    expect(await readRestoreState(database.db)).toEqual({ pending: true, at: null })
    expect(await runOnceAfterRestore(database, async () => 'asked')).toBe('asked')
    expect(await runOnceAfterRestore(database, async () => 'asked again')).toBeNull()
    expect((await readRestoreState(database.db)).pending).toBe(false)
  } finally {
    await database.close()
    await postgres.stop()
  }
})

test('an existing database is replaced only on request, and never while another process uses it', async () => {
  await expect(restore(backup.folder, dataDir)).rejects.toThrow(
    'has a database already, and nothing was changed.',
  )
  const before = await readdir(dataDir)
  await expect(restore(backup.folder, dataDir, true)).rejects.toThrow(
    `Another Evenpost is running on the data folder ${dataDir}`,
  )
  expect(await readdir(dataDir)).toEqual(before)
  expect(await notes(living.ownerUrl)).toEqual(['after', 'before'])
})

test('a damaged or unfinished backup, or a folder without one, is refused before anything is written', async () => {
  const target = join(folder, 'never')
  const copy = join(folder, 'copy')
  await cp(backup.folder, copy, { recursive: true })
  await appendFile(join(copy, 'files', 'ab', 'label.pdf'), '!')
  await rm(join(copy, 'cluster', 'PG_VERSION'))
  const damaged =
    /is damaged; nothing was changed.*cluster\/PG_VERSION is missing.*label\.pdf has changed/s
  await expect(restore(copy, target)).rejects.toThrow(damaged)
  await rm(join(copy, 'manifest.json'))
  await expect(restore(copy, target)).rejects.toThrow('is not a complete backup of Evenpost')
  await expect(restore(join(folder, 'nowhere'), target)).rejects.toThrow(
    'is not a complete backup of Evenpost',
  )
  expect((await readdir(target)).filter(name => !name.endsWith('.location'))).toEqual([])
})

test('a backup of a newer program, of another format, or with a path outside of it is refused', async () => {
  const copy = join(folder, 'strange')
  await mkdir(copy)
  const manifest = JSON.parse(
    await readFile(join(backup.folder, 'manifest.json'), 'utf8'),
  ) as Record<string, unknown>
  const refused = async (changes: Record<string, unknown>) => {
    await writeFile(join(copy, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }))
    return restore(copy, join(folder, 'never'))
  }
  await expect(refused({ migrations: ['0001_platform.sql', '9999_future.sql'] })).rejects.toThrow(
    'made by a newer program',
  )
  await expect(refused({ migrations: ['0001_ledger.sql', '0002_accounts.sql'] })).rejects.toThrow(
    'made by an unreleased development version',
  )
  await expect(refused({ format: 'evenpost-backup-2' })).rejects.toThrow(
    'has a format that this Evenpost does not know',
  )
  await expect(refused({ folders: ['cluster/../../outside'] })).rejects.toThrow(
    'is damaged (folders.0)',
  )
})

test('a backup that is stopped by Ctrl-C leaves nothing behind', async () => {
  const stopped = join(folder, 'stopped')
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'backup.ts'), stopped], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let isStopping = false
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      // Once: a process that is ending listens to no signal any more, and another one would end it without its exit code.
      if (isStopping || !said.includes('Test-restoring')) return
      isStopping = true
      child.kill('SIGINT')
    })
  const [code] = (await once(child, 'close')) as [number | null]
  expect(said).toContain('Evenpost, backup: It was stopped by Ctrl-C. Nothing was changed.')
  expect(code).toBe(1)
  expect(await readdir(stopped)).toEqual([])
})

test('a backup without a test restore that is stopped at its last file leaves nothing behind', async () => {
  const stopped = join(folder, 'stopped at the last file')
  const before = await readLastBackup(dataDir)
  // The progress of less is not told.
  const page = join(dataDir, 'pages', 'large')
  await writeFile(page, Buffer.alloc(50_000_000))
  onTestFinished(() => rm(page))
  const stop = new AbortController()
  await expect(
    createBackup({
      dataDir,
      backupsFolder: stopped,
      settings: {},
      readmeNote: '',
      readContents: readBackupContents,
      rehearsed: false,
      say(line) {
        if (line === 'Copying the pages: 50 MB of 50 MB') stop.abort(new Error('by Ctrl-C'))
      },
      signal: stop.signal,
    }),
  ).rejects.toThrow('by Ctrl-C')
  expect(await readdir(stopped)).toEqual([])
  expect(await readLastBackup(dataDir)).toEqual(before)
})

test('the space for a backup is that of database and files, twice with a test restore', () => {
  expect(neededBytes(100, 3_000, false)).toBe(3_100)
  expect(neededBytes(100, 3_000, true)).toBe(6_200)
})

test('a backup whose test restore lacks only space is kept, and the doctor knows that it was not tested', async () => {
  const full = join(folder, 'full')
  /** The test restore needs more than any disk has. */
  const growBackup = (line: string): void => {
    if (line !== 'Test-restoring the backup') return
    const draft = readdirSync(full).find(name => name.startsWith('.unfinished-'))!
    const path = join(full, draft, 'manifest.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: { bytes: number }[] }
    manifest.files[0]!.bytes = 1e15
    writeFileSync(path, JSON.stringify(manifest))
  }
  await expect(
    createBackup({
      dataDir,
      backupsFolder: full,
      settings: {},
      readmeNote: '',
      readContents: readBackupContents,
      rehearsed: true,
      say: growBackup,
    }),
  ).rejects.toThrow(
    /complete and is kept in .*, but it could not be test-restored\. There is not enough space/,
  )
  const names = await readdir(full)
  expect(names).toEqual([expect.stringMatching(/^evenpost-/)])
  expect(await readdir(join(full, names[0]!))).toContain('cluster')
  expect(await readLastBackup(dataDir)).toMatchObject({
    folder: join(full, names[0]!),
    rehearsed: false,
  })
})

test('a folder that takes no backups is named with what to do', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  await expect(
    createBackup({
      dataDir,
      backupsFolder: file,
      settings: {},
      readmeNote: '',
      readContents: readBackupContents,
      rehearsed: false,
      say,
    }),
  ).rejects.toThrow(
    `Backups cannot be written to ${file} (EEXIST). Name a folder that this user may write to.`,
  )
})

test('without a database there is nothing to back up', async () => {
  const empty = join(folder, 'empty')
  await expect(
    createBackup({
      dataDir: empty,
      backupsFolder: kept,
      settings: {},
      readmeNote: '',
      readContents: readBackupContents,
      rehearsed: false,
      say,
    }),
  ).rejects.toThrow('There is nothing to back up')
})

test('a backup has the labels of the archive too, each once, and their books agree', async () => {
  const home = join(folder, 'with an archive')
  const postgres = await start(home)
  const database = openDatabase(postgres.ownerUrl, { max: 2 })
  try {
    await migrate(database.pool)
    const from = new Date(Date.now() - 500 * 86_400_000)
    await fillDatabase(postgres.ownerUrl, { users: 5, labels: 200, from })
    await database.pool.query(
      `insert into audit_entry (action, created_at) values ('login', now() - interval '20 days')`,
    )
    await putLabelArchive(database.pool, 13)
    await keepLabelArchive(database.pool, { say() {}, isStopped: () => false })
    const { rows } = await database.pool.query(
      'select count(*) > 100 as "areMost" from shipment_order_archive',
    )
    expect(rows).toEqual([{ areMost: true }])
    const { folder: made, contents } = await createBackup({
      dataDir: home,
      backupsFolder: kept,
      settings: {},
      readmeNote: '',
      readContents: readBackupContents,
      rehearsed: true,
      say,
    })
    expect(contents!.summary).toMatch(/^5 users, 200 orders, .*the books balance\.$/)
    await rm(made, { recursive: true })
  } finally {
    await database.close()
    await postgres.stop()
  }
})
