/**
 * `npm run bench`: measures this machine, mostly as ratios, and prints the targets beside them.
 *   -- quick       without the batch of 50,000
 *   -- processes   several processes on one database
 *   -- web         a second web process
 *   -- singles     single labels of 1, 8 and 32 buyers at a time
 *   -- sockets     a thousand live connections
 *   -- start       a later start, and idle memory
 *   -- lists       every list with 10,000 and a million labels
 *   -- paper       printing
 *   -- sources     files of every source
 *   -- bulk-page   the bulk page in a browser
 *   -- keys        a call with an API key
 *   -- easypost    a label through /v2
 *   -- webhooks    messages beside a bulk order
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { APP_ROLE } from '#server/platform/embedded-postgres/cluster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { benchBulkPage } from './bench/bulk-page.ts'
import { bulkRuns } from './bench/bulk.ts'
import { benchEasypost } from './bench/easypost.ts'
import { measureIdle } from './bench/idle.ts'
import { benchKeys } from './bench/keys.ts'
import { benchLabels } from './bench/labels.ts'
import { measureLatencyUnderLoad } from './bench/latency-under-load.ts'
import { parseListTargets, reportLists } from './bench/lists-report.ts'
import { benchParse } from './bench/parse.ts'
import { benchPricing } from './bench/pricing.ts'
import { benchPrinting } from './bench/printing.ts'
import { processRuns } from './bench/processes.ts'
import { benchSingleLabels } from './bench/single-labels.ts'
import { benchSockets } from './bench/sockets.ts'
import { benchSources } from './bench/sources.ts'
import { measureStartTimes } from './bench/start-times.ts'
import { tpcb } from './bench/tpcb.ts'
import { benchWebProcesses } from './bench/web-processes.ts'
import { benchWebhooks } from './bench/webhooks.ts'
import { findChromium } from './chromium.ts'

/** Labels that a worker claims at once. */
const CLAIM_SIZE = 200
const has = (word: string): boolean => process.argv.includes(word)
const quick = has('quick')
const folder = await mkdtemp(join(tmpdir(), 'evenpost-bench-'))
await chmod(folder, 0o711) // started as root, the database runs as another user
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const reportFigure = (what: string, figure: string, note: string): void =>
  say(`${what.padEnd(58)} ${figure.padStart(10)}   ${note}`)
const reportAgainstTarget = (
  what: string,
  figure: number,
  unit: string,
  most: 'at most' | 'at least',
  bound: number,
): void => {
  const met = most === 'at most' ? figure <= bound : figure >= bound
  const digits = unit === 'x' || unit === 's' ? 2 : 0
  reportFigure(
    what,
    `${figure.toFixed(digits)} ${unit}`,
    `${`${most} ${bound} ${unit}`.padEnd(18)} ${met ? 'met' : 'NOT MET'}`,
  )
}

try {
  if (has('sources')) await benchmarkSources()
  else if (has('keys')) await benchmarkKeys()
  else if (has('easypost')) await benchmarkEasypost()
  else await benchmarkWithDatabase()
} finally {
  await rm(folder, { recursive: true, force: true })
}

type Postgres = Awaited<ReturnType<typeof startPostgres>>

async function benchmarkWithDatabase(): Promise<void> {
  const postgres = await startPostgres({ dataDir: join(folder, 'database'), log: () => {} })
  try {
    const owner = openDatabase(postgres.ownerUrl, { max: 1 })
    await migrate(owner.pool, { role: APP_ROLE }).finally(() => owner.close())
    if (has('processes')) await benchmarkProcesses(postgres)
    else if (has('sockets')) await benchmarkSockets(postgres)
    else if (has('web')) await benchmarkWebProcesses(postgres)
    else if (has('lists')) await benchmarkLists(postgres)
    else if (has('paper')) await benchmarkPrinting()
    else if (has('bulk-page')) await benchmarkBulkPage(postgres)
    else if (has('webhooks')) await benchmarkWebhooks(postgres)
    else if (has('singles')) await benchmarkSingleLabels(postgres)
    else if (has('start')) await benchmarkStart(postgres)
    else await benchmarkOneProcess(postgres)
  } finally {
    await postgres.stop()
  }
}

