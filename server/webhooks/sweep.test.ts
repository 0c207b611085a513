/** What happens to messages that wait too long or in too great a number. There is no worker. */
import { expect, test } from 'vitest'
import { createWebhook, updateWebhook } from '#contract/webhooks.ts'
import { testApp } from '#tests/support/app.ts'
import { sweep } from './sweep.ts'

const app = await testApp({ env: { ROLE: 'web' } })
const { pool } = app.database
const ana = await app.register('Ana')

/** An endpoint for which `count` messages wait, the first for `days`. */
async function endpoint(count: number, days = 0): Promise<string> {
  const params = { userId: ana.user._id }
  const body = { url: 'https://hooks.example.com', types: ['deposit.settled' as const] }
  const { _id } = (await app.call(createWebhook, { params, body }, ana.token)).body
  await pool.query(
    `insert into webhook_delivery (endpoint_id, message_id, type, body, state, next_try_at, created_at)
      select $1, gen_random_uuid(), 'deposit.settled', n::text, 'waiting', now(), now() - $3 * interval '1 day'
        from generate_series(1, $2) n`,
    [_id, count, days],
  )
  return _id
}
const levels = async (id: string) =>
  (
    await pool.query(
      `select state, count(*)::int as count, min(body::int) as first, max(body::int) as last
        from webhook_delivery where endpoint_id = $1 group by state order by state`,
      [id],
    )
  ).rows

test('of the messages that wait for an endpoint the oldest beyond the limit are canceled', async () => {
  const [crowded, other] = [await endpoint(2_600), await endpoint(1_400)]
  await sweep(app.ctx, { mostWaiting: 1_400 })
  expect(await levels(crowded)).toEqual([
    { state: 'canceled', count: 1_200, first: 1, last: 1_200 },
    { state: 'waiting', count: 1_400, first: 1_201, last: 2_600 },
  ])
  expect(await levels(other)).toMatchObject([{ state: 'waiting', count: 1_400 }])
})

test('switching an endpoint off cancels all that waits, also what a process left behind', async () => {
  const off = await endpoint(1_200)
  const params = { userId: ana.user._id, webhookId: off }
  await app.call(updateWebhook, { params, body: { enabled: false } }, ana.token)
  expect(await levels(off)).toMatchObject([{ state: 'canceled', count: 1_200 }])
  const left = await endpoint(1_200)
  await pool.query(
    `update webhook_endpoint set enabled = false, off_reason = 'dead' where id = $1`,
    [left],
  )
  await sweep(app.ctx)
  expect(await levels(left)).toMatchObject([{ state: 'canceled', count: 1_200 }])
})

test('messages that waited for more days than their tries take have failed, however many', async () => {
  const late = await endpoint(1_200, 5)
  await sweep(app.ctx)
  expect(await levels(late)).toMatchObject([{ state: 'failed', count: 1_200 }])
})

test('of the deliveries of an endpoint the newest are kept, and all that wait', async () => {
  const [full, small] = [await endpoint(2_600), await endpoint(900)]
  await pool.query(
    `update webhook_delivery set state = 'delivered', next_try_at = null where endpoint_id in ($1, $2) and body::int > 10`,
    [full, small],
  )
  for (const id of [full, small]) await sweep(app.ctx, { mostKept: 1_000, minute: Number(id) % 60 })
  expect(await levels(full)).toEqual([
    { state: 'delivered', count: 1_000, first: 1_601, last: 2_600 },
    { state: 'waiting', count: 10, first: 1, last: 10 },
  ])
  expect(await levels(small)).toMatchObject([{ count: 890 }, { count: 10 }])
})
