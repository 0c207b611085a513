import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasDatabase } from './cluster.ts'

/** The database server of a program that root starts runs as another user, which cannot enter it. */
async function privateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-private-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o700)
  return folder
}

const createEmptyCluster = async (path: string): Promise<void> => {
  await mkdir(join(path, 'cluster'), { recursive: true })
  await writeFile(join(path, 'cluster', 'PG_VERSION'), '18\n')
}

test('looking for a database leaves a private data folder as it was', async () => {
  const dataDir = await privateFolder()
  expect(await hasDatabase(dataDir)).toBe(false)
  expect(await readdir(dataDir)).toEqual([])
  await createEmptyCluster(join(dataDir, 'postgres'))
  expect(await hasDatabase(dataDir)).toBe(true)
  expect(await readdir(dataDir)).toEqual(['postgres'])
})

test('a database outside of its data folder is found', async () => {
  const dataDir = await privateFolder()
  const elsewhere = await privateFolder()
  await writeFile(join(dataDir, 'postgres.location'), `${elsewhere}\n`)
  expect(await hasDatabase(dataDir)).toBe(false)
  await createEmptyCluster(elsewhere)
  expect(await hasDatabase(dataDir)).toBe(true)
  expect(await readdir(elsewhere)).toEqual(['cluster'])
})

test('a data folder that is missing has no database, and is not created', async () => {
  const missing = join(await privateFolder(), 'missing')
  expect(await hasDatabase(missing)).toBe(false)
  await expect(readdir(missing)).rejects.toThrow('ENOENT')
})
