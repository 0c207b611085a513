/** Keys of programs, lines 70 to 75 of docs/security.md: what they open, what they can spend at most, and that they end at once. */
import { expect, onTestFinished, test } from 'vitest'
import { setUserActivation } from '#contract/accounts.ts'
import { createKey, currentKey, deleteKey, listKeys, rotateKey } from '#contract/api-keys.ts'
import type { NewApiKey } from '#contract/api-keys.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch, retryFailedLabels } from '#contract/batches.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { MAX_KEYS, SCOPES } from '#contract/keys.ts'
import { labelDetails } from '#contract/order-details.ts'
import { placeOrder, totalOrders } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { formatKey, KEY_BYTES } from '#server/accounts/key-format.ts'
import { authenticate } from '#server/accounts/sessions.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { stopClock } from '#tests/support/stopped-clock.ts'
import { KEY_SCOPES } from './key-scopes.ts'

const app = await testApp({ env: { KEY_CALLS_PER_MINUTE: '250' } })
const admin = await app.admin()

type KeyOptions = { scopes?: (typeof SCOPES)[number][]; dailyLimit?: number; name?: string }
async function makeKey(of: TestUser, options: KeyOptions = {}): Promise<NewApiKey> {
  const { scopes = [...SCOPES], name = 'Warehouse', dailyLimit } = options
  const { status, body } = await app.call(
    createKey,
    { params: { userId: of.user._id }, body: { name, scopes, dailyLimit } },
    of.token,
  )
  expect(status, body.message).toBe(200)
  return body
}
async function seller(dollars = 0): Promise<TestUser> {
  const visitor = await app.register()
  if (dollars > 0) await app.creditDollars(visitor.user._id, dollars)
  return visitor
}
/** A label of $9.50 by key or session. */
const buy = (of: TestUser, token: string, street2 = '') =>
  app.call(
    placeOrder,
    { body: singleOrderBody(of.user._id, { receiver: { receiver_address2: street2 } }) },
    token,
  )
const spentToday = async (of: TestUser) =>
  (await app.call(listKeys, { params: { userId: of.user._id } }, of.token)).body.keys[0]!.spentToday
const bulk = async (of: TestUser, token: string, count: number, refused = 0) => {
  const body = { userId: of.user._id }
  const { orderId } = (await app.call(initBatch, { body }, token)).body
  const orderData = rows(count, n => (n <= refused ? { ToStreet2: 'SANDBOX REFUSE' } : {}))
  const input = { params: body, body: { orderId, orderData } }
  return { orderId, ...(await app.call(processBatch, input, token)) }
}
const ended = async (of: TestUser, orderId: string): Promise<void> => {
  await expect
    .poll(async () =>
      isTerminal((await app.call(batchStatus, { params: { orderId } }, of.token)).body.status),
    )
    .toBe(true)
}

test('70 a key is shown once; the database has its hash alone', async () => {
  const ana = await seller()
  const made = await makeKey(ana, { name: '  Shop   plug-in ' })
  expect(made).toMatchObject({ name: 'Shop plug-in', prefix: 'evp_test_', lastUsedAt: null })
  expect(made.key.slice(0, 9) + made.key.slice(-4)).toBe(made.prefix + made.last4)
  const { keys } = (await app.call(listKeys, { params: { userId: ana.user._id } }, ana.token)).body
  const { key, ...shown } = made
  expect(keys).toEqual([shown])
  const { rows: stored } = await app.database.pool.query<{ line: string }>(
    'select k::text as line from api_key k union all select detail::text from audit_entry',
  )
  expect(stored.filter(({ line }) => line.includes(key.slice(9, 39)))).toEqual([])
})

test('a key is taken from the header token, Bearer, or the user name of Basic', async () => {
  const ana = await seller()
  const { key } = await makeKey(ana)
  const basic = Buffer.from(`${key}:`).toString('base64')
  for (const headers of [
    { token: key },
    { authorization: `Bearer ${key}` },
    { authorization: `Basic ${basic}` },
  ])
    expect((await app.send({ method: 'GET', url: '/api/key', headers })).statusCode).toBe(200)
  // A download by a program needs no cookie.
  const url = `/api/orders/export/${ana.user._id}?format=csv`
  const file = await app.send({ method: 'GET', url, headers: { authorization: `Bearer ${key}` } })
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  // Live connections are of pages, with a session.
  expect(await authenticate(app.ctx)(key)).toBeNull()
})

