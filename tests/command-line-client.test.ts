/** A shop without programmers buys its labels with scripts/evenpost.ts. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { rowsCsv } from '#contract/faulty-rows.ts'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import { testApp } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { commandLineOf } from '#tests/support/command-line.ts'
import { row, rows } from '#tests/support/rows.ts'
import { runCommand } from '#tests/support/run-command.ts'
import { sellerFile } from '#tests/support/seller-files.ts'
import { csvOf } from '#tests/support/template-csv.ts'

const app = await testApp()
const { folder, at, shop } = await commandLineOf(app)
const SERVICE = ['--service', 'USPS Ground Advantage']
const { bought } = bulkOrdersOf(app)
const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
/** Returns the hash of the workbook. */
async function writeWorkbook(name: string, sheets: Record<string, BulkRow[]>): Promise<string> {
  const tables = Object.entries(sheets).map(([sheet, orders]) => ({
    name: sheet,
    rows: [
      [...TEMPLATE_HEADERS],
      ...orders.map(order => TEMPLATE_FIELDS.map(field => order[field])),
    ],
  }))
  const bytes = await writeXlsx({ sheets: tables })
  await writeFile(at(name), bytes)
  return hashOf(bytes)
}
const writeOrders = (name: string, orders: BulkRow[]) => writeFile(at(name), csvOf(orders))

