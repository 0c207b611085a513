import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { readConfig } from './config.ts'
import { databaseFitness, demandFitDatabase, settleMode } from './fitness.ts'

const database = await testDatabase()

test('the first start decides whether a database is for play or for real, and no later start changes that', async () => {
  await settleMode(database, 'sandbox')
  await settleMode(database, 'sandbox')
  await expect(settleMode(database, 'live')).rejects.toThrow(
    'This database was made for sandbox mode',
  )
})

test('a server that may forget what it has confirmed is refused, unless for tests', async () => {
  const { faults } = await databaseFitness(database.pool)
  expect(faults).toEqual(
    ['fsync', 'full_page_writes'].map(
      name => `${name} is off: a power cut could lose labels that were paid for. Set ${name} = on.`,
    ),
  )
  await expect(demandFitDatabase(database.pool, readConfig({}))).rejects.toThrow(
    'The database cannot be used.',
  )
  expect(
    await demandFitDatabase(database.pool, readConfig({ ALLOW_UNSAFE_DATABASE: 'yes' })),
  ).toMatch(/^\d+/)
})
