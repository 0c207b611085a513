/** Where tests keep what they throw away: databases, files, profiles of browsers. */
import { existsSync, readFileSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
/** What a whole run needs, several times over. */
const ENOUGH_BYTES = 8e9

/**
 * Lets `os.tmpdir()` name a folder in memory, on Linux with room for it. Every test file clones a database of a thousand
 * small files, and on a disk that takes as long as the tests themselves. A TMPDIR that is set stays.
 */
export function keepTestDataInMemory(): void {
  if (process.env.TMPDIR || !isRoomy()) return
  process.env.TMPDIR = MEMORY
}

function isRoomy(): boolean {
  if (process.platform !== 'linux' || !existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map(line => line.split(' '))
    .findLast(([, path]) => path === MEMORY)
  return (
    bavail * bsize >= ENOUGH_BYTES
    && process.availableMemory() >= ENOUGH_BYTES
    // Some tests start programs that they have copied.
    && mount?.[3]?.split(',').includes('noexec') === false
  )
}