test('a mistyped key and one of a live site are refused with a sentence', async () => {
  const told = async (key: string) => {
    const { status, body } = await app.call(currentKey, {}, key)
    return [status, body.code, body.message]
  }
  const key = formatKey('test', new Uint8Array(KEY_BYTES).fill(7))
  expect(await told(key.slice(0, -1))).toEqual([
    401,
    'key_not_valid',
    'This API key is mistyped or incomplete',
  ])
  expect(await told(key)).toEqual([401, 'key_not_valid', 'There is no such API key'])
  expect((await told(formatKey('live', new Uint8Array(KEY_BYTES).fill(7))))[2]).toBe(
    'This is a live key. This site is a sandbox: its keys begin with evp_test_',
  )
})

const nameOf = (call: Endpoint) => `${call.method} ${call.path}`

test('71 what a key needs for each call is in the table of scopes', () => {
  const declared = app.router.calls
    .filter(({ scope }) => scope !== undefined)
    .map(call => [nameOf(call), call.scope!])
  const table = Object.entries(KEY_SCOPES).flatMap(([scope, names]) =>
    names.map(name => [name, scope]),
  )
  const known = new Set(app.router.calls.map(nameOf))
  expect(
    Object.fromEntries(declared),
    'a new call for keys is entered in tests/security/key-scopes.ts',
  ).toEqual(Object.fromEntries(table.filter(([name]) => known.has(name!))))
  const never = app.router.calls.filter(call => call.scope !== undefined && isInPerson(call))
  expect(never.map(nameOf), 'calls that a key could make in the place of a person').toEqual([])
})

/** Calls that a user makes in person, with a proof, or as an administrator. */
const isInPerson = (call: Endpoint): boolean =>
  call.access === 'admin'
  || call.access === 'anyone'
  || call.proof === true
  || call.refusesImpersonation === true
  || /^\/api\/(keys|admin|auth\/(account|factors|sessions|email|users|verify|logout|proof))/.test(
    call.path,
  )

test.each([
  [{ name: ' ' }, 'name', 'required'],
  [{ name: 'x'.repeat(61) }, 'name', 'too_long'],
  [{ name: 'a\u202eb' }, 'name', 'character_not_printable'],
  [{ scopes: [] }, 'scopes', 'required'],
  [{ dailyLimit: 0 }, 'dailyLimit', 'below_limit'],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'time_passed'],
])('a key with %o is refused', async (wrong, field, code) => {
  const ana = await seller()
  const body = { name: 'Shop', scopes: [...SCOPES], ...wrong }
  const answer = await app.call(createKey, { params: { userId: ana.user._id }, body }, ana.token)
  expect([answer.status, Object.keys(answer.body.errors ?? {}), answer.body.codes]).toEqual([
    422,
    [field],
    { [field]: code },
  ])
})

test('a user has at most 20 keys, also when they are made at the same moment', async () => {
  const ana = await seller()
  const input = {
    params: { userId: ana.user._id },
    body: { name: 'Shop', scopes: [...SCOPES] },
  }
  const answers = await Promise.all(
    Array.from({ length: MAX_KEYS + 5 }, () => app.call(createKey, input, ana.token)),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...Array(MAX_KEYS).fill(200), ...Array(5).fill(409)])
  expect(answers.find(({ status }) => status === 409)!.body.code).toBe('limit_reached')
})

test('a rotated key works beside the new one until its grace ends, and is rotated once', async () => {
  const ana = await seller()
  const old = await makeKey(ana, { scopes: ['books'], dailyLimit: 50 })
  const rotate = (keyId: string, graceHours: number) =>
    app.call(
      rotateKey,
      { params: { userId: ana.user._id, keyId }, body: { graceHours } },
      ana.token,
    )
  const { body: next } = await rotate(old._id, 24)
  expect(next).toMatchObject({ name: old.name, scopes: ['books'], dailyLimit: 50 })
  const opens = async (key: string) => (await app.call(currentKey, {}, key)).status
  expect([await opens(old.key), await opens(next.key)]).toEqual([200, 200])
  expect((await rotate(old._id, 24)).body.code).toBe('already_done')
  const { keys } = (await app.call(listKeys, { params: { userId: ana.user._id } }, ana.token)).body
  const shown = keys.find(({ _id }) => _id === old._id)!
  expect(shown.replacedBy).toBe(next._id)
  const graceMs = new Date(shown.expiresAt!).getTime() - new Date(next.createdAt).getTime()
  expect(graceMs).toBe(24 * 3_600_000)
  // Rotating the new one ends the oldest: two keys work at most.
  const { body: newest } = await rotate(next._id, 168)
  expect([await opens(old.key), await opens(next.key), await opens(newest.key)]).toEqual([
    401, 200, 200,
  ])
})

