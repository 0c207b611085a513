import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startPostgres } from './start.ts'
import type { Postgres } from './start.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost with space '))
await chmod(folder, 0o711)
const dataDir = join(folder, 'data')
const log: string[] = []
const start = (path = dataDir) =>
  startPostgres({ dataDir: path, testMode: true, log: line => log.push(line) })

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
async function during<T>(work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = await start()
  try {
    return await work(postgres)
  } finally {
    await postgres.stop()
  }
}

test('the first start makes a database that knows letters beyond ASCII, the second start finds what was written', async () => {
  await during(async ({ url, adopted }) => {
    expect(adopted).toBe(false)
    await ask(url, `create table note (text text); insert into note values ('Ärger')`)
  })
  await during(async ({ url }) => {
    expect(await ask(url, 'select lower(text) as text from note')).toEqual([{ text: 'ärger' }])
  })
  expect(log.filter(line => line === 'Making a new database')).toHaveLength(1)
})

test('nobody gets in without the password, and only this machine is listened to', async () => {
  await during(async ({ url }) => {
    const stranger = new URL(url)
    stranger.password = 'guess'
    await expect(ask(stranger.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  })
})

test('a second copy on the same data is refused and told where the first one serves', async () => {
  const first = await holder()
  await expect(start()).rejects.toThrow(
    `Another Evenpost is running on the data folder ${dataDir} at http://127.0.0.1:4321.`,
  )
  expect(await ask(first.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  await kill(first.process)
})

test('after the program was killed, the next start takes over the running server', async () => {
  await during(async ({ adopted, url }) => {
    expect(adopted).toBe(true)
    expect(await ask(url, 'select count(*)::int as notes from note')).toEqual([{ notes: 1 }])
  })
})

test('after program and server were both killed, the next start recovers what was committed', async () => {
  const { process: program, url } = await holder()
  await ask(url, `insert into note values ('kept')`)
  await kill(program)
  process.kill(serverPid(), 'SIGKILL')
  await during(async ({ adopted, url: again }) => {
    expect(adopted).toBe(false)
    expect(await ask(again, 'select count(*)::int as notes from note')).toEqual([{ notes: 2 }])
  })
})

test('a server that dies while it is used comes back at the same address', async () => {
  await during(async ({ url }) => {
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
  expect(new URL(one.url).port).not.toBe(new URL(two.url).port)
  expect(await ask(two.url, `select to_regclass('note') as note`)).toEqual([{ note: null }])
  await Promise.all([one.stop(), two.stop()])
})

test('two starts at the same moment in a new folder: one runs, the other is refused', async () => {
  const fresh = join(folder, 'fresh')
  const outcomes = await Promise.allSettled([start(fresh), start(fresh)])
  const winners = outcomes.flatMap(outcome =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  )
  used.push(...winners)
  expect(winners).toHaveLength(1)
  const refusals = outcomes.flatMap(outcome =>
    outcome.status === 'rejected' ? [String(outcome.reason)] : [],
  )
  expect(refusals.join()).toContain('Another Evenpost is running')
  expect(await ask(winners[0]!.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
})
