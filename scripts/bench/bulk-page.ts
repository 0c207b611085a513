/**
 * The bulk page in a Chromium of its own, on the built pages: large files from the choice of the file
 * until Submit is possible, then filter, sort and scrolling.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { saveAddress } from '#contract/addresses.ts'
import { sellerFile } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import { startServer } from '#tests/support/server-process.ts'
import { calibrate } from './calibrate.ts'
import { median } from './figures.ts'

/**
 * ms from the choice of the file: `firstRowsMs` until rows are seen, `readyMs` until Submit is
 * possible, `settledMs` until the page rests. `longestMs`: the longest task of the page until then;
 * `peakMb`: the most private memory of the tab's process.
 */
export type FileRun = {
  name: string
  rows: number
  fileMb: number
  firstRowsMs: number
  readyMs: number
  settledMs: number
  longestMs: number
  longTasks: number
  peakMb: number
  filterMs: number
  sortMs: number
  scrollP95Ms: number
  /** Of the machine, beside the run. */
  slowdown: number
}
type PageTimes = Pick<
  FileRun,
  'rows' | 'firstRowsMs' | 'readyMs' | 'settledMs' | 'longestMs' | 'longTasks'
>

export type BenchFile = { name: string; format: SellerFormat; rows: number; kind: 'csv' | 'xlsx' }

const BENCH_FILES: readonly BenchFile[] = [
  { name: 'template .csv', format: 'template', rows: 10_000, kind: 'csv' },
  { name: 'template .xlsx', format: 'template', rows: 10_000, kind: 'xlsx' },
  { name: 'template .csv', format: 'template', rows: 50_000, kind: 'csv' },
  { name: 'Walmart .csv', format: 'walmart', rows: 50_000, kind: 'csv' },
  { name: 'template .xlsx', format: 'template', rows: 50_000, kind: 'xlsx' },
]

const PROBE = join(import.meta.dirname, 'page-probe.mjs')

const SENDER = {
  address_id: 'Warehouse',
  name: 'Mason Trading',
  company: '',
  phone: '',
  street: '100 Congress Ave',
  street2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}

/**
 * Runs each file on a page that was just opened; one page first, to fill the browser's cache.
 * `executablePath`: of a Chromium.
 */
export async function* benchBulkPage(
  dataDir: string,
  databaseUrl: string,
  executablePath: string,
  files: readonly BenchFile[] = BENCH_FILES,
): AsyncGenerator<FileRun | { zipBytesBefore: number }> {
  const ctx = await startServer(dataDir, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' })
  const browser = await chromium.launch({ executablePath })
  try {
    const { token, user } = await ctx.register('Bench')
    const params = { userId: user._id }
    await ctx.call(saveAddress, { params, body: { formData: SENDER } }, token)
    const open = () => openPage(browser, ctx.url, token)
    const [first] = await open()
    yield { zipBytesBefore: await zipBytes(first) }
    await first.context().close()
    for (const file of files) {
      const bytes = await bytesOf(file)
      const [page, pid] = await open()
      yield await runFile(page, pid, file, bytes)
      await page.context().close()
    }
  } finally {
    await browser.close()
    await ctx.stop('SIGTERM')
  }
}

async function bytesOf({ format, rows, kind }: BenchFile): Promise<Buffer> {
  const perOrder = sellerFile(format, 1_000).rows.length / 1_000
  const { header, records, text } = sellerFile(format, Math.floor(rows / perOrder))
  if (kind === 'csv') return Buffer.from(text(header, records))
  const cells = [header, ...records].map(line => line.map(cell => (cell === '' ? null : cell)))
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Orders', rows: cells }] }))
}

/** A page with a service chosen, in a tab of its own; and the tab's process. */
async function openPage(
  browser: Browser,
  url: string,
  token: string,
): Promise<[page: Page, pid: number | null]> {
  const known = new Set(rendererPids())
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: {
      cookies: [],
      origins: [{ origin: url, localStorage: [{ name: 'evenpost.token', value: token }] }],
    },
  })
  const page = await context.newPage()
  await page.addInitScript({ path: PROBE })
  await page.goto(`${url}/main/bulk-order`)
  await page.getByRole('combobox', { name: 'Service', exact: true }).click()
  await page.getByRole('option', { name: 'USPS Ground Advantage', exact: true }).click()
  const pid = rendererPids().find(one => !known.has(one)) ?? null
  return [page, pid]
}

/** The processes that render pages, on Linux; none elsewhere. */
function rendererPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .filter(pid => commandLine(pid).includes('--type=renderer'))
      .map(Number)
  } catch {
    return []
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it ended
  }
}

/** What a process alone holds, in MB: as the browser's own task manager counts it. */
function privateMb(pid: number | null): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kb = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0)
    return (kb('RssAnon') + kb('VmSwap')) / 1024
  } catch {
    return Number.NaN
  }
}

/** Bytes of the ZIP table that a page without a file has loaded. Its code alone is smaller. */
const zipBytes = (page: Page): Promise<number> =>
  page.evaluate(
    `performance.getEntriesByType('resource')
      .filter(entry => entry.name.includes('zip-places') && entry.encodedBodySize > 20_000)
      .reduce((sum, entry) => sum + entry.encodedBodySize, 0)`,
  )

async function runFile(
  page: Page,
  pid: number | null,
  file: BenchFile,
  bytes: Buffer,
): Promise<FileRun> {
  const { slowdown } = calibrate()
  let peakMb = privateMb(pid)
  const watch = setInterval(() => (peakMb = Math.max(peakMb, privateMb(pid))), 20)
  const name = `orders.${file.kind}`
  // The bytes are in the page before its clock starts.
  await page.route(`**/${name}`, route => route.fulfill({ body: bytes }))
  const probe = <T>(call: string) => page.evaluate(`benchProbe.${call}`) as Promise<T>
  const middle = async (call: string) =>
    median([await probe<number>(call), await probe<number>(call), await probe<number>(call)])
  await probe(`load('${name}')`)
  const times = await probe<PageTimes>('read()')
  const filterMs = await middle('filter()')
  const sortMs = await middle('sort()')
  const scrollP95Ms = await probe<number>('scroll()')
  clearInterval(watch)
  return {
    ...times,
    name: file.name,
    fileMb: bytes.length / 1e6,
    peakMb,
    filterMs,
    sortMs,
    scrollP95Ms,
    slowdown: (slowdown + calibrate().slowdown) / 2,
  }
}