async function benchmarkStart({ ownerUrl }: Postgres): Promise<void> {
  say('Measuring; this takes about a minute and a half.\n')
  const { serverMs, npmStartMs, memoryMb } = await measureIdle(folder, ownerUrl)
  reportAgainstTarget('later start, server process', serverMs / 1000, 's', 'at most', 0.6)
  reportAgainstTarget('later start, from npm start', npmStartMs / 1000, 's', 'at most', 0.6)
  for (const [role, mb] of Object.entries(memoryMb))
    reportAgainstTarget(`memory of an idle process, ROLE=${role}`, mb, 'MB', 'at most', 120)
}

async function benchmarkSources(): Promise<void> {
  say('Measuring; this takes about a minute.\n')
  for await (const { name, rows, ms, ratio } of benchSources()) {
    reportFigure(`${name}, ${rows} rows detected, read and checked`, `${ms.toFixed(0)} ms`, '')
    if (name !== 'template')
      reportAgainstTarget('  of the time of the template', ratio, 'x', 'at most', 1.5)
  }
}

async function benchmarkEasypost(): Promise<void> {
  const { single, created, bought } = await benchEasypost(join(folder, 'data'))
  reportFigure('a label through /api/orders/v2', `${single.toFixed(1)} ms`, 'median')
  reportFigure('a shipment of /v2, created', `${created.toFixed(1)} ms`, 'median')
  reportFigure('the same, bought', `${bought.toFixed(1)} ms`, 'median')
  const ratio = (created + bought) / single
  reportAgainstTarget('both over the label', ratio, 'x', 'at most', 1.5)
}

async function benchmarkKeys(): Promise<void> {
  say('Measuring; this takes about a minute.\n')
  const { session, key } = await benchKeys(join(folder, 'data'))
  reportFigure(
    'a call with a session',
    `${session.p50.toFixed(2)} ms`,
    `${session.p95.toFixed(2)} ms at p95`,
  )
  reportFigure(
    'the same call with a key',
    `${key.p50.toFixed(2)} ms`,
    `${key.p95.toFixed(2)} ms at p95`,
  )
  const more = Math.max(0, key.p50 - session.p50)
  reportFigure(
    '  more',
    `${more.toFixed(2)} ms`,
    `at most 1 ms         ${more <= 1 ? 'met' : 'NOT MET'}`,
  )
}

async function benchmarkWebhooks({ url }: Postgres): Promise<void> {
  say('Measuring; this takes about three minutes.\n')
  const run = await benchWebhooks(join(folder, 'data'), url)
  reportFigure('bulk order without a webhook', `${run.without.toFixed(0)} /s`, '')
  const [ends, rows] = [run.withEndpoint / run.without, run.withRows / run.without]
  reportAgainstTarget('  pace with a webhook', ends, 'x', 'at least', 0.9)
  reportAgainstTarget('  pace with a webhook told of each row', rows, 'x', 'at least', 0.9)
  const what = `${run.messages.toLocaleString('en-US')} rows bought, and their messages delivered`
  reportAgainstTarget(what, run.messageSeconds, 's', 'at most', 60)
  reportAgainstTarget('fact to delivery, p95, beside it', run.besideP95, 'ms', 'at most', 1_000)
  reportAgainstTarget('fact to delivery, p95, alone', run.aloneP95, 'ms', 'at most', 1_000)
}

async function benchmarkSingleLabels({ url, ownerUrl }: Postgres): Promise<void> {
  say('Measuring; this takes about a minute.\n')
  const transactionsPerSecond = await tpcb(ownerUrl)
  const runs = benchSingleLabels(join(folder, 'data'), url, [1, 8, 32], 3_000)
  for await (const { buyers, perSecond, p50, p99 } of runs) {
    const what = `buyers at a time: ${buyers}`
    reportFigure(
      what,
      `${perSecond.toFixed(0)} /s`,
      `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms at p99`,
    )
    if (buyers === 32) reportAgainstTarget('  labels with PDF', perSecond, '/s', 'at least', 400)
  }
  reportFigure(
    'TPC-B-like transactions of the database',
    `${transactionsPerSecond.toFixed(0)} /s`,
    '',
  )
}

