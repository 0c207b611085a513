import { appendFile, cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './source.ts'

const SOURCES = ['contract', 'scripts', 'server', 'package.json']
/** Installed or built, and the same in each version. */
const SHARED = ['node_modules', 'web']

export type NextVersion = {
  /** Its server/, with the migrations. */
  folder: string
  /** The file that starts its server. */
  entry: string
  /** Names of the added migrations. */
  migrations: string[]
  forget(): Promise<void>
}

/**
 * This program as a later version of it: a copy in a folder of its own, with more migrations and with text at the end of
 * files of server/schema. `added` are statements by what they do, in order; it receives the number of the first of them.
 */
export async function createNextVersion(
  added: (first: number) => Record<string, string>,
  schema: Record<string, string> = {},
): Promise<NextVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-next-'))
  for (const part of SOURCES)
    await cp(join(ROOT, part), join(folder, part), {
      recursive: true,
      filter: path => !path.includes(join('server', 'dist')),
    })
  for (const part of SHARED) await symlink(join(ROOT, part), join(folder, part))
  const migrations = join(folder, 'server', 'migrations')
  const first = (await readdir(migrations)).filter(name => name.endsWith('.sql')).length + 1
  const names: string[] = []
  for (const [what, sql] of Object.entries(added(first))) {
    const name = `${String(first + names.length).padStart(4, '0')}_${what}.sql`
    await writeFile(join(migrations, name), sql)
    names.push(name)
  }
  for (const [name, sql] of Object.entries(schema))
    await appendFile(join(folder, 'server', 'schema', name), sql)
  return {
    folder: join(folder, 'server'),
    entry: join(folder, 'server', 'main.ts'),
    migrations: names,
    forget: () => rm(folder, { recursive: true, force: true }),
  }
}
