import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, test } from 'vitest'

const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))))

/** A prepared checkout, without what is to be built. */
async function checkout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenpost setup '))
  folders.push(folder)
  await cp(join(import.meta.dirname, 'setup.mjs'), join(folder, 'scripts', 'setup.mjs'))
  await writeFile(join(folder, 'package-lock.json'), '{}')
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'node_modules', '.package-lock.json'), '{}')
  // The setup takes no Node of a folder named node_modules.
  await mkdir(join(folder, 'bin'))
  await symlink(process.execPath, join(folder, 'bin', 'node'))
  return folder
}

/** Runs the setup after `prepare` (shell). It takes over a lock that is not refreshed after 2 seconds instead of 30. */
function setUp(folder: string, prepare = 'true') {
  const script = `${prepare}; exec node scripts/setup.mjs doctor`
  const { npm_execpath: _, ...inherited } = process.env
  const env = {
    ...inherited,
    PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
    EVENPOST_SETUP_PAUSE_MS: '20',
  }
  return promisify(execFile)('sh', ['-c', script], { cwd: folder, env })
}

/** Runs the setup where the last one, with this process id (shell), was killed. */
async function setUpAfterKill(pid: string): Promise<string> {
  const { stdout } = await setUp(
    await checkout(),
    `mkdir .setup.lock; echo ${pid} > .setup.lock/pid`,
  )
  return stdout
}

test.concurrent('a setup in a restarted container has the process id of the killed one, and does not wait for itself', async ({
  expect,
}) => {
  expect(await setUpAfterKill('$$')).not.toContain('Waiting for another setup')
})

test.concurrent('a lock of a killed setup is removed although another program has its process id', async ({
  expect,
}) => {
  const said = await setUpAfterKill(`${process.pid}`)
  expect(said).toContain('Waiting for another setup in this folder to finish')
})

test.concurrent('a setup waits for another one that works for longer than a lock of a killed one counts', async ({
  expect,
}) => {
  const folder = await checkout()
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
  // Packages of an older checkout are installed again: here while there is a file `busy`.
  await writeFile(join(folder, 'node_modules', '.evenpost-lock'), 'older')
  const npm = join(folder, 'bin', 'npm')
  await writeFile(
    npm,
    '#!/bin/sh\necho begun >> installs\nwhile [ -e busy ]; do sleep 0.05; done\n',
  )
  await chmod(npm, 0o755)
  await writeFile(join(folder, 'busy'), '')
  const first = setUp(folder)
  await expect.poll(() => read('installs')).toBe('begun\n')
  const second = setUp(folder)
  let said = ''
  second.child.stdout!.on('data', (text: string) => (said += text))
  await expect.poll(() => said).toContain('Waiting for another setup')

  // Begun later, and ended: so the second one has looked often enough.
  await setUpAfterKill(`${process.pid}`)
  expect(await read('installs')).toBe('begun\n')
  await rm(join(folder, 'busy'))
  expect((await first).stdout).toContain('Installing packages')
  expect((await second).stdout).not.toContain('Installing packages')
})
