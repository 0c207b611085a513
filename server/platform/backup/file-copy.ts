import { createHash } from 'node:crypto'
import { chown, mkdir, open, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SystemUser } from '#server/platform/embedded-postgres/system-user.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** A copied file; `path` with forward slashes, relative to the copied folder. */
export type CopiedFile = { path: string; bytes: number; sha256: string }

export type FileTree = { folders: string[]; files: { path: string; bytes: number }[] }

const CHUNK_BYTES = 1024 * 1024
const CONCURRENCY = 8

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * All folders and files below `folder`, by relative paths. Those deleted meanwhile are left out.
 */
export async function listFileTree(
  folder: string,
  isIncluded: (path: string) => boolean = () => true,
): Promise<FileTree> {
  const found: FileTree = { folders: [], files: [] }
  const visit = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(error => {
      if (isMissing(error)) return []
      throw error
    })
    for (const entry of entries) {
      const path = below ? `${below}/${entry.name}` : entry.name
      if (!isIncluded(path)) continue
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

/** Copies a file durably. Undefined when it does not exist. Throws when `to` exists. */
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
        const chunk = buffer.subarray(0, bytesRead)
        hash.update(chunk)
        await target.appendFile(chunk) // `write` may write a part only, on a full disk
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

/** Size and SHA-256 of a file; undefined when it does not exist. */
export async function checksumFile(path: string): Promise<Omit<CopiedFile, 'path'> | undefined> {
  const file = await open(path, 'r').catch(error =>
    isMissing(error) ? undefined : Promise.reject(error),
  )
  if (!file) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of file.createReadStream({
    highWaterMark: CHUNK_BYTES,
  }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export async function writeDurably(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function createPrivateFolder(path: string, owner?: SystemUser): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (owner) await chown(path, owner.uid, owner.gid)
}

/** Throws the first error, or the reason of `signal`, once nothing is in progress any more: the caller may remove what was made. */
export async function forEachConcurrent<T>(
  items: T[],
  work: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const left = items.values()
  const errors: unknown[] = []
  const workOff = async (): Promise<void> => {
    for (const item of left) {
      if (errors.length > 0) return
      try {
        signal?.throwIfAborted()
        await work(item)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, workOff))
  if (errors.length > 0) throw errors[0]
}

/** Reports the progress of copying `total` bytes, at every tenth. */
export function progressReporter(
  what: string,
  total: number,
  say: (line: string) => void,
): (bytes: number) => void {
  let done = 0
  let reported = 0
  return bytes => {
    done += bytes
    const tenth = total === 0 ? 10 : Math.floor((done / total) * 10)
    if (tenth <= reported || total < MIN_REPORTED_BYTES) return
    reported = tenth
    say(`${what}: ${formatMegabytes(done)} of ${formatMegabytes(Math.max(done, total))}`)
  }
}
const MIN_REPORTED_BYTES = 50_000_000

export const formatMegabytes = (bytes: number): string =>
  bytes < 10_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`

/** A disk has too little free space for a copy. */
export class DiskSpaceError extends OperatorError {}

/** Throws DiskSpaceError unless the disk of `path` has `bytes` free; `path` need not exist yet. */
export async function requireDiskSpace(path: string, bytes: number): Promise<void> {
  let folder = path
  while (!(await stat(folder).catch(() => undefined))) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const needed = bytes + RESERVED_BYTES
  if (bavail * bsize >= needed) return
  throw new DiskSpaceError(
    `There is not enough space in ${folder}: ${formatMegabytes(bavail * bsize)} are free and ${formatMegabytes(needed)} are needed. `
      + 'Free some space, or name a folder on another disk.',
  )
}
// A backup must not fill the disk of the database.
const RESERVED_BYTES = 200_000_000
