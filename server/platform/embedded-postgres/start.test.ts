import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readClusterPath } from './location.ts'
import { socketFolderOf } from './postmaster.ts'
import { startPostgres } from './start.ts'
import type { Postgres } from './start.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost with space '))
await chmod(folder, 0o711)
const dataDir = join(folder, 'data')
const log: string[] = []
/** Where another start has the lock. */
const REFUSED_SOON_MS = 1_000
const start = (path = dataDir, lockPatienceMs?: number) =>
  startPostgres({ dataDir: path, testMode: true, lockPatienceMs, log: line => log.push(line) })

const used: { stop(): unknown }[] = []
afterAll(async () => {
  for (const one of used) await one.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Another process that uses the database; resolves once it does. */
async function holder(): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['tests/support/postgres-process.ts', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  used.push({ stop: () => child.kill('SIGKILL') })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { process: child, url: line.toString().trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function ask<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const serverPid = (): number =>
  Number(
    readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
  )

/** Starts the database, gives it to `work`, stops it. */
async function during<T>(work: (postgres: Postgres) => Promise<T>, path = dataDir): Promise<T> {
  const postgres = await start(path)
  try {
    return await work(postgres)
  } finally {
    await postgres.stop()
  }
}

test('the first start creates a UTF-8 database, the second start finds its data', async () => {
  const path = join(folder, 'empty')
  const logged = log.length
  await during(async ({ ownerUrl: url, adopted }) => {
    expect(adopted).toBe(false)
    await ask(url, `create table note (text text); insert into note values ('Ärger')`)
  }, path)
  await during(async ({ ownerUrl: url }) => {
    expect(await ask(url, 'select lower(text) as text from note')).toEqual([{ text: 'ärger' }])
  }, path)
  expect(log.slice(logged).filter(line => line === 'Creating a new database')).toHaveLength(1)
})

test('the server requires its password and listens on this machine only', async () => {
  await during(async ({ ownerUrl: url }) => {
    const stranger = new URL(url)
    stranger.password = 'guess'
    await expect(ask(stranger.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  })
})

test('the database is reached by a Unix socket, and by TCP where its folder takes no socket', async () => {
  const path = join(folder, 'empty')
  const client = 'select inet_client_addr() as address'
  await during(async ({ url }) => expect(await ask(url, client)).toEqual([{ address: null }]), path)
  const place = await readClusterPath(path)
  await chmod(place, 0o500)
  try {
    await during(
      async ({ url }) => expect(await ask(url, client)).toEqual([{ address: '127.0.0.1' }]),
      path,
    )
    expect(log).toContain(`The database is reached by TCP alone, because ${place} takes no socket`)
  } finally {
    await chmod(place, 0o700)
  }
  expect(socketFolderOf({ path: `/${'long'.repeat(25)}`, user: undefined })).toBe('')
})

test('a second process on the same data is refused and told where the first one serves', async () => {
  const first = await holder()
  await expect(start(dataDir, REFUSED_SOON_MS)).rejects.toThrow(
    `Another Evenpost is running on the data folder ${dataDir} at http://127.0.0.1:4321.`,
  )
  expect(await ask(first.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  await kill(first.process)
})

test('after the program was killed, the next start adopts the running server', async () => {
  const first = await holder()
  await ask(first.url, `create table left_note (text text); insert into left_note values ('left')`)
  await kill(first.process)
  await during(async ({ adopted, ownerUrl: url }) => {
    expect(adopted).toBe(true)
    expect(await ask(url, 'select text from left_note')).toEqual([{ text: 'left' }])
  })
})

test('after program and server were both killed, the next start recovers what was committed', async () => {
  const { process: program, url } = await holder()
  await ask(url, `create table kept_note (text text); insert into kept_note values ('kept')`)
  await kill(program)
  process.kill(serverPid(), 'SIGKILL')
  await during(async ({ adopted, ownerUrl: again }) => {
    expect(adopted).toBe(false)
    expect(await ask(again, 'select text from kept_note')).toEqual([{ text: 'kept' }])
  })
})

test('a server that dies while in use is started again at the same address', async () => {
  await during(async ({ ownerUrl: url }) => {
    process.kill(serverPid(), 'SIGKILL')
    await expect
      .poll(() => ask(url, 'select 1 as alive').catch(() => 'down'))
      .toEqual([{ alive: 1 }])
    await expect.poll(() => log.at(-1)).toBe('The database is back')
  })
})

test('two folders have two databases at the same time', async () => {
  const [one, two] = await Promise.all([start(), start(join(folder, 'another'))])
  used.push(one, two)
  expect(new URL(one.ownerUrl).port).not.toBe(new URL(two.ownerUrl).port)
  await ask(one.ownerUrl, 'create table only_one (text text)')
  expect(await ask(two.ownerUrl, `select to_regclass('only_one') as found`)).toEqual([
    { found: null },
  ])
  await ask(one.ownerUrl, 'drop table only_one')
  await Promise.all([one.stop(), two.stop()])
})

test('two starts at the same moment in a new folder: one runs, the other is refused', async () => {
  const fresh = join(folder, 'fresh')
  const outcomes = await Promise.allSettled([
    start(fresh, REFUSED_SOON_MS),
    start(fresh, REFUSED_SOON_MS),
  ])
  const winners = outcomes.flatMap(outcome =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  )
  used.push(...winners)
  expect(winners).toHaveLength(1)
  const refusals = outcomes.flatMap(outcome =>
    outcome.status === 'rejected' ? [String(outcome.reason)] : [],
  )
  expect(refusals.join()).toContain('Another Evenpost is running')
  expect(await ask(winners[0]!.ownerUrl, 'select 1 as alive')).toEqual([{ alive: 1 }])
})
