import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SERVER_ENTRY } from '#scripts/server-entry.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost-main-'))
await chmod(folder, 0o711)
const running = new Set<ChildProcess>()
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await program({}).finish() // takes over the database of a killed one, and puts it to rest
  await rm(folder, { recursive: true, force: true })
})

/** The program in its own process, on its own data folder and a free port. */
function program(env: Record<string, string>) {
  const child = spawn(process.execPath, [SERVER_ENTRY], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  const ready = Promise.withResolvers<string | undefined>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const address = /Evenpost is ready at (\S+)\n.*\n/.exec(said)?.[1]
      if (address) ready.resolve(address)
    })
  }
  void ended.then(() => ready.resolve(undefined))
  return {
    said: () => said,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    stopReading: () => void child.stdout.destroy(),
    /** Undefined if the program ended before it served. */
    ready: ready.promise,
    async finish() {
      if (await ready.promise) child.kill('SIGTERM')
      return ended
    },
  }
}

/** Of a server that runs: it says 503 while its database stands still. */
async function healthy(address: string | undefined): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${address}/api/health`)).json())
    .toMatchObject({ ok: true, database: 'up' })
}

test('the first start says the address and how to sign in, and Ctrl-C stops it cleanly', async () => {
  const first = program({})
  const address = await first.ready
  await healthy(address)
  expect(first.said()).toMatch(/Sign in as admin@evenpost\.local with the password \S{20}/)
  first.kill('SIGINT')
  expect(await first.ended).toBe(0)
})

test('the next start shows no password, and continues after a kill', async () => {
  const second = program({ PUBLIC_URL: 'https://post.example.com' })
  expect(await second.ready).toBeDefined()
  expect(second.said()).not.toContain('with the password')
  // Live updates are refused at any other address.
  expect(second.said()).toContain('Sign in at https://post.example.com/login')
  second.kill('SIGKILL')
  await second.ended
  const third = program({})
  expect(await third.ready).toBeDefined()
  expect(third.said()).toContain('still running from before')
  expect(await third.finish()).toBe(0)
})

test('a second copy on the same data is refused and does not affect the first', async () => {
  const first = program({})
  const address = await first.ready
  const second = program({})
  expect(await second.ended).toBe(1)
  expect(second.said()).toContain(
    `Another Evenpost is running on the data folder ${join(folder, 'data')} at ${address}.`,
  )
  await healthy(address)
  expect(await first.finish()).toBe(0)
})

test('a failed start gives the reason in a sentence, without a stack', async () => {
  const plainFile = join(folder, 'a file')
  await writeFile(plainFile, '')
  const refused: [Record<string, string>, string][] = [
    [{ CARRIER: 'easypost', PAYMENTS: 'btcpay' }, 'CARRIER=easypost also needs EASYPOST_API_KEY.'],
    [{ PORT: 'eighty' }, `PORT is 'eighty'; it must be a number.`],
    [{ DATA_DIR: plainFile }, `DATA_DIR is ${plainFile}, and that is not a folder.`],
  ]
  for (const [env, sentence] of refused) {
    const one = program(env)
    expect(await one.ended).toBe(1)
    expect(one.said()).toContain(sentence)
    expect(one.said()).not.toMatch(/\n {4}at /)
  }
})

test('a server whose output has no reader any more goes on, and stops cleanly', async () => {
  const server = program({})
  const address = await server.ready
  server.stopReading()
  await healthy(address)
  expect(await server.finish()).toBe(0)
  expect(server.said()).not.toContain('EPIPE')
})