async function benchmarkBulkPage({ url }: Postgres): Promise<void> {
  say('Measuring; this takes about two minutes. Times are divided by the slowdown beside them.')
  const path = await findChromium(say)
  for await (const run of benchBulkPage(join(folder, 'data'), url, path)) {
    if ('zipBytesBefore' in run) {
      reportAgainstTarget('ZIP table before a file', run.zipBytesBefore, 'bytes', 'at most', 0)
      continue
    }
    const { slowdown } = run
    say(
      `\n${run.name} of ${run.rows} rows, ${run.fileMb.toFixed(1)} MB; `
        + `${slowdown.toFixed(1)} times slower beside other programs`,
    )
    const report = (what: string, ms: number, bound: number | null): void =>
      bound === null
        ? reportFigure(what, `${(ms / slowdown).toFixed(0)} ms`, '')
        : reportAgainstTarget(what, ms / slowdown, 'ms', 'at most', bound)
    const isLarge = run.rows > 20_000
    report('first rows shown', run.firstRowsMs, 1000)
    report('all rows read and checked', run.readyMs, isLarge ? null : 1000)
    report('the page rests', run.settledMs, null)
    report(
      `longest task of the page (${run.longTasks} beyond 50 ms)`,
      run.longestMs,
      isLarge ? null : 100,
    )
    report('filter', run.filterMs, 300)
    report('sort', run.sortMs, 300)
    report('scrolling: time of a frame at p95', run.scrollP95Ms, 33)
    reportAgainstTarget('memory of the tab at its peak', run.peakMb, 'MB', 'at most', 600)
  }
}

async function benchmarkProcesses({ url }: Postgres): Promise<void> {
  say('Measuring; this takes about two minutes.')
  const runs = await processRuns(join(folder, 'data'), url, 10_000)
  say('')
  for (const { workers, latencyMs, labels, boughtPerSecond, readyPerSecond } of runs) {
    const what = `${labels} labels, carrier ${latencyMs} ms, 1 web process and workers: ${workers}`
    reportFigure(
      what,
      `${Math.round(boughtPerSecond)}/s`,
      `${Math.round(readyPerSecond)}/s until the files are ready`,
    )
  }
}

async function benchmarkSockets({ url }: Postgres): Promise<void> {
  say('Measuring; this takes about three minutes.\n')
  const { sockets, memoryMb, alone, beside } = await benchSockets(join(folder, 'data'), url)
  reportAgainstTarget(`memory of ${sockets} live connections`, memoryMb, 'MB', 'at most', 60)
  const ms = (time: number): string => `${time.toFixed(1)} ms`
  reportFigure('single label without them, p50', ms(alone.p50), `${ms(alone.p99)} at p99`)
  reportFigure('single label beside them, p50', ms(beside.p50), `${ms(beside.p99)} at p99`)
}

async function benchmarkWebProcesses({ url }: Postgres): Promise<void> {
  say('Measuring; this takes about a minute.\n')
  const cores = availableParallelism()
  for (const { what, one, two } of await benchWebProcesses(join(folder, 'data'), url)) {
    reportFigure(`${what}, 1 web process`, `${one.toFixed(0)} /s`, '')
    const note = `${(two / one).toFixed(2)} times; cores: ${cores}, shared with the database and the client`
    reportFigure(`${what}, 2 web processes`, `${two.toFixed(0)} /s`, note)
  }
}

/** `-- lists 10000,postgres://…`: sizes, or databases that scripts/seed.ts has filled. */
async function benchmarkLists({ url, ownerUrl }: Postgres): Promise<void> {
  const given = process.argv[process.argv.indexOf('lists') + 1] ?? '10000,1000000'
  const targets = parseListTargets(given)
  await reportLists({ url, ownerUrl, dataDir: join(folder, 'data') }, targets, say)
}

async function benchmarkPrinting(): Promise<void> {
  say('Measuring; this takes about half a minute.\n')
  for await (const {
    what,
    labels,
    perSecond,
    bytesPerLabel,
    memoryGrowthMb,
    maxBlockedMs,
  } of benchPrinting()) {
    const more =
      `${Math.round(bytesPerLabel)} B a label, ${Math.round(memoryGrowthMb)} MB more, `
      + `blocked ${Math.round(maxBlockedMs)} ms at most`
    reportFigure(`${labels} labels, ${what}`, `${Math.round(perSecond)}/s`, more)
  }
}

