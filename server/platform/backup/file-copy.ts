import { createHash } from 'node:crypto'
import { chown, mkdir, open, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SystemUser } from '#server/platform/embedded-postgres/system-user.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** A file as it was copied; `path` with forward slashes, from the folder of the backup. */
export type CopiedFile = { path: string; bytes: number; sha256: string }

export type FileTree = { folders: string[]; files: { path: string; bytes: number }[] }

const CHUNK_BYTES = 1024 * 1024
const CONCURRENCY = 8

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** All folders and files below `folder`, by paths from there. What is taken away meanwhile is left out. */
export async function listFileTree(
  folder: string,
  wanted: (path: string) => boolean = () => true,
): Promise<FileTree> {
  const found: FileTree = { folders: [], files: [] }
  const visit = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(error => {
      if (isMissing(error)) return []
      throw error
    })
    for (const entry of entries) {
      const path = below ? `${below}/${entry.name}` : entry.name
      if (!wanted(path)) continue
      if (entry.isDirectory()) {
        found.folders.push(path)
        await visit(path)
      } else if (entry.isFile()) {
        const size = await stat(join(folder, path)).then(
          ({ size }) => size,
          error => (isMissing(error) ? undefined : Promise.reject(error)),
        )
        if (size !== undefined) found.files.push({ path, bytes: size })
      }
    }
  }
  await visit('')
  return found
}

/** Copies a file as it is now, to the disk for good. Undefined when it is gone. Throws when `to` exists. */
export async function copyFile(
  from: string,
  to: string,
  owner?: SystemUser,
): Promise<Omit<CopiedFile, 'path'> | undefined> {
  const source = await open(from, 'r').catch(error =>
    isMissing(error) ? undefined : Promise.reject(error),
  )
  if (!source) return undefined
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const hash = createHash('sha256')
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
      let bytes = 0
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, bytes)
        if (bytesRead === 0) break
        const piece = buffer.subarray(0, bytesRead)
        hash.update(piece)
        await target.appendFile(piece) // all of it; `write` alone may stop half-way on a full disk
        bytes += bytesRead
      }
      if (owner) await target.chown(owner.uid, owner.gid)
      await target.sync()
      return { bytes, sha256: hash.digest('hex') }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** The sum of a file; undefined when there is none. */
export async function checksumFile(path: string): Promise<Omit<CopiedFile, 'path'> | undefined> {
  const file = await open(path, 'r').catch(error =>
    isMissing(error) ? undefined : Promise.reject(error),
  )
  if (!file) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of file.createReadStream({
    highWaterMark: CHUNK_BYTES,
  }) as AsyncIterable<Buffer>) {
    hash.update(piece)
    bytes += piece.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Writes a small file and flushes it. */
export async function writeDurably(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** What is in a folder is there for good only when the folder itself is on the disk; where that is not possible it is left out. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** Makes a folder for nobody else's eyes. Throws when it exists. */
export async function createPrivateFolder(path: string, owner?: SystemUser): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (owner) await chown(path, owner.uid, owner.gid)
}

/** Does `work` for all of them, a few at a time. */
export async function forEachConcurrent<T>(
  items: T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of left) await work(item)
    }),
  )
}

/** Says how far a copy of `total` bytes has come, at every tenth. */
export function progressReporter(
  what: string,
  total: number,
  say: (line: string) => void,
): (bytes: number) => void {
  let done = 0
  let told = 0
  return bytes => {
    done += bytes
    const tenth = total === 0 ? 10 : Math.floor((done / total) * 10)
    if (tenth <= told || total < MIN_REPORTED_BYTES) return
    told = tenth
    say(`${what}: ${formatMegabytes(done)} of ${formatMegabytes(Math.max(done, total))}`)
  }
}
const MIN_REPORTED_BYTES = 50_000_000

export const formatMegabytes = (bytes: number): string =>
  bytes < 10_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`

/** Throws unless the disk of `place` (or of the nearest folder above it that exists) has room for `bytes`. */
export async function requireDiskSpace(place: string, bytes: number): Promise<void> {
  let folder = place
  while (!(await stat(folder).catch(() => undefined))) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const needed = bytes + RESERVED_BYTES
  if (bavail * bsize >= needed) return
  throw new OperatorError(
    `There is not enough room in ${folder}: ${formatMegabytes(bavail * bsize)} are free and ${formatMegabytes(needed)} are needed. `
      + 'Make room, or name a folder on another disk.',
  )
}
// Left free, so that a backup never fills the disk under the database.
const RESERVED_BYTES = 200_000_000
