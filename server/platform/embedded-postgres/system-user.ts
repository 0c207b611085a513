import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/** The user of the database server, when it is not the current one. */
export type SystemUser = {
  uid: number
  gid: number
}

const isStartedAsRoot = (): boolean => process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root: then it runs as the owner of the cluster, or as `nobody` for a
 * new one. Undefined: current user.
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
 * Whether `user` can enter all folders above `path` and, with 'read', read it. `nobody` cannot read
 * a checkout in root's home.
 */
export async function canReach(
  user: SystemUser,
  path: string,
  access: 'read' | 'pass',
): Promise<boolean> {
  const target = await realpath(path)
  for (let at = target; ; at = dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
    const bits = at === target && access === 'read' ? 0o5 : 0o1
    if (((mode >> shift) & bits) !== bits) return false
    if (at === dirname(at)) return true
  }
}

/** A path that every user can reach. */
export const sharedPath = (...names: string[]): string => join('/var/lib/evenpost', ...names)
