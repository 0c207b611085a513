/** What one user keeps or queues holds up no other. No jobs run here. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'
import { selectEvents } from './event-store.ts'
import { claimQueuedShipments } from './shipment-store.ts'

const app = await testApp({ env: { ROLE: 'web' } })
const { pool } = app.database
const ROW = { ...SHIPMENT, service: 'Priority' }

async function seller() {
  const user = await app.register()
  return { userId: Number(user.user._id), client: await easypostClient(app, user) }
}
/** As many more as the one that the user has. */
const copyShipments = (userId: number, count: number) =>
  pool.query(
    `insert into api_shipment (user_id, sender, receiver, parcel, rates, batch_id, batch_service, batch_state, buy_after)
      select user_id, sender, receiver, parcel, rates, batch_id, batch_service, batch_state, buy_after
        from api_shipment, generate_series(1, $2) where user_id = $1`,
    [userId, count],
  )

test('a long queue of one user delays no other, and has an end', async () => {
  const [many, few] = [await seller(), await seller()]
  const batch = await many.client.Batch.create({ shipments: [ROW] })
  await many.client.Batch.buy(batch.id)
  await copyShipments(many.userId, 4_998)
  const more = [
    await many.client.Batch.create({ shipments: [ROW] }),
    await many.client.Batch.create({ shipments: [ROW] }),
  ]
  const ends = await Promise.allSettled(more.map(({ id }) => many.client.Batch.buy(id)))
  const refused = ends.filter(end => end.status === 'rejected')
  expect(refused.map(({ reason }) => String(reason))).toEqual([expect.stringContaining('5,000')])
  const single = await few.client.Batch.create({ shipments: [ROW] })
  await few.client.Batch.buy(single.id)
  const claims = await app.database.tx(tx => claimQueuedShipments(tx, 4, 60_000))
  expect(claims).toHaveLength(4)
  expect(claims.filter(({ userId }) => userId === few.userId)).toHaveLength(1)
})

test('shipments made in batches count for the limit of drafts', async () => {
  const { userId, client } = await seller()
  await client.Shipment.create(SHIPMENT)
  await copyShipments(userId, 10_005)
  await client.Batch.create({ shipments: Array(64).fill(ROW) })
  const { rows } = await pool.query(
    'select count(*)::int as drafts from api_shipment where user_id = $1',
    [userId],
  )
  expect(rows).toEqual([{ drafts: 10_000 }])
})

test('of batches without shipments only the newest 1,000 of a user are kept', async () => {
  const { userId, client } = await seller()
  const addEmpty = async (count: number): Promise<number> => {
    const { rows } = await pool.query<{ id: number }>(
      'insert into api_batch (user_id) select $1 from generate_series(1, $2) returning id',
      [userId, count],
    )
    return Math.max(...rows.map(({ id }) => Number(id)))
  }
  const last = await addEmpty(1_100)
  // The limit is enforced by the batch of each 64th id.
  await addEmpty(63 - (last % 64))
  const { id } = await client.Batch.create({})
  const { rows } = await pool.query<{ count: number; newest: string }>(
    `select count(*)::int as count, max(key::text) filter (where id = (select max(id) from api_batch)) as newest
      from api_batch where user_id = $1`,
    [userId],
  )
  expect(rows[0]!.count).toBe(1_000)
  expect(id).toBe(`batch_${rows[0]!.newest.replaceAll('-', '')}`)
})

test('events of a user are listed once and in pages, and those of others are not read', async () => {
  const users = [await seller(), await seller()]
  for (const { userId } of [...users, users[0]!])
    await pool.query(
      `insert into webhook_endpoint (user_id, url, types, bulk_rows, format, secret)
        values ($1, 'https://hooks.example/', '{}', true, 'easypost', 'sealed')`,
      [userId],
    )
  await pool.query(`
    insert into webhook_delivery (endpoint_id, message_id, type, body, state)
      select e.id, md5(n || ' ' || e.user_id)::uuid, 'label.bought', n || ' ' || e.user_id, 'delivered'
        from generate_series(1, 3000) n, webhook_endpoint e
        where e.user_id = ${users[1]!.userId} or n <= 5 order by n, e.id`)
  await app.database.owner.tx(tx => sql`analyze webhook_delivery`.execute(tx))
  const { userId } = users[0]!
  const page = (size: number, before: number | null, after: number | null) =>
    app.database.tx(async tx => {
      const found = await selectEvents(tx, userId, { size, before, after, from: null, to: null })
      const { rows } = await sql<{ read: number }>`
        select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
          where relname = 'webhook_delivery'`.execute(tx)
      expect(rows[0]!.read).toBeLessThan(200)
      return found
    })
  const textsOf = ({ events }: { events: { body: string }[] }) =>
    events.map(({ body }) => Number.parseInt(body))
  const [all, first] = [await page(10, null, null), await page(2, null, null)]
  expect([textsOf(all), all.hasMore]).toEqual([[5, 4, 3, 2, 1], false])
  expect([textsOf(first), first.hasMore]).toEqual([[5, 4], true])
  expect(textsOf(await page(2, first.events[1]!.id, null))).toEqual([3, 2])
  expect(textsOf(await page(2, null, all.events[4]!.id))).toEqual([3, 2])
  expect(textsOf(await page(10, null, all.events[3]!.id))).toEqual([5, 4, 3])
})

