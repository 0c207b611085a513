// Lists use optimized queries; here each is compared with a plain query of the whole table.
import { expect, test } from 'vitest'
import type { AdminOrderFilter } from '#contract/orders-admin.ts'
import type { CustomerOrderFilter } from '#contract/orders.ts'
import { exportOrders, findIdsOfPage, findOrdersWithUsers } from '#server/admin/orders-service.ts'
import { findOrderIds, findOrdersInOrder } from '#server/orders/lists.ts'
import { testDatabase } from '#tests/support/database.ts'
import { fillDatabase } from './fill.ts'

const database = await testDatabase()
const { db, pool } = database
const LABELS = 55_000
await fillDatabase(database.owner.url, { users: 20, labels: LABELS })

const ids = async (where: string): Promise<number[]> =>
  (
    await pool.query<{ id: number }>(
      `select id from shipment_order where ${where} order by id desc`,
    )
  ).rows.map(row => row.id)
const OF_FIRST = 'user_id = (select min(user_id) from shipment_order)'
const [{ user }] = (
  await pool.query(`select user_id as user from shipment_order where ${OF_FIRST} limit 1`)
).rows as [{ user: number }]
const orderIds = await ids(OF_FIRST)

async function getOrdersPage(...given: Parameters<typeof findOrderIds>) {
  const { ids: found, ...page } = await findOrderIds(...given)
  return { orders: await findOrdersInOrder(db, found), ...page }
}

async function ordersPage(...given: Parameters<typeof findIdsOfPage>) {
  const { ids: found, ...page } = await findIdsOfPage(...given)
  return { orders: await findOrdersWithUsers(db, found), ...page }
}

test('any page of a seller’s labels equals that part of the whole list', async () => {
  for (const offset of [
    0,
    7,
    5_000,
    orderIds.length - 10,
    orderIds.length - 3,
    orderIds.length,
    orderIds.length + 50,
  ]) {
    const { orders, total, more } = await getOrdersPage(db, user, { offset, limit: 10 })
    expect(orders.map(order => order.id)).toEqual(orderIds.slice(offset, offset + 10))
    expect([total, more]).toEqual([orderIds.length, false])
  }
})

test.each([
  ['june', `receiver ->> 'name' ilike 'june %'`],
  ['JUNE hal', `receiver ->> 'name' ilike 'june hal%'`],
  ['jose', `receiver ->> 'name' like 'José %'`],
  ['mason rivlowick', `receiver ->> 'name' ilike '% rivlowick'`],
  ['0079', `order_ref like '%-0079%' or tracking_number like '%0079' or id = 79`],
  ['111-000', `order_ref ~ '(^|-)111' and order_ref ~ '(^|-)000'`],
  ['nobody', 'false'],
])('a search for %j finds what fits, newest first', async (search, fits) => {
  const wanted = await ids(`${OF_FIRST} and (${fits})`)
  const { orders, total, more } = await getOrdersPage(
    db,
    user,
    { offset: 2, limit: 20 },
    { search },
  )
  expect(orders.map(order => order.id)).toEqual(wanted.slice(2, 22))
  expect([total, more]).toEqual([wanted.length, false])
})

test('a search that matches nearly all of 11,000 labels shows the newest ones and that there are more than 10,000', async () => {
  expect(orderIds.length).toBeGreaterThan(10_000)
  const { orders, total, more } = await getOrdersPage(
    db,
    user,
    { offset: 30, limit: 10 },
    { search: 'mason' },
  )
  expect(orders.map(order => order.id)).toEqual(orderIds.slice(30, 40))
  expect([total, more]).toEqual([10_000, true])
})

const THERE = (...statuses: string[]): string => `state in ('purchased', 'voiding')
  and id in (select order_id from parcel_tracking where status in (${statuses.map(status => `'${status}'`).join()}))`
const [WAITING, MOVING, PROBLEM] = [
  THERE('unknown', 'pre_transit'),
  THERE('in_transit', 'out_for_delivery', 'available_for_pickup'),
  THERE('return_to_sender', 'failure', 'cancelled'),
]

