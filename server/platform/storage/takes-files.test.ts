import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { createDiskFileStore } from './disk.ts'
import type { FileStore } from './port.ts'
import { doubtStore, takesFiles } from './takes-files.ts'

const place = await mkdtemp(join(tmpdir(), 'evenpost-takes-'))
afterAll(() => rm(place, { recursive: true, force: true }))

/** A store that writes nothing until `answer`. `writes`: how often it was asked to. */
function waitingStore(name: string): {
  files: FileStore
  answer: () => void
  writes: () => number
} {
  const disk = createDiskFileStore(join(place, name), STORED_FILE_NAMES)
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>()
  let writes = 0
  const files: FileStore = {
    ...disk,
    async write(...args) {
      writes++
      await answers
      return disk.write(...args)
    },
  }
  return { files, answer, writes: () => writes }
}

test('a store is known to take files once it has written one, until a write fails', async () => {
  const folder = join(place, 'files')
  const files = createDiskFileStore(folder, STORED_FILE_NAMES)
  await writeFile(folder, 'in the way')
  expect(await takesFiles(files)).toBe(false)
  await rm(folder)
  expect(await takesFiles(files)).toBe(true)
  await rm(folder, { recursive: true })
  await writeFile(folder, 'in the way')
  expect(await takesFiles(files)).toBe(true)
  doubtStore(files)
  expect(await takesFiles(files)).toBe(false)
})

test('a store that does not answer takes no files, and is asked once until it answers', async () => {
  const { files, answer, writes } = waitingStore('slow')
  expect([await takesFiles(files, 1), await takesFiles(files, 1)]).toEqual([false, false])
  expect(writes()).toBe(1)
  answer()
  expect(await takesFiles(files)).toBe(true)
  expect(writes()).toBe(1)
})

test('a check that began before a write failed does not count', async () => {
  const { files, answer, writes } = waitingStore('doubted')
  const asked = takesFiles(files)
  doubtStore(files)
  answer()
  expect(await asked).toBe(false)
  expect([await takesFiles(files), await takesFiles(files)]).toEqual([true, true])
  expect(writes()).toBe(2)
})
