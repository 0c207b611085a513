/** A shop without programmers buys its labels with scripts/evenpost.ts. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createKey } from '#contract/api-keys.ts'
import { listBatches } from '#contract/batches.ts'
import { SCOPES } from '#contract/keys.ts'
import { totalOrders } from '#contract/orders.ts'
import type { BulkRow } from '#contract/rows.ts'
import { testApp } from '#tests/support/app.ts'
import { rows } from '#tests/support/rows.ts'
import { runCommand } from '#tests/support/run-command.ts'
import { csvOf } from '#tests/support/template-csv.ts'

const app = await testApp()
const server = await app.listen()
const folder = await mkdtemp(join(tmpdir(), 'evenpost-client-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const SERVICE = ['--service', 'USPS Ground Advantage']
const at = (name: string) => join(folder, name)

async function shop(dollars: number) {
  const { token, user } = await app.register()
  await app.creditDollars(user._id, dollars)
  const { body } = await app.call(
    createKey,
    { params: { userId: user._id }, body: { name: 'Shop', scopes: [...SCOPES] } },
    token,
  )
  const env = { EVENPOST_URL: server, EVENPOST_KEY: body.key }
  const params = { userId: user._id }
  return {
    env,
    run: (...args: string[]) => runCommand('evenpost', args, env),
    bought: async () => (await app.call(totalOrders, { params }, token)).body.totalOrders,
    batches: async () => (await app.call(listBatches, { params, query: {} }, token)).body,
  }
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
