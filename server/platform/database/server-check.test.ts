import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { testDatabase } from '#tests/support/database.ts'
import { checkDatabaseServer, requireDatabaseServer } from './server-check.ts'

const database = await testDatabase()

test('a server that may lose confirmed commits is refused, except in tests', async () => {
  const { problems } = await checkDatabaseServer(database.pool)
  expect(problems).toEqual(
    ['fsync', 'full_page_writes'].map(
      name => `${name} is off: a power cut could lose confirmed transactions. Set ${name} = on.`,
    ),
  )
  await expect(requireDatabaseServer(database.pool, readConfig({}))).rejects.toThrow(
    'The database cannot be used.',
  )
  expect(
    await requireDatabaseServer(database.pool, readConfig({ ALLOW_UNSAFE_DATABASE: 'yes' })),
  ).toMatch(/^\d+/)
})
