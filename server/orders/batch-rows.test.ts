/** Which statements and indexes read the rows of a bulk order. */
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { testDatabase } from '#tests/support/database.ts'
import { selectBatchRows, selectRetryable } from './batch-rows-store.ts'

const database = await testDatabase()

/** With one connection, so that it is asked what it has prepared. */
function openOne() {
  const { db, pool, close } = openDatabase(database.url, { max: 1 })
  onTestFinished(close)
  const prepared = async (part: string) =>
    (
      await pool.query<{ name: string; values: string }>(
        `select name, array_to_string(array_fill('null'::text, array[cardinality(parameter_types)]), ', ') as values
          from pg_prepared_statements where statement like $1`,
        [`%${part}%`],
      )
    ).rows
  return { db, pool, prepared }
}

test('any number of rows is read by one statement', async () => {
  const { db, prepared } = openOne()
  for (const count of [1, 2, 250]) expect(await selectBatchRows(db, 1, 0, count)).toEqual([])
  expect(await prepared('"row_no" >')).toHaveLength(1)
})

test('failed rows are found in their index by a plan for any values', async () => {
  const { db, pool, prepared } = openOne()
  await pool.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off')
  expect(await selectRetryable(db, 1, 0, 200)).toEqual([])
  const [found] = await prepared('"row_no" >')
  const { rows } = await pool.query(`explain execute ${found!.name}(${found!.values})`)
  expect(JSON.stringify(rows)).toContain('order_not_purchased')
})
