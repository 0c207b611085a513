/** What a purchase writes into the table of orders (docs/decisions/0078-what-a-purchase-writes.md). */
import { expect, test } from 'vitest'
import { readMigrations } from '#server/platform/database/migrate.ts'
import { submitBatch, submitRows } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { startPurchaseWorker } from './worker.ts'

/** Each label with the page of the table that its row lies in. */
const pagesOf = async ({ database }: Simulation): Promise<unknown[]> =>
  (
    await database.owner.pool.query(
      'select id, (ctid::text::point)[0] as page from shipment_order order by id',
    )
  ).rows

const countNotBought = async ({ database }: Simulation): Promise<number> =>
  (await database.owner.pool.query(`select from shipment_order where state <> 'purchased'`))
    .rowCount!

test('a label that is bought stays in the page where it was ordered, so that its addresses are not logged again', () =>
  withSimulation({}, async simulation => {
    const [ana] = simulation.customerIds
    await setCustomerBalance(simulation, ana, 1_000_000)
    await submitBatch(simulation, ana, ['', ''])
    await submitRows(simulation, 48)
    const ordered = await pagesOf(simulation)
    expect(ordered).toHaveLength(50)
    const worker = startPurchaseWorker(simulation.ctx)
    await expect.poll(() => countNotBought(simulation)).toBe(0)
    await worker.stop()
    expect(await pagesOf(simulation)).toEqual(ordered)
  }))

test('what a purchase never changes stands behind what it changes', () =>
  withSimulation({}, async ({ database }) => {
    const { rows } = await database.owner.pool.query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = 'shipment_order'::regclass and attnum > 0 and not attisdropped order by attnum desc limit 9`,
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual([
      'item_ref',
      'items',
      'order_ref',
      'package',
      'pdf_key',
      'receiver',
      'sender',
      'service_name',
      'service_uid',
    ])
  }))

test('an upgrade moves no column of an installation that has orders', () =>
  withSimulation({}, async simulation => {
    const { pool } = simulation.database.owner
    const { sql } = (await readMigrations()).find(({ number }) => number === 62)!
    const place = async (): Promise<number> =>
      (
        await pool.query<{ place: number }>(
          `select attnum as place from pg_attribute where attrelid = 'shipment_order'::regclass and attname = 'receiver'`,
        )
      ).rows[0]!.place
    const without = await place()
    await pool.query(sql)
    const moved = await place()
    expect(moved).toBeGreaterThan(without)
    const [ana] = simulation.customerIds
    await setCustomerBalance(simulation, ana, 1_000_000)
    await submitBatch(simulation, ana, ['', ''])
    const orders = async () => (await pool.query('select * from shipment_order order by id')).rows
    const before = await orders()
    await pool.query(sql)
    expect(await place()).toBe(moved)
    expect(await orders()).toEqual(before)
  }))
