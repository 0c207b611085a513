/** What every file store guarantees, on disk and in a bucket. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { openS3Stub, S3_KEYS } from '#tests/support/s3-stub.ts'
import { createDiskFileStore, filesFolderProblem, makeFoldersPrivate } from './disk.ts'
import type { FileStore } from './port.ts'
import { createS3FileStore } from './s3.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost-files-'))
const server = await openS3Stub()
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const STORES: [where: string, store: FileStore][] = [
  ['on a disk', createDiskFileStore(folder, STORED_FILE_NAMES)],
  [
    'in a bucket',
    createS3FileStore(
      { ...S3_KEYS, endpoint: server.endpoint, bucket: server.bucket },
      STORED_FILE_NAMES,
    ),
  ],
]
const MB = 2 ** 20
/** Bytes in which no two parts are alike. */
const bytesOf = (length: number, seed = 'a'): Buffer => {
  const bytes = Buffer.alloc(length, createHash('sha512').update(seed).digest())
  for (let at = 0; at + 4 <= length; at += 4096) bytes.writeUInt32BE(at, at)
  return bytes
}
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Writes in chunks of 256 kB, as the writers of labels do. */
const write = (store: FileStore, name: string, bytes: Buffer) =>
  store.write(name, async sink => {
    for (let at = 0; at < bytes.length; at += 256 * 1024)
      await sink.write(bytes.subarray(at, at + 256 * 1024))
  })
async function read(store: FileStore, name: string): Promise<Buffer | null> {
  const found = await store.read(name)
  if (!found) return null
  const bytes = await buffer(found.stream)
  expect(bytes.length).toBe(found.bytes)
  return bytes
}

for (const [where, store] of STORES) {
  test(`${where}: a file of any length is read as it was written, and its hash is returned`, async () => {
    for (const length of [0, 1, 300_000, 8 * MB, 8 * MB + 1, 21 * MB]) {
      const bytes = bytesOf(length)
      const name = `SAMPLE-batch-1-${length}.pdf`
      expect(await write(store, name, bytes)).toEqual({ bytes: length, sha256: sumOf(bytes) })
      expect((await read(store, name))!.equals(bytes)).toBe(true)
    }
  })

  test(`${where}: a chunk larger than a part is stored whole`, async () => {
    const bytes = bytesOf(19 * MB)
    await store.write('one-piece.png', async sink => void (await sink.write(bytes)))
    expect((await read(store, 'one-piece.png'))!.equals(bytes)).toBe(true)
  })

  test(`${where}: a name that was never written has no file`, async () => {
    expect(await store.read('never.zpl')).toBeNull()
  })

  test(`${where}: a name that is not allowed is neither written nor read`, async () => {
    for (const name of [
      '../up.pdf',
      'a/b.pdf',
      'a.exe',
      '.pdf',
      'a b.pdf',
      'ä.pdf',
      'a.pdf?x',
      `${'x'.repeat(201)}.pdf`,
    ]) {
      await expect(store.read(name)).rejects.toThrow('not a name of a stored file')
      await expect(write(store, name, Buffer.from('x'))).rejects.toThrow(
        'not a name of a stored file',
      )
    }
  })

  test(`${where}: a file appears only when it is complete, and a failed write leaves the earlier file`, async () => {
    for (const [name, before] of [
      ['new.csv', null],
      ['old.csv', bytesOf(1000)],
    ] as const) {
      if (before) await write(store, name, before)
      const failing = store.write(name, async sink => {
        for (let n = 0; n < 40; n++) await sink.write(bytesOf(256 * 1024, 'failing'))
        expect(await read(store, name)).toEqual(before)
        throw new Error('the rows could not be read')
      })
      await expect(failing).rejects.toThrow('the rows could not be read')
      expect(await read(store, name)).toEqual(before)
    }
    expect(server.uploads.size).toBe(0)
  })

  test(`${where}: a file is replaced in one step, and an open reader reads the earlier file to its end`, async () => {
    const [old, fresh] = [bytesOf(9 * MB, 'old'), bytesOf(9 * MB, 'fresh')]
    await write(store, 'changing.pdf', old)
    const opened = await store.read('changing.pdf')
    await write(store, 'changing.pdf', fresh)
    expect((await buffer(opened!.stream)).equals(old)).toBe(true)
    expect((await read(store, 'changing.pdf'))!.equals(fresh)).toBe(true)
  })

  test(`${where}: of two concurrent writes of one name one wins completely`, async () => {
    const both = [bytesOf(9 * MB, 'one'), bytesOf(10 * MB, 'two')]
    await Promise.all(both.map(bytes => write(store, 'contested.pdf', bytes)))
    const kept = (await read(store, 'contested.pdf'))!
    expect(both.some(bytes => bytes.equals(kept))).toBe(true)
  })

  test(`${where}: a reader may stop before the first byte or after it`, async () => {
    await write(store, 'left.pdf', bytesOf(9 * MB))
    for (let n = 0; n < 20; n++) {
      const { stream } = (await store.read('left.pdf'))!
      if (n % 2 === 0) await stream.iterator({ destroyOnReturn: true }).next()
      stream.destroy()
    }
    expect((await read(store, 'left.pdf'))!.length).toBe(9 * MB)
  })
}

test.skipIf(process.platform === 'win32')(
  'other users of the machine cannot list the names of files, also in folders of an earlier version',
  async () => {
    const data = join(folder, 'private')
    await mkdir(join(data, '0a'), { recursive: true })
    for (const path of [data, join(data, '0a')]) await chmod(path, 0o755)
    await makeFoldersPrivate(data)
    await createDiskFileStore(join(data, 'new'), /./).write('label.pdf', async sink => {
      await sink.write(Buffer.from('a label'))
    })
    const folders = [data, join(data, '0a'), join(data, 'new')]
    const modes = await Promise.all(folders.map(async path => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o700, 0o700])
    await makeFoldersPrivate(join(data, 'missing'))
  },
)

test('an operator is told when the folder for label files takes none', async () => {
  const data = join(folder, 'taken')
  expect(await filesFolderProblem(data)).toBeNull()
  await mkdir(data)
  expect(await filesFolderProblem(data)).toBeNull()
  await writeFile(join(data, 'files'), '')
  expect(await filesFolderProblem(data)).toContain(
    `label files cannot be written in ${join(data, 'files')} (ENOTDIR)`,
  )
})

test.skipIf(process.platform === 'win32')(
  'on a disk: a file that cannot be opened just now is not taken for a missing one',
  async () => {
    const store = createDiskFileStore(folder, STORED_FILE_NAMES)
    const name = 'SAMPLE-batch-9-1.pdf'
    const path = join(folder, sumOf(Buffer.from(name)).slice(0, 2), name)
    await write(store, name, bytesOf(1))
    await rm(path)
    // Nothing can be opened through a link to itself.
    await symlink(path, path)
    await expect(store.read(name)).rejects.toThrow('ELOOP')
    await rm(path)
    expect(await store.read(name)).toBeNull()
  },
)
