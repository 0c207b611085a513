import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRestoreState, runOnceAfterRestore } from '#server/platform/backup/restore-state.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runCommand } from '#tests/support/run-command.ts'

const database = await testDatabase()
const run = (name: string, ...words: string[]) =>
  runCommand(name, words, { DATABASE_URL: database.url })

test('with DATABASE_URL backup and restore refer to the tools of that server', async () => {
  expect(await run('backup')).toMatchObject({
    code: 1,
    output: expect.stringContaining('pg_dump --format=custom'),
  })
  expect(await run('restore', 'a-folder')).toMatchObject({
    code: 1,
    output: expect.stringContaining('npm run restore -- --mark'),
  })
})

test('a database that was restored by other means can be marked when no process uses it', async () => {
  await runOnceAfterRestore(database, async () => true)
  const running = openDatabase(database.url, { max: 1 })
  await running.pool.query('select 1')
  expect(await run('restore', '--mark')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Stop all of its processes'),
  })
  expect((await readRestoreState(database.db)).pending).toBe(false)
  await running.close()
  expect(await run('restore', '--mark')).toMatchObject({
    code: 0,
    output: expect.stringContaining('marked as restored'),
  })
  expect((await readRestoreState(database.db)).pending).toBe(true)
})

test('doctor, unlock and --mark create no database where none is', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'evenpost empty '))
  await chmod(empty, 0o711) // as a data folder: in it a database of root would be
  const said = async (name: string, ...words: string[]) => {
    const { code, output } = await runCommand(name, words, { DATA_DIR: empty })
    return { code, output }
  }
  const none = `There is no database in ${empty} yet. Nothing was done.`
  expect(await said('unlock', 'ana@example.com')).toEqual({
    code: 1,
    output: `Evenpost, unlock: ${none}\n`,
  })
  expect(await said('restore', '--mark')).toEqual({
    code: 1,
    output: `Evenpost, restore: ${none}\n`,
  })
  const doctor = await said('doctor')
  expect(doctor.output).toContain(`Database: none yet in ${empty}; npm start creates it`)
  expect(existsSync(join(empty, 'postgres'))).toBe(false)
  await rm(empty, { recursive: true })
})

test('an unknown flag is refused, without a stack', async () => {
  const { code, output } = await run('restore', '--force')
  expect(code).toBe(1)
  expect(output).toBe(
    'Evenpost, restore: npm run restore does not know --force. It knows --replace, --rehearse, --mark.\n',
  )
  expect(await run('unlock', 'ana@example.com', '--force')).toEqual({
    code: 1,
    output: 'Evenpost, unlock: npm run unlock does not know --force. It has no flags.\n',
  })
})