async function benchmarkOneProcess({ url, ownerUrl }: Postgres): Promise<void> {
  say('Measuring; this takes two to three minutes on an idle machine.')
  const loadBefore = loadavg()[0]!
  const parse = benchParse()
  const pricing = benchPricing()
  const labels = await benchLabels()
  const before = await tpcb(ownerUrl)
  const runs = await bulkRuns(join(folder, 'data'), url, [
    1_000,
    10_000,
    10_000,
    ...(quick ? [] : [50_000]),
  ])
  const after = await tpcb(ownerUrl)
  const beside = await measureLatencyUnderLoad(join(folder, 'data'), url, 10_000, 3)
  const starts = await measureStartTimes(join(folder, 'own'), 10_000)
  const transactionsPerSecond = (before + after) / 2
  const [small, , big, huge] = runs

  say('')
  reportAgainstTarget(
    '10,000 labels, submit to files ready',
    big!.readyMs / 1000,
    's',
    'at most',
    2,
  )
  reportAgainstTarget(
    '  labels a second / TPC-B-like transactions a second',
    ((10_000 / big!.readyMs) * 1000) / transactionsPerSecond,
    'x',
    'at least',
    1.5,
  )
  reportFigure(
    '  (labels a second; transactions a second)',
    `${Math.round(1e7 / big!.readyMs)}; ${Math.round(transactionsPerSecond)}`,
    '',
  )
  reportAgainstTarget('  write-ahead log a label', big!.walPerLabel, 'bytes', 'at most', 4_000)
  if (huge) {
    reportAgainstTarget(
      'memory of 50,000 rows over 1,000 rows / the input',
      (huge.peakMb - small!.peakMb) / huge.inputMb,
      'x',
      'at most',
      6,
    )
    const sizes = [small!.peakMb, huge.peakMb, huge.inputMb].map(Math.round)
    reportFigure('  (peak MB of 1,000; of 50,000; input MB)', sizes.join('; '), '')
    reportFigure(
      '  50,000 labels, submit to files ready',
      `${(huge.readyMs / 1000).toFixed(2)} s`,
      '',
    )
  }
  reportAgainstTarget(
    'bulk PDF of 10,000: labels a second / pdfkit',
    labels.ratio.speed,
    'x',
    'at least',
    6,
  )
  reportAgainstTarget('  bytes a label / pdfkit', labels.ratio.bytes, 'x', 'at most', 0.5)
  reportAgainstTarget(
    'parse, check and price 10,000 rows / papaparse alone',
    parse.ratio,
    'x',
    'at most',
    4,
  )
  reportAgainstTarget(
    'price 10,000 parcels by zone table / by ranges',
    pricing.ratio,
    'x',
    'at most',
    2,
  )
  reportAgainstTarget(
    'one label beside a bulk order of 10,000, to its PDF: p50',
    beside.p50,
    'ms',
    'at most',
    100,
  )
  reportAgainstTarget(`  p99 (of ${beside.singleCount})`, beside.p99, 'ms', 'at most', 150)
  // The rest of the claim in progress, and the next one.
  reportAgainstTarget(
    `begun before a later one-label bulk order (of ${beside.smallBatchCount})`,
    beside.maxLabelsAhead,
    'labels',
    'at most',
    2 * CLAIM_SIZE,
  )
  reportAgainstTarget(
    'killed in a bulk order: until the next label is bought',
    starts.resumeMs / 1000,
    's',
    'at most',
    5,
  )
  reportFigure(
    '  finally all are bought and the books balance',
    starts.isComplete ? 'yes' : 'NO',
    starts.isComplete ? 'met' : 'NOT MET',
  )
  reportAgainstTarget(
    'first start, packages installed and web built',
    starts.firstMs / 1000,
    's',
    'at most',
    10,
  )
  reportAgainstTarget('  later start', starts.laterMs / 1000, 's', 'at most', 0.6)
  const load = [loadBefore, loadavg()[0]!].map(one => one.toFixed(1)).join(' and ')
  say(`\nThe machine's load before and after was ${load}: on a busy machine trust the ratios only.`)
}
