/** Files are bought with scripts/evenpost.ts at the price that it printed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { rowsCsv } from '#contract/faulty-rows.ts'
import { setZoneMatrix } from '#contract/price-tables.ts'
import type { SubmittedRow } from '#contract/rows.ts'
import { testApp } from '#tests/support/app.ts'
import { commandLineOf } from '#tests/support/command-line.ts'
import { setPrices, withLiveService } from '#tests/support/live-service.ts'
import { sellOptions } from '#tests/support/option-prices.ts'
import { rows } from '#tests/support/rows.ts'

const app = await testApp()
const { owner } = app.database
const { admin, costs } = await withLiveService(app)
const { at, shop } = await commandLineOf(app)

async function buyCommand(name: string, orders: SubmittedRow[]): Promise<string[]> {
  await writeFile(at(name), rowsCsv(orders))
  return ['labels', 'buy', '--file', at(name)]
}
const liveRows = (count: number) => rows(count, () => ({ ServiceName: 'USPS Priority Mail' }))

test('a signature costs its price in the dry run, in the limit and on the balance', async () => {
  await sellOptions(app, { signature: 3.7, adult: 7.4, saturday: null })
  const jo = await shop(100)
  const [plain, signed, adult] = rows(3)
  const buy = await buyCommand('signed.csv', [
    plain!,
    { ...signed!, signature: 'signature' },
    { ...adult!, signature: 'adult' },
  ])
  expect((await jo.run(...buy, '--dry-run')).output).toContain('3 labels for $30.60.')
  const dear = await jo.run(...buy, '--max-cost', '30.59')
  expect(dear.output).toContain('$30.60 is more than --max-cost $30.59')
  const done = await jo.run(...buy)
  expect(done.code, done.output).toBe(0)
  expect((await jo.run('balance')).output).toContain('$69.40')
})

test('labels of a service whose price the carrier tells are priced and bought', async () => {
  costs(5)
  const jo = await shop(100)
  const done = await jo.run(...(await buyCommand('live.csv', [...liveRows(3), ...rows(1)])))
  expect(done.output).toContain('4 labels for $26.27.')
  expect(done.code).toBe(0)
  expect((await jo.run('balance')).output).toContain('$73.73')
})

test('a row that the carrier tells no price for is faulty, and the others can be bought', async () => {
  app.carrier.losesResponses = true
  const jo = await shop(100)
  const buy = await buyCommand('untold.csv', [...liveRows(1), ...rows(1)])
  const stopped = await jo.run(...buy)
  expect(stopped.output).toContain(
    'Line 1, Receiver 1: The carrier did not tell a price. Try again',
  )
  expect(stopped.code).toBe(1)
  expect(await readFile(at('untold-faulty.csv'), 'utf8')).toContain('did not tell a price')
  const rest = await jo.run(...buy, '--skip-faulty', '--dry-run')
  expect(rest.output).toContain('1 label for $6.50.')
  expect(rest.code).toBe(0)
})

test('the command waits for prices that the carrier has not returned yet', async () => {
  costs(5)
  const jo = await shop(100)
  const buy = await buyCommand('pending.csv', liveRows(2))
  // The customer has asked for as many prices as a minute allows, until these rows are deleted.
  await owner.pool.query(
    `insert into carrier_quote (account, parcel, asked_by, asked_at)
       select 'other', n::text, $1, now() + interval '1 hour' from generate_series(1, 1000) n`,
    [jo.customer.user._id],
  )
  const child = spawn(process.execPath, ['scripts/evenpost.ts', ...buy, '--dry-run'], {
    env: { PATH: process.env.PATH, ...jo.env },
  })
  const closed = once(child, 'close')
  let said = ''
  for await (const chunk of child.stderr) {
    said += String(chunk)
    if (said.includes('price of 2 parcels')) await owner.pool.query('delete from carrier_quote')
  }
  expect(said).toContain('2 labels for $13.18.')
  expect(await closed).toEqual([0, null])
})

test('labels of a service with prices by zone cost those of their zones', async () => {
  const zones = [1, 2, 3, 4, 5, 6, 7, 8]
  const table = [
    ['service', 'up_to', 'unit', ...zones.map(zone => `zone_${zone}`)],
    ['usps:GROUND_ADVANTAGE', '70', 'lb', ...zones.map(zone => `${zone}.50`)],
  ]
  const jo = await shop(100)
  const source = { kind: 'file' as const, fileName: 'zones.csv', rows: table }
  await setPrices(app, admin, source, jo.customer.user._id)
  // From Austin to Portland ME, Fresno, Duluth and Austin; Bend has no zone.
  const zoneOf: Record<number, number> = { 41: 8, 937: 7, 558: 6, 787: 1 }
  const fromAustin = Array.from({ length: 1_000 }, (_, prefix) => zoneOf[prefix] ?? 0).join('')
  const body = { origins: { '787': fromAustin }, reason: 'published in July' }
  expect((await app.call(setZoneMatrix, { body }, admin.token)).status).toBe(200)

  const buy = await buyCommand('zones.csv', rows(5))
  const stopped = await jo.run(...buy)
  expect(stopped.output).toContain('Line 4, Receiver 4: USPS Ground Advantage has no price from')
  expect(stopped.code).toBe(1)
  const dear = await jo.run(...buy, '--skip-faulty', '--max-cost', '23.99')
  expect(dear.output).toContain('4 labels for $24.00.')
  expect(dear.code).toBe(1)
  const done = await jo.run(...buy, '--skip-faulty', '--max-cost', '24')
  expect(done.code, done.output).toBe(0)
  expect((await jo.run('balance')).output).toContain('$76.00')
})
