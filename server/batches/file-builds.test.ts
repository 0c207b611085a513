/** A build of files whose process stood still, beside a retry of the same bulk order. */
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import {
  endBatch,
  lockBatches,
  renewFileLease,
  startFileBuild,
  startRetry,
  updateFrozenCounts,
} from './store.ts'
import type { BatchRecord } from './store.ts'

const database = await testDatabase()
const { tx, pool } = database

/** A bulk order of this customer with a failed row, as the build of its files has read it. */
async function building(of: string): Promise<BatchRecord> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into batch (user_id, status, total_count, accepted_at)
      values ($1, 'completed_with_errors', 2, now()) returning id`,
    [await newUser(database, of)],
  )
  const { id } = rows[0]!
  return tx(async trx => {
    await updateFrozenCounts(trx, id, 'completed_with_errors', 2, 1)
    await startFileBuild(trx, id, 'completed_with_errors', 6_000)
    return (await lockBatches(trx, [id]))[0]!
  })
}

const end = ({ id, changeCount }: BatchRecord): Promise<void> =>
  tx(trx =>
    endBatch(trx, id, {
      status: 'completed',
      changeCount,
      processed: 2,
      failed: 0,
      pdfName: null,
      resultName: null,
      confirmName: null,
    }),
  )

const stored = async ({ id }: BatchRecord) =>
  (
    await pool.query(
      'select files_stale as stale, work_lease_until is not null as leased from batch where id = $1',
      [id],
    )
  ).rows[0]

test('files of a build that began before a retry are built again', async () => {
  const early = await building('Ana')
  await tx(trx => startRetry(trx, early.id, 2))
  const [late] = await tx(trx => lockBatches(trx, [early.id]))
  await end(late!)
  expect(await stored(early)).toMatchObject({ stale: false })
  await end(early)
  expect(await stored(early)).toMatchObject({ stale: true })
})

test('a renewal that arrives when the build has ended leases nothing', async () => {
  const batch = await building('Ben')
  const renew = () => tx(trx => renewFileLease(trx, batch.id, 6_000))
  await renew()
  expect(await stored(batch)).toMatchObject({ leased: true })
  await end(batch)
  await renew()
  expect(await stored(batch)).toMatchObject({ leased: false })
})