test('a file is priced, bought once, and its results and labels are saved', async () => {
  const jo = await shop(100)
  await writeOrders('monday.csv', rows(5))
  const buy = ['labels', 'buy', '--file', at('monday.csv'), ...SERVICE]

  const dear = await jo.run(...buy, '--max-cost', '32.49')
  expect(dear.output).toContain('$32.50 is more than --max-cost $32.49')
  expect(dear.code).toBe(1)
  const dry = await jo.run(...buy, '--dry-run')
  expect(dry.output).toContain('5 labels for $32.50')
  expect(dry.code).toBe(0)
  expect(await jo.bought()).toBe(0)

  const done = await jo.run(...buy, '--pdf', at('monday.pdf'))
  expect(done.output).toContain('5 of 5 bought')
  expect(done.code).toBe(0)
  expect((await readFile(at('monday-results.csv'), 'utf8')).trim().split('\n')).toHaveLength(6)
  expect((await readFile(at('monday.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')

  const again = await jo.run(...buy)
  expect(again.output).toContain('--allow-repeats')
  expect(again.code).toBe(1)
  expect(await jo.bought()).toBe(5)
  expect((await jo.run('balance')).output).toContain('$67.50')
})

test('faulty rows stop the whole file, or are left out on request', async () => {
  const jo = await shop(100)
  await writeOrders(
    'faults.csv',
    rows(4, n => (n === 2 ? { ToZipPostal: '' } : {})),
  )
  const buy = ['labels', 'buy', '--file', at('faults.csv'), ...SERVICE]
  const stopped = await jo.run(...buy)
  expect(stopped.output).toContain('Line 2, Receiver 2: To Zip is required')
  expect(stopped.code).toBe(1)
  expect(await jo.batches()).toEqual([])
  expect(await readFile(at('faults-faulty.csv'), 'utf8')).toContain('To Zip is required')
  const done = await jo.run(...buy, '--skip-faulty')
  expect(done.code).toBe(0)
  expect(await jo.bought()).toBe(3)
})

test('each row is bought with the service it names, and only the others with that of --service', async () => {
  const jo = await shop(100)
  const named = ['USPS Priority Mail', '', 'usps:priority_mail', 'usps ground advantage']
  const orders = rows(4, n => ({ ServiceName: named[n - 1]! }))
  await writeFile(at('named.csv'), rowsCsv(orders))
  const buy = ['labels', 'buy', '--file', at('named.csv')]
  const without = await jo.run(...buy)
  expect(without.output).toContain('Line 2, Receiver 2: Service is missing')
  expect(without.code).toBe(1)
  const done = await jo.run(...buy, '--service', 'usps ground advantage')
  expect(done.code, done.output).toBe(0)
  const [ground, priority] = ['USPS Ground Advantage', 'USPS Priority Mail']
  expect(await jo.services()).toEqual([priority, ground, priority, ground])

  await writeFile(at('own.csv'), rowsCsv(orders.filter((_, index) => named[index] !== '')))
  const own = await jo.run('labels', 'buy', '--file', at('own.csv'), '--dry-run')
  expect(own.output).toContain('3 labels for')
})

test('lines of one order get one label, also where only some name the service', async () => {
  const jo = await shop(100)
  const line = row(1, { orderId: '1001' })
  await writeFile(at('lines.csv'), rowsCsv([line, { ...line, ServiceName: '' }]))
  const buy = ['labels', 'buy', '--file', at('lines.csv'), ...SERVICE, '--dry-run']
  expect((await jo.run(...buy, '--one-label-for', 'order')).output).toContain('1 label for')
})

test('a row that names a service the shop does not have is faulty, and bought as no other', async () => {
  const jo = await shop(100)
  const orders = rows(2, n => (n === 1 ? { ServiceName: 'FedEx 2Day' } : {}))
  await writeFile(at('other.csv'), rowsCsv(orders))
  const buy = ['labels', 'buy', '--file', at('other.csv'), ...SERVICE]
  const stopped = await jo.run(...buy)
  expect(stopped.output).toContain("Line 1, Receiver 1: Service 'FedEx 2Day' is not one of yours")
  expect(stopped.code).toBe(1)
  expect(await readFile(at('other-faulty.csv'), 'utf8')).toContain('lists them",FedEx 2Day\r\n')
  expect(await jo.bought()).toBe(0)
  expect((await jo.run(...buy, '--skip-faulty')).code).toBe(0)
  expect(await jo.bought()).toBe(1)
})

test('lines of an export that are not to be shipped are reported once', async () => {
  const jo = await shop(100)
  const exported = sellerFile('shopify', 30)
  await jo.savesAddress()
  await writeFile(at('shop.csv'), exported.text(exported.header, exported.records))
  const { output } = await jo.run('labels', 'buy', '--file', at('shop.csv'), '--dry-run')
  const told = output.split('\n').filter(line => line.includes('left out'))
  expect(told.map(line => line.replace(/.* left out: (.*) \(.*/, '$1')).toSorted()).toEqual(
    exported.leftOut.map(({ reason }) => reason).toSorted(),
  )
})

test('of a workbook with several sheets the one that is named is bought', async () => {
  const jo = await shop(100)
  const week = { Monday: rows(2), Tuesday: rows(3), 'Next week': rows(1) }
  const hash = await writeWorkbook('week.xlsx', week)
  const buy = ['labels', 'buy', '--file', at('week.xlsx'), ...SERVICE]
  const unnamed = await jo.run(...buy)
  expect(unnamed.output).toContain(
    "week.xlsx has several sheets with rows: 'Monday', 'Tuesday', 'Next week'. Name the one to buy with --sheet.",
  )
  expect(unnamed.code).toBe(1)
  const misspelt = await jo.run(...buy, '--sheet', 'monday')
  expect(misspelt.output).toContain("week.xlsx has no sheet 'monday' with rows. It has 'Monday',")
  expect(misspelt.code).toBe(1)
  expect(await jo.batches()).toEqual([])

  // The first sheet is bought on the Bulk Order page.
  const sha256 = hashOf(`${hash} Monday`)
  await bought(jo.customer, week.Monday, {
    file: { name: 'week.xlsx', sha256, source: 'template' },
  })
  const again = await jo.run(...buy, '--sheet', 'Monday')
  expect(again.output).toContain('--allow-repeats')
  expect(again.code).toBe(1)
  const tuesday = await jo.run(...buy, '--sheet', 'Tuesday')
  expect(tuesday.output).toContain('3 of 3 bought')
  expect(tuesday.code).toBe(0)
  expect(await readdir(folder)).toContain('week-Tuesday-results.csv')
  expect(await jo.bought()).toBe(5)
})

test('a workbook with one sheet needs no name, and is the same file with it', async () => {
  const jo = await shop(100)
  await writeWorkbook('one.xlsx', { Orders: rows(1) })
  const buy = ['labels', 'buy', '--file', at('one.xlsx'), ...SERVICE]
  expect((await jo.run(...buy)).code).toBe(0)
  const again = await jo.run(...buy, '--sheet', 'Orders')
  expect(again.output).toContain('--allow-repeats')
  await writeOrders('plain.csv', rows(1))
  const plain = await jo.run('labels', 'buy', '--file', at('plain.csv'), '--sheet', 'Orders')
  expect(plain.output).toContain('plain.csv is not a workbook; leave out --sheet.')
  expect(await jo.bought()).toBe(1)
})

test('a sheet whose purchase was cut off goes on, also after another sheet was bought', async () => {
  const jo = await shop(100)
  await writeWorkbook('cut.xlsx', { Monday: rows(2), Tuesday: rows(3) })
  const buy = ['labels', 'buy', '--file', at('cut.xlsx'), ...SERVICE]
  // The results cannot be written over a folder.
  await mkdir(at('occupied'))
  const cut = await jo.run(...buy, '--sheet', 'Monday', '--results', at('occupied'))
  expect(cut.code).toBe(4)
  expect((await jo.run(...buy, '--sheet', 'Tuesday')).code).toBe(0)
  const done = await jo.run(...buy, '--sheet', 'Monday')
  expect(done.output).toContain('Going on with bulk order')
  expect(done.output).toContain('2 of 2 bought')
  expect(await jo.bought()).toBe(5)
  expect((await readdir(folder)).filter(name => name.endsWith('.evenpost.json'))).toEqual([])
})

test('the exit code tells a file that was bought in part from one that was not', async () => {
  const jo = await shop(100)
  await writeOrders(
    'part.csv',
    rows(3, n => (n === 1 ? { ToStreet2: 'SANDBOX REFUSE' } : {})),
  )
  const part = await jo.run('labels', 'buy', '--file', at('part.csv'), ...SERVICE)
  expect(part.output).toContain('Address not deliverable')
  expect(part.code).toBe(3)
  const [batch] = await jo.batches()
  expect((await jo.run('labels', 'status', batch!._id)).code).toBe(3)
  expect((await jo.run('labels', 'buy', '--file', at('none.csv'))).code).toBe(1)
  expect((await jo.run('labels', 'buy')).code).toBe(2)

  const poor = await shop(1)
  const refused = await poor.run('labels', 'buy', '--file', at('part.csv'), ...SERVICE)
  expect(refused.output).toContain('Nothing was bought.')
  expect(refused.code).toBe(1)
})

test('a purchase whose results cannot be saved is open, and goes on with the next run', async () => {
  const jo = await shop(100)
  await writeOrders('ended.csv', rows(2))
  const buy = ['labels', 'buy', '--file', at('ended.csv'), ...SERVICE]
  const noFolder = await jo.run(...buy, '--results', at('missing/results.csv'))
  expect(noFolder.code).toBe(1)
  // The results cannot be written over a folder: the labels are bought all the same.
  await mkdir(at('taken'))
  const open = await jo.run(...buy, '--results', at('taken'))
  expect(open.output).toContain('was sent, but its end is not known')
  expect(open.code).toBe(4)
  expect(await readdir(folder)).not.toContain('taken.part')
  expect(await jo.bought()).toBe(2)
  const wrongKey = await runCommand('evenpost', buy, { ...jo.env, EVENPOST_KEY: 'evp_test_x' })
  expect(wrongKey.code).toBe(1)
  const done = await jo.run(...buy)
  expect(done.output).toContain('2 of 2 bought')
  expect(done.code).toBe(0)
  expect(await jo.bought()).toBe(2)
})

test('a run that is killed goes on with the same bulk order', async () => {
  const jo = await shop(2_000)
  await writeOrders('killed.csv', rows(300))
  const args = ['labels', 'buy', '--file', at('killed.csv'), ...SERVICE]
  const child = spawn(process.execPath, ['scripts/evenpost.ts', ...args], {
    env: { PATH: process.env.PATH, ...jo.env },
  })
  await expect.poll(() => existsSync(at('killed.csv.evenpost.json')), { interval: 5 }).toBe(true)
  child.kill('SIGKILL')
  const done = await jo.run(...args)
  expect(done.output).toContain('300 of 300 bought')
  expect(done.code).toBe(0)
  expect(await jo.batches()).toHaveLength(1)
  expect(await jo.bought()).toBe(300)
  expect(existsSync(at('killed.csv.evenpost.json'))).toBe(false)
})