const moment = async (share: number): Promise<Date> =>
  (
    await pool.query<{ at: Date }>(
      `select created_at as at from shipment_order where id = ${Math.round(LABELS * share)}`,
    )
  ).rows[0]!.at
const [early, late] = [await moment(0.3), await moment(0.7)]
const [from, to] = [early.toISOString(), late.toISOString()]
// Times in the API have milliseconds.
const INSIDE = `created_at >= '${from}' and created_at < '${to}'::timestamptz + interval '1 millisecond'`
const [{ batchId, service }] = (
  await pool.query(
    `select batch_id as "batchId", service_uid as service from shipment_order
      where ${OF_FIRST} and batch_id is not null order by id limit 1`,
  )
).rows as [{ batchId: number; service: string }]

const INPUTS: [string, CustomerOrderFilter, string][] = [
  ['a status of two states', { status: 'cancelled' }, `state in ('failed', 'voided')`],
  [
    'a status of three states',
    { status: 'pending' },
    `state in ('queued', 'purchasing', 'unknown')`,
  ],
  ['the usual status', { status: 'completed' }, `state in ('purchased', 'voiding')`],
  ['parcels that wait', { parcel: 'waiting' }, WAITING],
  ['parcels on their way', { parcel: 'moving' }, MOVING],
  ['parcels that have come', { parcel: 'delivered' }, THERE('delivered')],
  ['parcels with a problem', { parcel: 'problem' }, PROBLEM],
  ['a place that the status excludes', { parcel: 'moving', status: 'cancelled' }, 'false'],
  [
    'a status and a name',
    { status: 'cancelled', search: 'june' },
    `state in ('failed', 'voided') and receiver ->> 'name' ilike 'june %'`,
  ],
  [
    'a place and a name',
    { parcel: 'moving', search: 'june' },
    `${MOVING} and receiver ->> 'name' ilike 'june %'`,
  ],
  ['a place and a name of them all', { parcel: 'problem', search: 'mason' }, PROBLEM],
  [
    'a status and a name of them all',
    { status: 'cancelled', search: 'mason' },
    `state in ('failed', 'voided')`,
  ],
  [
    'a status of three states and a name of them all',
    { status: 'pending', search: 'mason' },
    `state in ('queued', 'purchasing', 'unknown')`,
  ],
  [
    'the usual status and a name of them all',
    { status: 'completed', search: 'mason' },
    `state in ('purchased', 'voiding')`,
  ],
  [
    'the most frequent place and a name of them all',
    { parcel: 'delivered', search: 'mason' },
    THERE('delivered'),
  ],
  [
    'a bulk order and a name of them all',
    { batchId: String(batchId), search: 'mason' },
    `batch_id = ${batchId}`,
  ],
  ['a service and a name of them all', { service, search: 'mason' }, `service_uid = '${service}'`],
  ['a time and a name of them all', { from, to, search: 'mason' }, INSIDE],
  [
    'a place and one label',
    { parcel: 'delivered', search: `#${orderIds.at(-1)}` },
    `id = ${orderIds.at(-1)} and ${THERE('delivered')}`,
  ],
]

test.each(INPUTS)(
  'a seller’s labels narrowed to %s are those that the whole table has',
  async (_, input, where) => {
    const wanted = await ids(`${OF_FIRST} and ${where}`)
    for (const offset of [0, 7, Math.max(0, Math.min(9_000, wanted.length - 3)), wanted.length]) {
      const { orders, total, more } = await getOrdersPage(db, user, { offset, limit: 10 }, input)
      expect(orders.map(order => order.id)).toEqual(wanted.slice(offset, offset + 10))
      expectCount({ total, more }, wanted.length, orders.length && offset + orders.length)
    }
  },
)

/** Where words are read label by label, counting may stop sooner than at 10,000; not before `pageEnd`. */
function expectCount(
  { total, more }: { total: number; more: boolean },
  all: number,
  pageEnd: number,
): void {
  expect(total).toBeLessThanOrEqual(Math.min(10_000, all))
  expect(total).toBeGreaterThanOrEqual(Math.min(pageEnd, all, 10_000))
  if (!more) expect(total).toBe(all)
}

