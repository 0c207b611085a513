import { expect, test } from 'vitest'
import { findViolations } from '#server/ledger/service.ts'
import { testDatabase } from '#tests/support/database.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { fillDatabase } from './fill.ts'

const database = await testDatabase()
const select = async (text: string) =>
  (await database.pool.query<Record<string, unknown>>(text)).rows

const SCHEMA = `
  select pg_get_indexdef(indexrelid) as made, indisvalid as holds from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all
  select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), convalidated from pg_constraint
    where connamespace = 'public'::regnamespace
  union all
  select pg_get_triggerdef(oid), tgenabled = 'O' from pg_trigger where not tgisinternal
  order by 1`
const schemaBefore = await select(SCHEMA)

test('the books of a seeded database balance, also with its carrier', async () => {
  await fillDatabase(database.owner.url, { users: 50, labels: 500 })
  expect(await findViolations(database.db)).toEqual([])
  expect(await findDiscrepancies(database)).toEqual([])
  expect(
    await select(`select (select count(*) from app_user) as users, count(*) as labels, count(distinct user_id) as buyers,
    count(distinct state) as states from shipment_order`),
  ).toEqual([{ users: 50, labels: 500, buyers: 49, states: 3 }])
})

test('every seeded transfer fits its accounts, and its search words are those of an order', async () => {
  expect(
    await select(`select t.key from transfer t join transfer_rule r on r.kind = t.kind
      join account d on d.id = t.debit_account_id join account c on c.id = t.credit_account_id
      where d.kind <> r.debit_kind or c.kind <> r.credit_kind
        or coalesce(d.owner_id, t.owner_id) <> t.owner_id or coalesce(c.owner_id, t.owner_id) <> t.owner_id`),
  ).toEqual([])
  expect(
    await select(`select o.id from shipment_order o join order_list_entry e on e.order_id = o.id
      where e.search_words <> order_search_words(o.user_id, array[o.sender ->> 'name', o.receiver ->> 'name', o.order_ref])
        or e.reference is distinct from lower(o.order_ref)`),
  ).toEqual([])
})

test('every seeded label is in its owner’s list, ordered by time', async () => {
  expect(
    await select(`select 1 from shipment_order o left join order_list_entry e on e.order_id = o.id and e.user_id = o.user_id
      and e.placed_at = o.created_at where e.position is null`),
  ).toEqual([])
  expect(
    await select(`select 1 from (select position - row_number() over (partition by user_id order by placed_at, order_id) as off
      from order_list_entry) places where off <> 0`),
  ).toEqual([])
  expect(
    await select(
      'select 1 from user_order_count t where orders <> (select max(position) from order_list_entry e where e.user_id = t.user_id)',
    ),
  ).toEqual([])
})

test('indexes, constraints and triggers are there again, and a database with orders is not seeded', async () => {
  expect(await select(SCHEMA)).toEqual(schemaBefore)
  await expect(fillDatabase(database.url, { users: 1, labels: 10 })).rejects.toThrow(
    'seed an empty one',
  )
})