test('72 a deleted key and one of a blocked user open nothing from the next call on', async () => {
  const ana = await seller()
  const [first, second] = [await makeKey(ana), await makeKey(ana)]
  const params = { userId: ana.user._id }
  const opens = async (key: string) => (await app.call(currentKey, {}, key)).status
  expect([await opens(first.key), await opens(second.key)]).toEqual([200, 200])
  await app.call(deleteKey, { params: { ...params, keyId: first._id } }, ana.token)
  expect([await opens(first.key), await opens(second.key)]).toEqual([401, 200])
  const block = (activation: 'block' | 'allow') =>
    app.call(setUserActivation, { params, body: { activation } }, admin.token)
  await block('block')
  expect(await opens(second.key)).toBe(401)
  await block('allow')
  expect([await opens(first.key), await opens(second.key)]).toEqual([401, 200])
})

test('73 of 100 parallel purchases a key with a daily limit pays for as many as fit', async () => {
  const ana = await seller(2_000)
  const { key } = await makeKey(ana, { dailyLimit: 100 })
  const answers = await Promise.all(Array.from({ length: 100 }, () => buy(ana, key)))
  const bought = answers.filter(({ status }) => status === 200 || status === 202)
  expect(bought).toHaveLength(10)
  const refused = answers.filter(({ status }) => status === 402)
  expect(refused).toHaveLength(90)
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['daily_limit_reached']))
  expect(refused[0]!.body.message).toMatch(/\$100\.00 a day and has \$5\.00 left/)
  const { totalOrders: orders } = (
    await app.call(totalOrders, { params: { userId: ana.user._id } }, ana.token)
  ).body
  expect([orders, await spentToday(ana)]).toEqual([10, 95])
  // The user is not limited.
  expect((await buy(ana, ana.token)).status).toBe(200)
})

test('bulk orders, single labels and retries of a key share its limit, whole bulk orders at once', async () => {
  const ana = await seller(2_000)
  const { key } = await makeKey(ana, { dailyLimit: 40 })
  // Rows are $6.50 each.
  const tooMuch = await bulk(ana, key, 7)
  expect([tooMuch.status, tooMuch.body.code]).toEqual([402, 'daily_limit_reached'])
  const { orderId, status } = await bulk(ana, key, 5, 2)
  expect(status).toBe(202)
  await ended(ana, orderId)
  // Two of five labels were refused: $13 are back.
  expect(await spentToday(ana)).toBe(19.5)
  const retry = (token: string) =>
    app.call(retryFailedLabels, { params: { orderId }, query: {} }, token)
  expect((await retry(key)).status).toBe(200)
  await ended(ana, orderId)
  expect(await spentToday(ana)).toBe(19.5)
  expect((await buy(ana, key)).status).toBe(200)
  expect((await buy(ana, key)).status).toBe(200)
  const over = await retry(key)
  expect([over.status, over.body.code]).toEqual([402, 'daily_limit_reached'])
  expect((await retry(ana.token)).status).toBe(200)
  await ended(ana, orderId)
  // What the user retried was not the key's, and gives it nothing back.
  expect(await spentToday(ana)).toBe(38.5)
})

test('a refused label gives its price back, a voided one does not; rotating brings no new money, a new day does', async () => {
  const ana = await seller(200)
  const { key, _id } = await makeKey(ana, { dailyLimit: 20 })
  expect((await buy(ana, key, 'SANDBOX REFUSE')).status).toBe(422)
  expect(await spentToday(ana)).toBe(0)
  const { body } = await buy(ana, key)
  expect((await app.call(voidOrder, { params: { orderId: body.data.orderId } }, key)).status).toBe(
    200,
  )
  expect(await spentToday(ana)).toBe(9.5)
  const rotated = await app.call(
    rotateKey,
    { params: { userId: ana.user._id, keyId: _id }, body: { graceHours: 1 } },
    ana.token,
  )
  expect((await buy(ana, rotated.body.key)).status).toBe(200)
  expect([(await buy(ana, key)).status, (await buy(ana, rotated.body.key)).status]).toEqual([
    402, 402,
  ])
  await app.database.pool.query(`update api_key_spending set day = day - 1 where first_id = $1`, [
    _id,
  ])
  expect((await buy(ana, rotated.body.key)).status).toBe(200)
  expect(await spentToday(ana)).toBe(9.5)
})