test('the seeded parcels have every stage, or the other tests show nothing', async () => {
  for (const where of [WAITING, MOVING, PROBLEM])
    expect((await ids(`${OF_FIRST} and ${where}`)).length).toBeGreaterThan(10)
})

const userId = String(user)

const FILTERS: [string, AdminOrderFilter, string][] = [
  ['nothing', {}, 'true'],
  ['a state that labels stay in', { state: 'failed' }, `state = 'failed'`],
  ['the usual state', { state: 'purchased' }, `state = 'purchased'`],
  ['a status of two states', { status: 'cancelled' }, `state in ('failed', 'voided')`],
  [
    'a status of three states',
    { status: 'pending' },
    `state in ('queued', 'purchasing', 'unknown')`,
  ],
  ['a state that the status excludes', { status: 'completed', state: 'failed' }, 'false'],
  ['a time', { from, to }, INSIDE],
  ['a time and a state', { from, to, state: 'voided' }, `${INSIDE} and state = 'voided'`],
  ['a user', { userId }, OF_FIRST],
  [
    'a user and a status',
    { userId, status: 'cancelled' },
    `${OF_FIRST} and state in ('failed', 'voided')`,
  ],
  ['parcels on their way', { parcel: 'moving' }, MOVING],
  ['parcels with a problem', { parcel: 'problem' }, PROBLEM],
  ['parcels with a problem, and their status', { parcel: 'problem', status: 'completed' }, PROBLEM],
  [
    'parcels with a problem that are being voided',
    { parcel: 'problem', state: 'voiding' },
    `${PROBLEM} and state = 'voiding'`,
  ],
  ['parcels of a time', { parcel: 'delivered', from, to }, `${THERE('delivered')} and ${INSIDE}`],
  ['parcels of a user', { parcel: 'waiting', userId }, `${WAITING} and ${OF_FIRST}`],
  [
    'parcels of a bulk order',
    { parcel: 'delivered', batchId: '7' },
    `${THERE('delivered')} and batch_id = 7`,
  ],
  [
    'parcels whose references begin so',
    { parcel: 'problem', search: '11' },
    `${PROBLEM} and (order_ref like '11%' or id = 11)`,
  ],
  [
    'parcels of a user by a name',
    { parcel: 'moving', userId, search: 'mason' },
    `${MOVING} and ${OF_FIRST}`,
  ],
  ['a bulk order', { batchId: '7' }, 'batch_id = 7'],
  [
    'the end of a tracking number',
    { search: '4321' },
    `tracking_number like '%4321' or id = 4321 or order_ref like '4321%'`,
  ],
  ['how a reference begins', { search: '112-00' }, `order_ref like '112-00%'`],
  ['how very many references begin', { search: '11' }, `order_ref like '11%' or id = 11`],
  [
    'how very many begin, and a state',
    { search: '11', state: 'failed' },
    `order_ref like '11%' and state = 'failed'`,
  ],
  [
    'a name of a user',
    { userId, search: 'june' },
    `${OF_FIRST} and receiver ->> 'name' ilike 'june %'`,
  ],
  [
    'a name that all labels of a user have, and a state',
    { userId, search: 'mason', state: 'voided' },
    `${OF_FIRST} and state = 'voided'`,
  ],
]

test.each(FILTERS)(
  'labels of all users narrowed to %s are those that the whole table has',
  async (_, filter, where) => {
    const wanted = await ids(where)
    for (const page of [1, 3, 400, Math.max(1, Math.ceil(wanted.length / 20))]) {
      const { orders, total, more } = await ordersPage(db, filter, page, 20)
      expect(orders.map(one => one.order.id)).toEqual(wanted.slice((page - 1) * 20, page * 20))
      if (Object.keys(filter).length === 0) expect([total, more]).toEqual([wanted.length, false])
      else
        expectCount(
          { total, more },
          wanted.length,
          orders.length && (page - 1) * 20 + orders.length,
        )
    }
  },
)

test.each(FILTERS.filter(([, , where]) => where !== 'true'))(
  'the export of %s has each of them once',
  async (_, filter, where) => {
    const found: number[] = []
    for await (const part of await exportOrders(db, filter, async () => {}))
      found.push(...part.map(({ order }) => order.id))
    expect(found).toEqual(await ids(where))
  },
)