test('a page of long events ends early and says that there are more', async () => {
  const { userId } = await seller()
  const { rows } = await pool.query<{ id: string }>(
    `insert into webhook_endpoint (user_id, url, types, bulk_rows, format, secret)
      values ($1, 'https://hooks.example/', '{}', true, 'easypost', 'sealed') returning id`,
    [userId],
  )
  await pool.query(
    `insert into webhook_delivery (endpoint_id, message_id, type, body, state)
      select $1, gen_random_uuid(), 'easypost.batch', rpad(n::text || ' ', 1000, 'x'), 'delivered' from generate_series(1, 5) n`,
    [rows[0]!.id],
  )
  const page = async (before: number | null, after: number | null, mostBytes: number) => {
    const { db } = app.database
    const request = { size: 100, before, after, from: null, to: null }
    const { events, hasMore } = await selectEvents(db, userId, request, mostBytes)
    return { hasMore, events, texts: events.map(({ body }) => Number.parseInt(body)) }
  }
  const first = await page(null, null, 1_500)
  expect(first).toMatchObject({ texts: [5, 4], hasMore: true })
  const last = first.events[1]!.id
  expect(await page(last, null, 1)).toMatchObject({ texts: [3], hasMore: true })
  expect(await page(last, null, 3_000)).toMatchObject({ texts: [3, 2, 1], hasMore: false })
  const oldest = last - 3
  expect(await page(null, oldest, 1_500)).toMatchObject({ texts: [3, 2], hasMore: true })
})

/** The statuses of `count` calls at once that all wait for a lock of `table`, and go on after a refusal. */
async function statusesWhileLocked(
  table: string,
  count: number,
  call: () => Promise<{ statusCode: number }>,
): Promise<number[]> {
  const blocker = await app.database.owner.pool.connect()
  await blocker.query(`begin; lock table ${table} in access exclusive mode`)
  const all = Array.from({ length: count }, call)
  try {
    const refused = await Promise.race(all)
    expect(refused.statusCode).toBe(429)
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
  return (await Promise.all(all)).map(({ statusCode }) => statusCode).toSorted()
}

test('lists of events and of batches wait for their turn, and too many at once are refused', async () => {
  const { token } = await app.register()
  const list = (url: string) => () => app.send({ url, headers: { token } })
  // Two are read, eight wait.
  const statuses = [...Array(10).fill(200), 429, 429]
  expect(
    await statusesWhileLocked('webhook_delivery', 12, list('/v2/events?page_size=100')),
  ).toEqual(statuses)
  expect(await statusesWhileLocked('api_batch', 12, list('/v2/batches'))).toEqual(statuses)
})

test('of 43 batches that one user makes at once one is made and 40 wait; the others are refused', async () => {
  const { token } = await app.register()
  const create = () =>
    app.send({
      method: 'POST',
      url: '/v2/batches',
      headers: { token },
      payload: { batch: { shipments: [{}] } },
    })
  expect(await statusesWhileLocked('api_batch', 43, create)).toEqual([
    ...Array(41).fill(200),
    429,
    429,
  ])
})

test('a page of batches ends at 1,000 shipments and says that there are more', async () => {
  const { userId, client } = await seller()
  const made: string[] = []
  for (let n = 0; n < 3; n++) made.push((await client.Batch.create({ shipments: [{}] })).id)
  await copyShipments(userId, 500)
  const page = async (query: object) => {
    const { batches, has_more: hasMore } = await client.Batch.all(query)
    return [batches.map(({ id }: { id: string }) => made.indexOf(id)), hasMore]
  }
  expect(await page({})).toEqual([[2], true])
  expect(await page({ before_id: made[2] })).toEqual([[1], true])
  expect(await page({ before_id: made[1] })).toEqual([[0], false])
  expect(await page({ after_id: made[0] })).toEqual([[1], true])
  await client.Batch.create({})
  expect((await client.Batch.all()).batches).toHaveLength(2)
})

test('a fault of the database is no empty list of trackers', async () => {
  const { token } = await app.register()
  const list = async () =>
    (
      await app.send({
        url: '/v2/trackers?tracking_code=9400100000000000000000',
        headers: { token },
      })
    ).statusCode
  const rename = (from: string, to: string) =>
    app.database.owner.tx(tx =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx),
    )
  expect(await list()).toBe(200)
  await rename('shipment_order', 'shipment_order_away')
  const faulty = await list().finally(() => rename('shipment_order_away', 'shipment_order'))
  expect(faulty).toBe(500)
})
