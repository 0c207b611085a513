/** The lists of several sizes of database beside each other. */
import pg from 'pg'
import { fillDatabase } from '#scripts/seed/fill.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { APP_ROLE } from '#server/platform/embedded-postgres/cluster.ts'
import { benchBulkOnTop, benchLabelWork } from './label-work.ts'
import type { BulkOnTop } from './label-work.ts'
import { benchLists } from './lists.ts'
import type { ListBench } from './lists.ts'

/** Of the first page of each list, in ms. */
const TARGET_MS = 50
const CLAIM_TARGET_MS = 5
const LABELS_OF_A_USER = 100
const BULK_ORDERS = 3

/** A size is filled into a database of its own; a URL is a database that scripts/seed.ts has filled, and is changed by the measurement. */
type Target = { size: number } | { url: string }

type SizeReport = {
  labels: number
  bytes: number
  times: Map<string, ListBench>
  bulk: BulkOnTop[]
}

/** '10000,postgres://…'. Throws for anything else. */
export const parseListTargets = (text: string): Target[] =>
  text.split(',').map(one => {
    if (/^postgres(ql)?:/.test(one)) return { url: one }
    if (!/^[1-9]\d{3,7}$/.test(one))
      throw new Error(`${one}: neither a number of labels from 1,000 nor an address of a database`)
    return { size: Number(one) }
  })

/** Measures one target after the other and prints a table: a line for each list, a column for each target. */
export async function reportLists(
  server: { url: string; ownerUrl: string; dataDir: string },
  targets: readonly Target[],
  say: (line: string) => void,
): Promise<void> {
  const found: SizeReport[] = []
  for (const target of targets) {
    if ('url' in target) {
      found.push(await measure(server.dataDir, target.url, target.url, say))
      continue
    }
    const name = `lists_${target.size}`
    const [url, ownerUrl] = [server.url, server.ownerUrl].map(of => withDatabase(of, name)) as [
      string,
      string,
    ]
    await runAsOwner(server.ownerUrl, `create database ${name}`)
    const owner = openDatabase(ownerUrl, { max: 1 })
    await migrate(owner.pool, { role: APP_ROLE }).finally(() => owner.close())
    const users = Math.max(LABELS_OF_A_USER, target.size / LABELS_OF_A_USER)
    await fillDatabase(ownerUrl, { users: Math.round(users), labels: target.size, say })
    found.push(await measure(server.dataDir, url, ownerUrl, say))
    await runAsOwner(server.ownerUrl, `drop database ${name} with (force)`)
  }
  for (const line of tableOf(found)) say(line)
}

async function measure(
  dataDir: string,
  url: string,
  ownerUrl: string,
  say: (line: string) => void,
): Promise<SizeReport> {
  const [size] = await runAsOwner<{ labels: string; bytes: string }>(
    ownerUrl,
    `select (select sum(orders) from user_order_count) as labels, pg_database_size(current_database()) as bytes`,
  )
  const times = new Map<string, ListBench>()
  const keep = (one: ListBench): void => {
    times.set(one.name, one)
    say(`${one.name.padEnd(70)} ${one.p50.toFixed(1)} ms, ${one.p95.toFixed(1)} ms at p95`)
  }
  for await (const one of benchLists(dataDir, url)) keep(one)
  for await (const one of benchLabelWork(dataDir, url)) keep(one)
  const bulk = await benchBulkOnTop(dataDir, url, BULK_ORDERS)
  return { labels: Number(size!.labels), bytes: Number(size!.bytes), times, bulk }
}

function* tableOf(found: readonly SizeReport[]): Generator<string> {
  const columns = (cells: string[]): string => cells.map(cell => cell.padStart(22)).join('')
  const [first, last] = [found[0]!, found.at(-1)!]
  yield `${''.padEnd(70)}${columns(found.map(one => `${one.labels.toLocaleString('en-US')} labels`))}   per tenfold`
  for (const name of first.times.keys()) {
    const cells = found.map(({ times }) => {
      const one = times.get(name)
      return one ? `${one.p50.toFixed(1)} / ${one.p95.toFixed(1)} ms` : '–'
    })
    const growth =
      ((last.times.get(name)?.p50 ?? 0) / first.times.get(name)!.p50)
      ** (1 / Math.log10(last.labels / first.labels))
    yield `${name.padEnd(70)}${columns(cells)}   ${found.length > 1 ? `${growth.toFixed(2)} x` : ''}`
  }
  yield `${'disk of a label'.padEnd(70)}${columns(found.map(one => `${(one.bytes / one.labels / 1000).toFixed(2)} kB`))}`
  for (let n = 0; n < BULK_ORDERS; n++) {
    const cells = found.map(
      ({ bulk }) => `${bulk[n]!.seconds.toFixed(1)} s, ${bulk[n]!.deadRows} dead`,
    )
    yield `${`bulk order ${n + 1} of 10,000 labels; dead rows after it`.padEnd(70)}${columns(cells)}`
  }
  for (const one of found) {
    const slow = [...one.times.values()].filter(
      ({ name, p95 }) => p95 > (name === 'claim of a label' ? CLAIM_TARGET_MS : TARGET_MS),
    )
    const names = slow.map(({ name }) => name).join('; ') || 'none'
    const targets = `${TARGET_MS} ms (a claim: ${CLAIM_TARGET_MS} ms)`
    yield `Beyond ${targets} at p95 with ${one.labels.toLocaleString('en-US')} labels: ${names}`
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

async function runAsOwner<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
