import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { RawService } from '#contract/catalogue.ts'
import { readConfig } from '#server/config.ts'
import { createLogger } from '#server/platform/process/log.ts'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { comparisonReader, openPageFacts } from './page-facts.ts'
import {
  ensureCatalogue,
  listDefaultServices,
  setServiceEnabled,
  setServicePrices,
} from './service.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost-facts-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
await mkdir(join(folder, 'pages'))
const file = join(folder, 'pages', 'price-comparison.json')
const TABLE = { name: 'Counter', source: 'List of July', prices: [{ upTo: 70, price: 80.5 }] }

const database = await testDatabase()
const ctx = { database, config: readConfig({ DATA_DIR: folder }), log: createLogger('silent') }
/** What a visitor gets after the seconds for which the pages remember prices. */
const promise = async () => {
  const { price, flat } = await openPageFacts(ctx)()
  return [price, flat?.heaviest, flat?.other?.source]
}

test('the public page promises what the catalogue sells, also after the operator changes it', async () => {
  const raw: RawService = {
    uid: 'usps:GROUND_ADVANTAGE',
    name: 'Ground',
    category: 'Domestic',
    maxWeight: 70,
  }
  const admin = await newUser(database, 'admin')
  await ensureCatalogue(ctx, [raw])
  const defaultId = (await listDefaultServices(database.db))[0]!.id
  expect(await promise()).toEqual(['$6.50', '70', undefined])

  const prices = [
    { fromWeight: 1, toWeight: 40, price: 7 },
    { fromWeight: 41, toWeight: 70, price: 9 },
  ]
  await setServicePrices(ctx, { defaultId }, prices, admin)
  await writeFile(file, JSON.stringify(TABLE))
  expect(await promise()).toEqual(['$7.00', '40', 'List of July'])

  await setServiceEnabled(ctx, { defaultId }, false, admin)
  expect(await promise()).toEqual([null, undefined, undefined])
})

test('a wrong table of other prices is left out and reported once, until it is changed', async () => {
  const problems: string[] = []
  const read = comparisonReader(file, problem => problems.push(problem))
  await rm(file, { force: true })
  expect(await read()).toBeNull()
  await writeFile(file, JSON.stringify({ ...TABLE, source: '' }))
  expect([await read(), await read()]).toEqual([null, null])
  expect(problems).toEqual([expect.stringMatching(/price-comparison\.json is not used: source: /)])
  await writeFile(file, '{"name":')
  expect(await read()).toBeNull()
  expect(problems).toHaveLength(2)
  await writeFile(file, JSON.stringify(TABLE))
  expect(await read()).toEqual(TABLE)
})
