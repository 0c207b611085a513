import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './port.ts'
import { storageKeyFor } from './storage-key.ts'

const CHUNK_BYTES = 256 * 1024

/** Files in a folder of this machine. */
export function createDiskFileStore(folder: string): FileStore {
  return {
    async write(name, produce) {
      const path = join(folder, storageKeyFor(name))
      const shelf = dirname(path)
      await mkdir(shelf, { recursive: true })
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
          await file.appendFile(piece) // all of it; `write` alone may stop half-way on a full disk
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
        await syncFolder(shelf)
        return { bytes, sha256: hash.digest('hex') }
      } catch (error) {
        await file.close().catch(() => {})
        await rm(draft, { force: true })
        throw error
      }
    },

    async read(name) {
      const file = await open(join(folder, storageKeyFor(name)), 'r').catch(() => null)
      // Size and bytes of the one file that is open now, also when another takes its name meanwhile.
      return file && { stream: file.createReadStream(), bytes: (await file.stat()).size }
    },
  }
}

/** A rename is on the disk for good only when its folder is; where a folder cannot be synced (Windows) that is left out. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (!handle) return
  await handle.sync().catch(() => {})
  await handle.close()
}