test('an order that began before midnight counts for that day alone, and is given back to it', async () => {
  const ana = await seller(200)
  const { key } = await makeKey(ana, { dailyLimit: 50 })
  expect((await buy(ana, key)).status).toBe(200)
  const ben = await seller(200)
  const { key: keyOfBen } = await makeKey(ben, { dailyLimit: 50 })
  const isTheirs = `new.user_id in (${Number(ana.user._id)}, ${Number(ben.user._id)})`
  await app.database.owner.pool.query(`
    create function began_yesterday() returns trigger language plpgsql as $$ begin
      if tg_table_name = 'batch' then new.accepted_at := new.accepted_at - interval '1 day';
      else new.created_at := new.created_at - interval '1 day'; end if;
      return new;
    end $$;
    create trigger began_yesterday before insert on shipment_order for each row
      when (${isTheirs}) execute function began_yesterday();
    create trigger began_yesterday before update on batch for each row
      when (${isTheirs} and old.accepted_at is null) execute function began_yesterday()`)
  // The first order of a user is counted by the day that its row has.
  expect((await buy(ben, keyOfBen, 'SANDBOX REFUSE')).status).toBe(422)
  expect(await spentToday(ben)).toBe(0)
  const { orderId, status } = await bulk(ana, key, 2, 1)
  expect(status).toBe(202)
  await ended(ana, orderId)
  expect(await spentToday(ana)).toBe(9.5)
})

test('a repeated order of the same Idempotency-Key counts once', async () => {
  const ana = await seller(200)
  const { key } = await makeKey(ana, { dailyLimit: 10 })
  const order = () =>
    app.send({
      method: 'POST',
      url: placeOrder.path,
      headers: { token: key, 'idempotency-key': 'order-1001' },
      payload: singleOrderBody(ana.user._id),
    })
  const answers = await Promise.all([order(), order(), order()])
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(await spentToday(ana)).toBe(9.5)
})

test('74 a label tells its owner the key, and the audit who did what by which key', async () => {
  const ana = await seller(200)
  const { key } = await makeKey(ana, { name: 'Shop plug-in' })
  const single = (await buy(ana, key)).body.data.orderId
  const { orderId: batchId } = await bulk(ana, key, 1)
  await ended(ana, batchId)
  const own = (await buy(ana, ana.token)).body.data.orderId
  await app.call(voidOrder, { params: { orderId: single } }, key)
  const { rows: labels } = await app.database.pool.query<{ id: string }>(
    'select id from shipment_order where batch_id = $1',
    [batchId],
  )
  const keyOf = async (orderId: string) =>
    (await app.call(labelDetails, { params: { orderId } }, ana.token)).body.apiKey
  expect([await keyOf(single), await keyOf(String(labels[0]!.id)), await keyOf(own)]).toEqual([
    'Shop plug-in',
    'Shop plug-in',
    null,
  ])
  const { entries } = (
    await app.call(listAuditEntries, { query: { userId: ana.user._id, limit: 50 } }, admin.token)
  ).body
  const texts = entries.map(({ text }) => text)
  expect(texts).toContain(`Requested a void of label ${single}, by API key Shop plug-in`)
  expect(texts).toContain('Request: POST /api/orders/v2, by API key Shop plug-in')
  expect(texts.find(text => text.startsWith('Created the API key Shop plug-in'))).toBeDefined()
})

test('calls with a key count by key: every answer tells how many are left, and the next one waits', async () => {
  const ana = await seller()
  const [{ key }, other] = [await makeKey(ana), await makeKey(ana)]
  const address = '192.0.2.44'
  onTestFinished(stopClock())
  const answers = await Promise.all(
    Array.from({ length: 250 }, () => app.call(currentKey, {}, key, address)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toContain(
    '"default";q=250;w=60',
  )
  const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))![1]))
  expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, n) => n))
  const over = await app.call(currentKey, {}, key, address)
  expect([over.status, over.body.code]).toEqual([429, 'rate_limited'])
  expect(over.headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/)
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  expect((await app.call(currentKey, {}, other.key, address)).status).toBe(200)
})

test('75 wrong keys count by address: guessing ends after 300 a minute, and keys in use and other addresses go on', async () => {
  const ana = await seller()
  const [{ key }, used] = [await makeKey(ana), await makeKey(ana)]
  const address = '192.0.2.45'
  onTestFinished(stopClock())
  const wrong = formatKey('test', new Uint8Array(KEY_BYTES).fill(9))
  const guess = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        app.call(currentKey, {}, `${wrong.slice(0, -6)}${String(n).padStart(6, '0')}`, address),
      ),
    )
  const statusesOf = (answers: { status: number }[]) => [...new Set(answers.map(a => a.status))]
  expect((await app.call(currentKey, {}, used.key, address)).status).toBe(200)
  expect(statusesOf(await guess(300))).toEqual([401])
  expect(statusesOf(await guess(10))).toEqual([429])
  expect((await app.call(currentKey, {}, key, address)).status).toBe(429)
  expect((await app.call(currentKey, {}, used.key, address)).status).toBe(200)
  expect((await app.call(currentKey, {}, key)).status).toBe(200)
})
