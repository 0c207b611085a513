/**
 * `npm run bench`: the figures of this house as ratios, measured in one run on this machine. Nothing here passes or fails; the
 * right-hand column says what we aim at. `npm run bench -- quick` leaves the batch of 50,000 out; `npm run bench -- processes` measures
 * several processes on one database instead (docs/scaling.md); `npm run bench -- lists` asks for every list with a million labels.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/platform/database.ts'
import { migrate } from '#server/platform/migrate.ts'
import { startPostgres } from '#server/platform/postgres/start.ts'
import { bulkRuns } from './bench/bulk.ts'
import { benchLabels } from './bench/labels.ts'
import { benchLists } from './bench/lists.ts'
import { benchParse } from './bench/parse.ts'
import { processRuns } from './bench/processes.ts'
import { tpcb } from './bench/tpcb.ts'
import { fillDatabase } from './seed/fill.ts'

const quick = process.argv.includes('quick')
const folder = await mkdtemp(join(tmpdir(), 'evenpost-bench-'))
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const show = (what: string, figure: string, aim: string): void => say(`${what.padEnd(58)} ${figure.padStart(10)}   ${aim}`)
const times = (n: number): string => `${n.toFixed(2)} x`

const postgres = await startPostgres({ dataDir: join(folder, 'yard'), log: () => {} })
try {
  if (process.argv.includes('processes')) await severalProcesses()
  else if (process.argv.includes('lists')) await everyList()
  else await oneProcess()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function severalProcesses(): Promise<void> {
  say('Measuring; this takes about a minute.')
  const runs = await processRuns(join(folder, 'house'), postgres.url, 10_000)
  say('')
  for (const { workers, latencyMs, labels, bought, ready } of runs) {
    const what = `${labels} labels, carrier ${latencyMs} ms, 1 web process and workers: ${workers}`
    show(what, `${Math.round(bought)}/s`, `${Math.round(ready)}/s until the files are ready`)
  }
}

async function everyList(): Promise<void> {
  const database = openDatabase(postgres.url, { max: 1 })
  await migrate(database.pool).finally(() => database.close())
  await fillDatabase(postgres.url, { users: 10_000, labels: 1_000_000, say })
  say('')
  const slow: string[] = []
  for await (const { name, p50, p95 } of benchLists(join(folder, 'house'), postgres.url)) {
    show(name, `${p50.toFixed(1)} ms`, `${p95.toFixed(1)} ms at p95`)
    if (p95 > 100) slow.push(name)
  }
  show('lists that take more than 100 ms at p95', String(slow.length), 'none')
  if (slow.length > 0) say(`  (${slow.join('; ')})`)
}

async function oneProcess(): Promise<void> {
  say('Measuring; this takes about two minutes.')
  const parse = benchParse()
  const labels = await benchLabels()
  const before = await tpcb(postgres.url)
  const runs = await bulkRuns(join(folder, 'house'), postgres.url, [1_000, 10_000, 10_000, ...quick ? [] : [50_000]])
  const after = await tpcb(postgres.url)
  const yard = (before + after) / 2
  const [small, , big, huge] = runs

  say('')
  show('10,000 labels, submit to files ready', `${(big!.readyMs / 1000).toFixed(2)} s`, 'at most 5 s on 2 cores')
  show('  labels a second / TPC-B-like transactions a second', times(10_000 / big!.readyMs * 1000 / yard), 'at least 1 x')
  show('  (labels a second; transactions a second)', `${Math.round(1e7 / big!.readyMs)}; ${Math.round(yard)}`, '')
  if (huge) {
    show('memory of 50,000 rows over 1,000 rows / the input', times((huge.peakMb - small!.peakMb) / huge.inputMb), 'at most 6 x')
    const sizes = [small!.peakMb, huge.peakMb, huge.inputMb].map(Math.round)
    show('  (peak MB of 1,000; of 50,000; input MB)', sizes.join('; '), '')
    show('  50,000 labels, submit to files ready', `${(huge.readyMs / 1000).toFixed(2)} s`, '')
  }
  show('bulk PDF of 10,000: labels a second / pdfkit', times(labels.ratio.speed), 'at least 6 x')
  show('  bytes a label / pdfkit', times(labels.ratio.bytes), 'at most 0.5 x')
  show('parse, check and price 10,000 rows / papaparse alone', times(parse.ratio), 'at most 4 x')
}
