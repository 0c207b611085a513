import { createHash, randomBytes } from 'node:crypto'
import { access, chmod, constants, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from './durable-files.ts'
import type { FileStore } from './port.ts'
import { storageKeyFor } from './storage-key.ts'

const CHUNK_BYTES = 256 * 1024
/** Other users of the machine cannot list file names. */
const PRIVATE = 0o700

export function createDiskFileStore(folder: string, allowedNames: RegExp): FileStore {
  return {
    async write(name, produce) {
      const path = join(folder, storageKeyFor(name, allowedNames))
      const parent = dirname(path)
      await mkdir(parent, { recursive: true, mode: PRIVATE })
      const draft = `${path}.${randomBytes(6).toString('hex')}.part`
      const file = await open(draft, 'wx', 0o600)
      try {
        const hash = createHash('sha256')
        let bytes = 0
        let waiting: Uint8Array[] = []
        let size = 0
        const flush = async (): Promise<void> => {
          if (size === 0) return
          const piece = Buffer.concat(waiting)
          waiting = []
          size = 0
          await file.appendFile(piece) // `write` may write a part only, on a full disk
        }
        await produce({
          write(chunk) {
            hash.update(chunk)
            bytes += chunk.length
            waiting.push(chunk)
            size += chunk.length
            if (size >= CHUNK_BYTES) return flush()
          },
        })
        await flush()
        await file.sync()
        await file.close()
        await rename(draft, path)
        await syncFolder(parent)
        return { bytes, sha256: hash.digest('hex') }
      } catch (error) {
        await file.close().catch(() => {})
        await rm(draft, { force: true })
        throw error
      }
    },

    async read(name) {
      const path = join(folder, storageKeyFor(name, allowedNames))
      const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
        // A missing label is asked of the carrier again, which may not have it any more: with too many open files none is missing.
        if (error.code === 'ENOENT') return null
        throw error
      })
      // Size and bytes are of the open file, also when another replaces it meanwhile.
      return file && { stream: file.createReadStream(), bytes: (await file.stat()).size }
    },
  }
}

/** Corrects folders of earlier versions, which other users could list. */
export async function makeFoldersPrivate(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
  if (entries === null) return
  await chmod(folder, PRIVATE)
  for (const entry of entries)
    if (entry.isDirectory()) await chmod(join(folder, entry.name), PRIVATE)
}

/** Null where files can be written, or the folder is yet to be created. */
export async function filesFolderProblem(dataDir: string): Promise<string | null> {
  for (const folder of [join(dataDir, 'files'), dataDir]) {
    try {
      await access(join(folder, '/'), constants.W_OK)
      return null
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT')
        return `label files cannot be written in ${folder} (${code}): make it a folder of the user who starts Evenpost`
    }
  }
  return null
}
