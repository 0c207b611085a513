import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { requireSameMode } from './mode.ts'

const database = await testDatabase()

test('the first start sets a database to sandbox or live mode, and a start in the other mode is refused', async () => {
  await requireSameMode(database, 'sandbox')
  await requireSameMode(database, 'sandbox')
  await expect(requireSameMode(database, 'live')).rejects.toThrow(
    'This database was made for sandbox mode',
  )
})
