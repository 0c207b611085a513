import { expect, test } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { testApp } from '#tests/support/app.ts'
import { bulkOrdersOf } from '#tests/support/bulk-orders.ts'
import { rows } from '#tests/support/rows.ts'
import { countStatesForProgress } from './recent-counts.ts'

const app = await testApp()
const { seller, bought } = bulkOrdersOf(app)
const { db } = app.database

test('a large bulk order that many pages follow is counted once for all of them', async () => {
  const ana = await seller(10_000)
  const large = { id: Number(await bought(ana, rows(1_000))), total: 1_000 }
  // Connections of its own: what was counted for those of the server, while it ran, may be out of date.
  const own = openDatabase(app.database.url, { max: 1 })
  const counted = await Promise.all(
    Array.from({ length: 5 }, async () =>
      (await countStatesForProgress(own.db, [large])).get(large.id),
    ),
  ).finally(() => own.close())
  expect(counted[0]).toMatchObject({ purchased: 1_000, queued: 0, failed: 0 })
  for (const one of counted) expect(one).toBe(counted[0])
})

test('a small bulk order is counted at each request', async () => {
  const ana = await seller()
  const small = { id: Number(await bought(ana, rows(2))), total: 2 }
  const [first, second] = await Promise.all([
    countStatesForProgress(db, [small]),
    countStatesForProgress(db, [small]),
  ])
  expect(first.get(small.id)).toEqual(second.get(small.id))
  expect(first.get(small.id)).not.toBe(second.get(small.id))
})
