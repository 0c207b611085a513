import { createHash } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  mkdir,
  readFile,
  realpath,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { canReach, sharedPath, serverUser } from './system-user.ts'
import type { SystemUser } from './system-user.ts'

/**
 * The folder of a cluster, with `cluster` (PGDATA), `password` and `postgres.log`. Normally
 * DATA_DIR/postgres.
 */
export type ClusterLocation = {
  path: string
  user: SystemUser | undefined
}

// In DATA_DIR, when the cluster is elsewhere: its path.
const LOCATION_FILE = 'postgres.location'
// Beside such a cluster: the path of its data folder.
const OWNER_FILE = 'belongs-to'

/**
 * Finds or chooses the location of a data folder's cluster. Started as root in a folder that the
 * server's user cannot reach, it is /var/lib/evenpost/<hash of the data folder> and recorded in the
 * data folder. A cluster whose data folder was removed is renamed, never deleted.
 */
export async function findClusterLocation(
  dataDir: string,
  log: (line: string) => void,
): Promise<ClusterLocation> {
  const home = await ensureDataDir(dataDir)
  const inside = join(home, 'postgres')
  const recorded = await readRecordedLocation(home)
  if (recorded)
    return {
      path: await checkRecordedLocation(home, recorded),
      user: await serverUser(join(recorded, 'cluster')),
    }

  const user = await serverUser(join(inside, 'cluster'))
  if (!user) return { path: inside, user }
  if (await canReach(user, home, 'pass')) return { path: inside, user }
  if (await exists(inside)) {
    throw new OperatorError(
      `The database in ${inside} belongs to user ${user.uid}, who may no longer enter that folder. `
        + `Let that user in again (chmod o+x on the folders above it), or start Evenpost as that user.`,
    )
  }
  const path = sharedPath(createHash('sha256').update(home).digest('hex').slice(0, 16))
  await mkdir(dirname(path), { recursive: true })
  await chmod(dirname(path), 0o755)
  if (await exists(path)) await moveAside(path, log)
  log(
    `The database is in ${path}, because Evenpost was started as root and other users cannot enter ${home}`,
  )
  await writeFile(join(home, LOCATION_FILE), `${path}\n`)
  return { path, user }
}

/** Where a data folder's cluster is, if it has one. Chooses and records nothing. */
export async function readClusterPath(dataDir: string): Promise<string> {
  const home = await checkDataDir(dataDir)
  return (await readRecordedLocation(home)) || join(home, 'postgres')
}

/** Records the data folder in a new cluster folder, before that gets its final name. */
export async function writeOwnerFile(folder: string, dataDir: string): Promise<void> {
  await writeFile(join(folder, OWNER_FILE), `${await realpath(dataDir)}\n`)
}

async function ensureDataDir(dataDir: string): Promise<string> {
  if (!(await exists(dataDir))) {
    await mkdir(dataDir, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(
        `The data folder ${dataDir} cannot be created (${error.code}). Set DATA_DIR to one this user may write to.`,
      )
    })
    // Others cannot list it, but a server that runs as another user can enter its own folder.
    await chmod(dataDir, 0o711)
  }
  return checkDataDir(dataDir)
}

/** Returns the real path. Throws OperatorError unless it is a folder that this user may write to. */
async function checkDataDir(dataDir: string): Promise<string> {
  if (!(await stat(dataDir)).isDirectory())
    throw new OperatorError(`DATA_DIR is ${dataDir}, and that is not a folder.`)
  await access(dataDir, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `This user may not write to the data folder ${dataDir} (${error.code}). `
        + 'Set DATA_DIR to another one, or give this one to the user who starts Evenpost.',
    )
  })
  return realpath(dataDir)
}

/** Empty when the cluster is in the data folder. */
const readRecordedLocation = async (home: string): Promise<string> =>
  (await readFile(join(home, LOCATION_FILE), 'utf8').catch(() => '')).trim()

async function checkRecordedLocation(home: string, path: string): Promise<string> {
  const owner = (await readFile(join(path, OWNER_FILE), 'utf8').catch(() => home)).trim()
  if (owner === home) return path
  if (await exists(owner)) {
    throw new OperatorError(
      `The data folder ${home} is a copy of ${owner}: both name the database in ${path}. `
        + `Remove ${join(home, LOCATION_FILE)} to give the copy a new, empty database.`,
    )
  }
  await writeOwnerFile(path, home) // the data folder was moved
  return path
}

async function moveAside(path: string, log: (line: string) => void): Promise<void> {
  const aside = `${path}.${new Date().toISOString().replaceAll(':', '-')}`
  await rename(path, aside)
  log(`The database of an earlier, removed data folder was renamed to ${aside}`)
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
