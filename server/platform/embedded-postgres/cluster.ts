import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import type { BinaryPath } from './binaries.ts'
import { readClusterPath, writeOwnerFile } from './location.ts'
import type { ClusterLocation } from './location.ts'

/** The owner of the tables (a superuser) and the database of the embedded server have the same name. */
export const DATABASE_NAME = 'evenpost'
/** The role of the running program: server/schema/grants.sql lists what it may do. */
export const APP_ROLE = 'evenpost_app'

type ClusterPath = Pick<ClusterLocation, 'path'>

export const clusterPath = (place: ClusterPath): string => join(place.path, 'cluster')
export const logPath = (place: ClusterLocation): string => join(place.path, 'postgres.log')
export const readClusterPassword = async (place: ClusterLocation): Promise<string> =>
  (await readFile(join(place.path, 'password'), 'utf8')).trim()

/** Clusters get their name in one step, so an existing one is complete. */
export const hasCluster = (place: ClusterPath): Promise<boolean> =>
  stat(join(clusterPath(place), 'PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw new OperatorError(
        `The database folder ${place.path} cannot be read (${error.code}): it belongs to another user. `
          + 'Start Evenpost as the user who started it first, or as root.',
      )
    },
  )

/** Whether a data folder has a database, which `startPostgres` would otherwise create. Changes nothing. */
export const hasDatabase = async (dataDir: string): Promise<boolean> =>
  existsSync(dataDir) && hasCluster({ path: await readClusterPath(dataDir) })

/** Throws OperatorError for a data folder without a database. */
export async function requireDatabase(dataDir: string): Promise<void> {
  if (!(await hasDatabase(dataDir)))
    throw new OperatorError(`There is no database in ${dataDir} yet. Nothing was done.`)
}

/**
 * An empty cluster: UTF-8, the built-in C.UTF-8 collation (independent of the machine's locales),
 * checksums, a random password. Of two concurrent starts the second to finish uses the first one's
 * cluster.
 */
export async function createCluster(
  place: ClusterLocation,
  dataDir: string,
  binaries: BinaryPath,
  sync: boolean,
): Promise<void> {
  const draft = await mkdtemp(`${place.path}.new-`)
  await writeOwnerFile(draft, dataDir)
  const password = join(draft, 'password')
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (place.user) {
    const { uid, gid } = place.user
    await Promise.all([chown(draft, uid, gid), chown(password, uid, gid)])
  }
  try {
    await runInitdb(
      binaries('initdb'),
      [
        `--pgdata=${join(draft, 'cluster')}`,
        `--username=${DATABASE_NAME}`,
        '--auth=scram-sha-256',
        `--pwfile=${password}`,
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--encoding=UTF8',
        '--data-checksums',
        '--no-instructions',
        ...(sync ? [] : ['--no-sync']),
      ],
      place,
      draft,
    )
    if (place.user) await chown(password, 0, 0)
    await chmod(password, 0o600)
    await rename(draft, place.path)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await hasCluster(place))) throw error
  }
}

async function runInitdb(
  program: string,
  args: string[],
  place: ClusterLocation,
  cwd: string,
): Promise<void> {
  try {
    await promisify(execFile)(program, args, { ...place.user, cwd, env: serverEnvironment() })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new OperatorError(
      `A new database could not be created in ${place.path}: ${stderr?.trim() || message}\n`
        + (/No space left/i.test(stderr ?? '')
          ? 'Free some space, or set DATA_DIR to a folder on another disk.'
          : 'Set DATABASE_URL to use a PostgreSQL (15 or newer) of your own.'),
      { cause: error },
    )
  }
}

/** Only the variables that a program needs to run: no PGDATA, no secrets. */
export function serverEnvironment(): Record<string, string> {
  const kept = ['PATH', 'SystemRoot', 'TEMP', 'TMP'].flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...(Object.fromEntries(kept) as Record<string, string>), LC_ALL: 'C', TZ: 'UTC' }
}
