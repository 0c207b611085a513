import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** Whom the database server runs as, when that is not simply whoever started us. */
export type SystemUser = {
  uid: number
  gid: number
}

export const isStartedAsRoot = (): boolean => process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root. Started as root it runs as the owner of the existing cluster, or as `nobody` when there is
 * none yet. Undefined: whoever started us will do.
 */
export async function serverUser(cluster: string): Promise<SystemUser | undefined> {
  if (!isStartedAsRoot()) return undefined
  const owner = await stat(cluster).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const passwd = await readFile('/etc/passwd', 'utf8')
  const fields = passwd
    .split('\n')
    .map(line => line.split(':'))
    .find(([name]) => name === 'nobody')
  if (!fields) {
    throw new OperatorError(
      'The database cannot run as root, and there is no user "nobody" to run it as. '
        + 'Start Evenpost as an ordinary user.',
    )
  }
  return { uid: Number(fields[2]) >>> 0, gid: Number(fields[3]) >>> 0 }
}

/**
 * Whether `user` may walk to `path` and, unless only passing through, read what is there. A checkout under root's home, say, is
 * closed to `nobody`.
 */
export async function canReach(
  user: SystemUser,
  path: string,
  wanted: 'read' | 'pass',
): Promise<boolean> {
  const target = await realpath(path)
  for (let at = target; ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
    const bits = at === target && wanted === 'read' ? 0o5 : 0o1
    if (((mode >> shift) & bits) !== bits) return false
    if (at === dirname(at)) return true
  }
}

/** The folder for what must be reachable by every user, whatever the mode of the folder we were started in. */
export const sharedPath = (...names: string[]): string => join('/var/lib/evenpost', ...names)
