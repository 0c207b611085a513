import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { newUser } from '#tests/support/users.ts'
import { findOrderIds } from './lists.ts'

const database = await testDatabase()
const { pool } = database.owner
const ORDERS = 120_000
const seller = await newUser(database, 'seller')
await pool.query(
  `insert into order_list_entry (user_id, position, order_id, placed_at, search_words)
    select $1::bigint, n, n, now(), array_to_tsvector(array(
        select $1::bigint || ':' || word from (values ('mason', true), ('june', n % 10 = 0), ('sale', n > $2::int - 900),
          ('rivera', n % 5000 = 0)) w (word, is_there) where is_there))
      from generate_series(1, $2::int) n`,
  [seller, ORDERS],
)
await pool.query('insert into user_order_count (user_id, orders) values ($1, $2)', [seller, ORDERS])
await pool.query('vacuum (analyze) order_list_entry')

/** Every `step` orders until the newest, the newest first. */
const each = (step: number, many: number): number[] =>
  Array.from({ length: many }, (_, place) => ORDERS - step * place)

const search = (text: string, offset = 0) =>
  findOrderIds(database.db, seller, { offset, limit: 5 }, { search: text })

test('of a word of more than 10,000 orders only the newest orders are counted', async () => {
  const total = 5_000
  expect(await search('june')).toEqual({ ids: each(10, 5), total, more: true })
  expect((await search('june', 20)).ids).toEqual(each(10, 7 * 5).slice(20, 25))
  expect((await search('june', total)).ids).toHaveLength(5)
  expect(await search('june', total)).toMatchObject({ total: total + 5, more: true })
  expect(await search('mason')).toEqual({ ids: each(1, 5), total: 10_000, more: true })
})

test('a word of the newest orders alone is counted in full', async () => {
  expect(await search('sale')).toEqual({ ids: each(1, 5), total: 900, more: false })
})

test('a rare word is looked for alone, and frequent ones beside it are compared', async () => {
  expect(await search('rivera')).toEqual({ ids: each(5_000, 5), total: 24, more: false })
  expect(await search('mason rivera')).toEqual({ ids: each(5_000, 5), total: 24, more: false })
  expect(await search('june sale rivera')).toEqual({ ids: [ORDERS], total: 1, more: false })
  expect(await search('mason rivera otto')).toEqual({ ids: [], total: 0, more: false })
})
