import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, test } from 'vitest'

const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))))

/** A prepared checkout, without what is to be built, whose last setup left a lock. Runs the setup after `prepare` (shell). */
async function setUp(prepare: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost setup '))
  folders.push(folder)
  await cp(join(import.meta.dirname, 'setup.mjs'), join(folder, 'scripts', 'setup.mjs'))
  await writeFile(join(folder, 'package-lock.json'), '{}')
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'node_modules', '.package-lock.json'), '{}')
  await mkdir(join(folder, '.setup.lock'))
  // The setup takes no Node of a folder named node_modules.
  await mkdir(join(folder, 'bin'))
  await symlink(process.execPath, join(folder, 'bin', 'node'))
  const script = `${prepare}; exec node scripts/setup.mjs doctor`
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder, env })
  return stdout
}

test.concurrent('a setup in a restarted container has the process id of the killed one, and does not wait for itself', async ({
  expect,
}) => {
  expect(await setUp('echo $$ > .setup.lock/pid')).not.toContain('Waiting for another setup')
})

test.concurrent('a lock of a killed setup is removed although another program has its process id', async ({
  expect,
}) => {
  const said = await setUp(`echo ${process.pid} > .setup.lock/pid`)
  expect(said).toContain('Waiting for another setup in this folder to finish')
})
