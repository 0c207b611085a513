/** How messages become deliveries. No jobs run here. */
import { afterEach, expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import { openFanOut } from './fan-out.ts'
import { STANDARD_FORMAT } from './standard-format.ts'

const app = await testApp({ env: { ROLE: 'web' } })
const { pool, owner } = app.database
const formats = { standard: STANDARD_FORMAT, easypost: STANDARD_FORMAT }

async function userWithWebhooks(count: number): Promise<number> {
  const { user } = await app.register()
  await pool.query(
    `insert into webhook_endpoint (user_id, url, types, bulk_rows, format, secret)
      select $1, 'https://hooks.example/', '{deposit.settled,easypost.batch}', true, 'standard', 'sealed'
        from generate_series(1, $2)`,
    [user._id, count],
  )
  return Number(user._id)
}
type MessageParts = { type?: string; data?: object; at?: string; isBulkRow?: boolean }
const tell = (userId: number, { type, data, at, isBulkRow }: MessageParts = {}) =>
  pool.query(
    'insert into outbox (user_id, type, data, at, is_bulk_row) values ($1, $2, $3, coalesce($4, clock_timestamp()), $5)',
    [userId, type ?? 'deposit.settled', data ?? {}, at, isBulkRow ?? false],
  )
/** Its moment cannot be written into a body. */
const UNREADABLE = { at: 'infinity' }
const waiting = async () =>
  (await pool.query<{ n: number }>('select count(*)::int as n from outbox')).rows[0]!.n
const delivered = async (userId: number) =>
  (
    await pool.query<{ n: string; messages: string }>(
      `select count(*)::int as n, count(distinct message_id)::int as messages
        from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id where e.user_id = $1`,
      [userId],
    )
  ).rows[0]!

function fanOutNoting(
  limits: { messages: number; bulkRows: number; bytes: number },
  now?: () => number,
) {
  const errors: { message?: number }[] = []
  const log = { ...app.ctx.log, error: (facts: unknown) => void errors.push(facts as object) }
  const fanOut = openFanOut({ database: app.database, formats, log, meter: undefined }, limits, now)
  return { fanOut, errors }
}

test('messages are passed on by the bytes of their bodies, each once to each webhook', async () => {
  const userId = await userWithWebhooks(3)
  for (let n = 0; n < 5; n++) await tell(userId, { data: { text: 'x'.repeat(1_000) } })
  // Two messages for three webhooks fit.
  const { fanOut } = fanOutNoting({ messages: 100, bulkRows: 100, bytes: 7_000 })
  expect([await fanOut(false), await waiting()]).toEqual([true, 3])
  expect([await fanOut(false), await waiting()]).toEqual([true, 1])
  expect([await fanOut(false), await waiting()]).toEqual([false, 0])
  expect(await delivered(userId)).toEqual({ n: 15, messages: 5 })
})

test('a message with more bytes than a statement takes reaches each webhook', async () => {
  const userId = await userWithWebhooks(3)
  for (let n = 0; n < 2; n++) await tell(userId, { data: { text: 'x'.repeat(1_000) } })
  const { fanOut } = fanOutNoting({ messages: 100, bulkRows: 100, bytes: 10 })
  while (await fanOut(false));
  expect(await delivered(userId)).toEqual({ n: 6, messages: 2 })
})

test('a message that cannot be passed on is set aside where the operator sees it, and holds up no other', async () => {
  const [ana, bob] = [await userWithWebhooks(1), await userWithWebhooks(1)]
  for (const isBulkRow of [false, true]) {
    for (let n = 0; n < 20; n++) await tell(n % 3 === 0 ? ana : bob, { isBulkRow })
    for (let n = 0; n < 2; n++) await tell(ana, { ...UNREADABLE, isBulkRow })
    for (let n = 0; n < 20; n++) await tell(bob, { isBulkRow })
  }
  const { rows } = await pool.query<{ id: string }>(
    "select id from outbox where at = 'infinity' order by id",
  )
  const { fanOut, errors } = fanOutNoting({ messages: 100, bulkRows: 30, bytes: 1_000_000 })
  for (const areBulkRows of [false, true]) while (await fanOut(areBulkRows));
  expect(errors.map(({ message }) => message)).toEqual(rows.map(({ id }) => Number(id)))
  expect(await delivered(bob)).toMatchObject({ messages: 66 })
  expect(await delivered(ana)).toMatchObject({ messages: 14 })
  expect(await waiting()).toBe(4)

  // Neither it nor a restart stops what comes later.
  const restarted = fanOutNoting({ messages: 100, bulkRows: 30, bytes: 1_000_000 })
  await tell(bob)
  await fanOut(false)
  await tell(bob)
  while (await restarted.fanOut(false));
  expect(await delivered(bob)).toMatchObject({ messages: 68 })
})

const HOUR_MS = 60 * 60_000

test('a message is given up when it could not be passed on for four days, and not for its age', async () => {
  const userId = await userWithWebhooks(1)
  await tell(userId, { at: '-infinity' })
  let hours = 0
  const limits = { messages: 10, bulkRows: 10, bytes: 1_000 }
  const { fanOut, errors } = fanOutNoting(limits, () => hours * HOUR_MS)
  for (; hours < 96; hours++) while (await fanOut(false));
  expect([errors.length, await waiting()]).toEqual([96, 1])
  while (await fanOut(false));
  expect([errors.length, await waiting()]).toEqual([97, 0])
})

test('a message that failed once before days without a database is not given up at its next failure', async () => {
  const userId = await userWithWebhooks(1)
  await tell(userId, UNREADABLE)
  let hours = 0
  const limits = { messages: 10, bulkRows: 10, bytes: 1_000 }
  const { fanOut, errors } = fanOutNoting(limits, () => hours * HOUR_MS)
  await fanOut(false)
  hours = 200
  await fanOut(false)
  expect([errors.length, await waiting()]).toEqual([2, 1])
})

/** Storing deliveries of these messages fails with this SQLSTATE until `mend`. */
async function breakDeliveries(code: string, condition = 'true') {
  await owner.pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin
      raise exception 'fails' using errcode = '${code}'; end $$;
    create trigger fail before insert on webhook_delivery for each row when (${condition}) execute function fail()`)
}
const mend = () => owner.pool.query('drop function if exists fail() cascade')
afterEach(async () => {
  await mend()
  await pool.query('delete from outbox')
})
/** As the jobs do it: a fault ends a round, and the next one tries again. Returns what was thrown. */
async function runRounds(fanOut: (areBulkRows: boolean) => Promise<boolean>, count: number) {
  const thrown: unknown[] = []
  for (let n = 0; n < count; n++)
    await fanOut(false).catch((error: { code?: string }) => thrown.push(error.code))
  return thrown
}
const messagesInOrder = async (userId: number) =>
  (
    await pool.query<{ body: string }>(
      `select d.body from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
        where e.user_id = $1 order by d.id`,
      [userId],
    )
  ).rows.map(({ body }) => (JSON.parse(body) as { data: { n: number } }).data.n)

test.for([
  ['has no disk space', '53100'],
  ['has no memory', '53200'],
  ['cannot read a file', '58030'],
  ['is read-only', '25006'],
])(
  'while the database %s no message is set aside; then all are passed on, in order',
  async ([, code]) => {
    const userId = await userWithWebhooks(1)
    for (let n = 0; n < 12; n++) await tell(userId, { data: { n } })
    const { fanOut, errors } = fanOutNoting({ messages: 8, bulkRows: 8, bytes: 100_000 }, () => 0)
    await breakDeliveries(code!)
    expect(await runRounds(fanOut, 20)).toEqual(Array.from({ length: 20 }, () => code))
    await mend()
    await tell(userId, { data: { n: 12 } })
    while (await fanOut(false));
    expect(await messagesInOrder(userId)).toEqual(Array.from({ length: 13 }, (_, n) => n))
    expect([errors, await waiting()]).toEqual([[], 0])
  },
)

test.for([
  ['a statement', '57014'],
  ['a lock', '55P03'],
])('a time limit of %s sets no message aside at once', async ([, code]) => {
  const userId = await userWithWebhooks(1)
  for (let n = 0; n < 4; n++) await tell(userId, { data: { n } })
  const { fanOut, errors } = fanOutNoting({ messages: 4, bulkRows: 4, bytes: 100_000 }, () => 0)
  await breakDeliveries(code!)
  await runRounds(fanOut, 8)
  await mend()
  while (await fanOut(false));
  expect(await messagesInOrder(userId)).toEqual([0, 1, 2, 3])
  expect(errors).toEqual([])
})

test('one message that always takes too long does not hold up the others forever', async () => {
  const userId = await userWithWebhooks(1)
  for (let n = 0; n < 4; n++) await tell(userId, { data: { n } })
  const { fanOut, errors } = fanOutNoting({ messages: 4, bulkRows: 4, bytes: 100_000 }, () => 0)
  await breakDeliveries('57014', `new.body like '%"n":1}%'`)
  await runRounds(fanOut, 20)
  await mend()
  expect(await messagesInOrder(userId)).toEqual([0, 2, 3])
  expect([errors.length, await waiting()]).toEqual([1, 1])
})

test('when messages that all failed can be passed on again, those set aside wait no longer', async () => {
  const userId = await userWithWebhooks(1)
  for (let n = 0; n < 12; n++) await tell(userId, { data: { n } })
  const { fanOut, errors } = fanOutNoting({ messages: 4, bulkRows: 4, bytes: 100_000 }, () => 0)
  await breakDeliveries('P0001')
  // Then all wait, and there is nothing to try.
  await runRounds(fanOut, 30)
  expect([errors.length, await waiting()]).toEqual([12, 12])
  await mend()
  await tell(userId, { data: { n: 12 } })
  while (await fanOut(false));
  expect([(await messagesInOrder(userId)).length, await waiting()]).toEqual([13, 0])
})

test('many messages that can never be passed on are not tried again after each success of others', async () => {
  const userId = await userWithWebhooks(1)
  for (let n = 0; n < 12; n++) await tell(userId, UNREADABLE)
  const { fanOut, errors } = fanOutNoting({ messages: 4, bulkRows: 4, bytes: 100_000 }, () => 0)
  for (let n = 0; n < 4; n++) {
    await tell(userId, { data: { n } })
    await runRounds(fanOut, 30)
  }
  expect(await messagesInOrder(userId)).toEqual([0, 1, 2, 3])
  expect([errors.length, await waiting()]).toEqual([24, 12])
})

test('several messages that tell the state of one batch become one', async () => {
  const userId = await userWithWebhooks(1)
  const batch = (batchId: string, event: string) => ({
    type: 'easypost.batch',
    data: { batchId, event },
  })
  for (const told of [
    batch('1', 'created'),
    batch('1', 'updated'),
    batch('2', 'updated'),
    batch('1', 'updated'),
  ])
    await tell(userId, told)
  const { fanOut } = fanOutNoting({ messages: 10, bulkRows: 10, bytes: 10_000 })
  while (await fanOut(false));
  expect([await delivered(userId), await waiting()]).toEqual([{ n: 3, messages: 3 }, 0])
})
