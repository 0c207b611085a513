import { expect, test } from 'vitest'
import { labelDetails } from '#contract/order-details.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import {
  parcelPage,
  parcelPageSettings,
  saveParcelPageSettings,
  stopParcelMails,
} from '#contract/parcel-pages.ts'
import type { ParcelPageSettings } from '#contract/parcel-pages.ts'
import { openMailer } from '#server/platform/mail/mailer.ts'
import { secretKeyFrom } from '#server/platform/process/secret-key.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { linkIn, mailsTo } from '#tests/support/mail-outbox.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { sendReceiverMails } from './receiver-mails.ts'

const app = await testApp()
const { pool } = app.database

async function seller(settings?: ParcelPageSettings): Promise<TestUser> {
  const user = await app.register()
  await app.creditDollars(user.user._id, 100)
  if (settings) await save(user, settings)
  return user
}
const save = (user: TestUser, body: ParcelPageSettings) =>
  app.call(saveParcelPageSettings, { params: { userId: user.user._id }, body }, user.token)

/** A label with its page; `street2`: a command to the sandbox; `place`: where the receiver is, if not in Fresno. */
async function bought(
  user: TestUser,
  { street2 = '', email = '', place = {} } = {},
): Promise<{ id: string; path: string; token: string }> {
  const receiver = { receiver_address2: street2, receiver_email: email, ...place }
  const { status, body } = await app.call(
    placeOrder,
    { body: singleOrderBody(user.user._id, { receiver }) },
    user.token,
  )
  expect(status, body.message).toBe(200)
  const id = body.data.orderId
  const { order } = (await app.call(labelDetails, { params: { orderId: id } }, user.token)).body
  return { id, path: order.trackingPage!, token: order.trackingPage!.split('/').at(-1)! }
}
const page = (token: string, address?: string) =>
  app.call(parcelPage, { params: { link: token } }, undefined, address)
/** The sandbox has sold the label so long ago, also where a slow machine has taken longer, and its parcel is looked up. */
async function minutesPass(id: string, minutes: number, status: string): Promise<void> {
  await pool.query(
    `update sandbox_purchase set bought_at = clock_timestamp() - $2 * interval '1 minute' where reference = $1`,
    [id, minutes],
  )
  await pool.query('update parcel_tracking set next_check_at = now() where order_id = $1', [id])
  await expect
    .poll(async () => {
      const { rows } = await pool.query('select status from parcel_tracking where order_id = $1', [
        id,
      ])
      return (rows[0] as { status: string }).status
    })
    .toBe(status)
}
const outcomesOf = async (id: string) =>
  (
    await pool.query<{ kind: string; outcome: string }>(
      'select kind, outcome from receiver_mail where order_id = $1 order by kind desc',
      [id],
    )
  ).rows.map(({ kind, outcome }) => `${kind}: ${outcome}`)

test('the page of a parcel to the armed forces promises no days: they are those of other mail', async () => {
  const place = {
    receiver_city: 'APO',
    receiver_state_province: 'AP',
    receiver_zip_postal: '96338',
  }
  const { token } = await bought(await seller(), { place })
  const { body } = await page(token)
  expect(body).toMatchObject({ destination: 'APO, AP', status: 'unknown' })
  expect(body).not.toHaveProperty('deliveryDays')
})

test('the page of a parcel tells where it is and who sent it, and nothing of its receiver', async () => {
  const user = await seller()
  const { id, path, token } = await bought(user, {
    street2: 'SANDBOX DELIVERED',
    email: 'june.rivera@example.com',
  })
  expect(path).toMatch(/^\/track\/[\w-]{22}$/)
  expect((await page(token)).body).toMatchObject({
    status: 'unknown',
    deliveryDays: { from: 2, to: 3 },
    events: [],
  })
  const { rows } = await pool.query<{ at: Date }>(
    'select purchased_at as at from shipment_order where id = $1',
    [id],
  )
  expect((await page(token)).body.labelAt).toBe(rows[0]!.at.toISOString())
  await minutesPass(id, 10, 'delivered')
  const { body, headers } = await page(token)
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toMatchObject({
    service: 'USPS Priority Mail',
    origin: 'Austin, TX',
    destination: 'Fresno, CA',
    isSample: true,
    isVoided: false,
    status: 'delivered',
    expectedDay: null,
    seller: { contact: '' },
  })
  expect(body.events.map(({ status }) => status)).toEqual([
    'delivered',
    'out_for_delivery',
    'in_transit',
    'in_transit',
    'pre_transit',
  ])
  expect(body.events[0]).toMatchObject({ place: 'Sample Destination' })
  const text = JSON.stringify(body)
  for (const secret of ['June', 'Rivera', 'Olive', '559-555', 'example.com', user.user.email])
    expect(text).not.toContain(secret)
  const {
    body: { timeline },
  } = await app.call(labelDetails, { params: { orderId: id } }, user.token)
  expect(timeline.filter(({ kind }) => kind === 'tracked')).toHaveLength(5)
  const listed = await app.call(listOrders, { params: { userId: user.user._id } }, user.token)
  expect(listed.body.orders[0]).toMatchObject({
    trackingPage: path,
    receiver: { receiver_email: 'june.rivera@example.com' },
  })
})

test('a carrier’s words that name the receiver are left out', async () => {
  const user = await seller()
  const { id, token } = await bought(user)
  await pool.query(
    `update shipment_order set receiver = receiver || '{"name": "Ng Rivera", "zip": "93721-4455"}' where id = $1`,
    [id],
  )
  const event = `insert into parcel_event (order_id, at, status, text, place) values ($1, now(), 'delivered', $2, $3)`
  await pool.query(event, [id, 'Delivered, left with J. RIVERA', 'Fresno, CA'])
  await pool.query(event, [id, 'Signed by NG', 'Clovis, CA'])
  await pool.query(event, [id, 'Delivered in 93721', 'Madera, CA'])
  await pool.query(event, [id, 'Sorted for 93721-4455', 'Selma, CA'])
  await pool.query(event, [id, 'Delivered to agent', '2210 e olive ave, Fresno'])
  const { events } = (await page(token)).body
  expect(events.map(({ text, place }) => [text, place])).toEqual(
    expect.arrayContaining([
      ['', 'Fresno, CA'],
      ['', 'Clovis, CA'],
      ['', 'Madera, CA'],
      ['', 'Selma, CA'],
      ['Delivered to agent', ''],
    ]),
  )
})

test('a guessed link finds nothing, and guesses are limited', async () => {
  const unknown = 'A'.repeat(22)
  expect(await page(unknown)).toMatchObject({
    status: 404,
    body: { code: 'parcel_page_unknown' },
  })
  expect((await page('../../house')).status).toBe(400)
  let isRefused = false
  for (let guess = 0; guess < 400 && !isRefused; guess++)
    isRefused = (await page(unknown, '10.200.0.1')).status === 429
  expect(isRefused).toBe(true)
  expect((await page(unknown, '10.200.1.1')).status).toBe(404)
})

test('sellers choose name and contact of their pages; too long ones are refused', async () => {
  const user = await seller()
  const params = { userId: user.user._id }
  expect((await app.call(parcelPageSettings, { params }, user.token)).body).toEqual({
    sellerName: '',
    contact: '',
    mailsReceivers: false,
  })
  const { token } = await bought(user)
  await save(user, {
    sellerName: ' Wool & Co ',
    contact: 'help@wool.example',
    mailsReceivers: false,
  })
  expect((await page(token)).body.seller).toEqual({
    name: 'Wool & Co',
    contact: 'help@wool.example',
  })
  const long = { sellerName: 'x'.repeat(61), contact: 'y'.repeat(121), mailsReceivers: true }
  expect(await save(user, long)).toMatchObject({
    status: 422,
    body: { codes: { sellerName: 'too_long', contact: 'too_long' } },
  })
  expect((await app.call(parcelPageSettings, { params }, user.token)).body).toMatchObject({
    mailsReceivers: false,
  })
})

const MAILS = { sellerName: '', contact: '', mailsReceivers: true }

test('receivers get mails after the first scan, only if their seller switched them on, and none after they stopped them', async () => {
  const on = await seller(MAILS)
  const off = await seller()
  const { email } = on.user
  const mails = () => mailsTo(app.ctx.config.dataDir, email)
  const first = await bought(on, { street2: 'SANDBOX DELIVERED', email })
  const silent = await bought(off, { street2: 'SANDBOX DELIVERED', email })
  await minutesPass(silent.id, 10, 'delivered')
  await minutesPass(first.id, 0, 'pre_transit')
  expect(await outcomesOf(first.id)).toEqual([])
  await minutesPass(first.id, 1.5, 'in_transit')
  await expect.poll(async () => (await mails()).length).toBe(1)
  const [mail] = await mails()
  expect(mail!.subject).toBe('A parcel is on its way to you')
  expect(linkIn(mail!)).toMatch(new RegExp(`${first.path}$`))
  expect(mail!.raw).not.toMatch(/June|Rivera|Olive/)
  expect(await outcomesOf(silent.id)).toEqual([])

  const token = /#token=([\w-]{43})/.exec(mail!.text)![1]!
  expect(await app.call(stopParcelMails, { body: { token: 'B'.repeat(43) } })).toMatchObject({
    status: 404,
  })
  for (let twice = 0; twice < 2; twice++)
    expect((await app.call(stopParcelMails, { body: { token } })).status).toBe(200)
  await minutesPass(first.id, 10, 'delivered')
  await expect
    .poll(() => outcomesOf(first.id))
    .toEqual(['on-the-way: mailed', 'delivered: stopped'])
  const tagged = email.replace('@', '+shop@')
  await pool.query('update app_user set email = $2 where id = $1', [on.user._id, tagged])
  const second = await bought(on, { street2: 'SANDBOX TRANSIT', email: tagged.toUpperCase() })
  await minutesPass(second.id, 10, 'in_transit')
  await expect.poll(() => outcomesOf(second.id)).toEqual(['on-the-way: stopped'])
  expect(await mails()).toHaveLength(1)
})

test('the sandbox sends mails of parcels only to the seller', async () => {
  const user = await seller(MAILS)
  const email = 'stranger@example.com'
  const { id } = await bought(user, { street2: 'SANDBOX TRANSIT', email })
  await minutesPass(id, 10, 'in_transit')
  await expect.poll(() => outcomesOf(id)).toEqual(['on-the-way: off'])
  expect(await mailsTo(app.ctx.config.dataDir, email)).toEqual([])
})

test('a mail that fails holds up no other', async () => {
  const failing = await seller(MAILS)
  const user = await seller(MAILS)
  const { id: bad } = await bought(failing, { email: failing.user.email })
  const { id: good } = await bought(user, { email: user.user.email })
  const unsafe = 'a\u0001b@example.com'
  await pool.query('update app_user set email = $2 where id = $1', [failing.user._id, unsafe])
  await pool.query(
    `update shipment_order set receiver = jsonb_set(receiver, '{email}', to_jsonb($2::text)) where id = $1`,
    [bad, unsafe],
  )
  const due = `insert into receiver_mail (order_id, kind, user_id) values ($1, 'delivered', $2)`
  await pool.query(due, [bad, failing.user._id])
  await pool.query(due, [good, user.user._id])
  await expect
    .poll(async () => [await outcomesOf(bad), await outcomesOf(good)])
    .toEqual([['delivered: off'], ['delivered: mailed']])
})

test('news for receivers wait while the database has a fault', async () => {
  const user = await seller(MAILS)
  const { id } = await bought(user, { email: user.user.email })
  const { owner } = app.database
  await owner.pool.query(
    `create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`,
  )
  await owner.pool.query(
    'create trigger full_disk before insert on mail for each row execute function full_disk()',
  )
  await pool.query(
    `insert into receiver_mail (order_id, kind, user_id) values ($1, 'delivered', $2)`,
    [id, user.user._id],
  )
  const secretKey = secretKeyFrom('the secret of this installation, long enough')
  const ctx = { ...app.ctx, secretKey, mailer: openMailer({ ...app.ctx, secretKey }) }
  await expect
    .poll(() => sendReceiverMails(ctx).then(String, (error: Error) => error.message))
    .toContain('No space left on device')
  expect(await outcomesOf(id)).toEqual(['delivered: null'])
  await owner.pool.query('drop function full_disk cascade')
  await expect.poll(() => outcomesOf(id)).toEqual(['delivered: mailed'])
})

test('news for receivers wait while the mail server has enough of them', async () => {
  const user = await seller(MAILS)
  const { id } = await bought(user, { email: user.user.email })
  await pool.query(
    `insert into mail (message_id, kind, sealed, written, recipient_hash, recipient_hint, expires_at, next_attempt_at)
      select gen_random_uuid(), 'parcel-update', '\\x00', true, n::text, 'r', now() + interval '1 day', now() + interval '1 day'
        from generate_series(1, 500) n`,
  )
  const secretKey = secretKeyFrom('the secret of this installation, long enough')
  const mailer = openMailer({ ...app.ctx, secretKey })
  await pool.query(
    `insert into receiver_mail (order_id, kind, user_id) values ($1, 'delivered', $2)`,
    [id, user.user._id],
  )
  expect(await sendReceiverMails({ ...app.ctx, secretKey, mailer })).toBe(0)
  expect(await outcomesOf(id)).toEqual(['delivered: null'])
  await pool.query(`delete from mail where recipient_hint = 'r'`)
  await expect.poll(() => outcomesOf(id)).toEqual(['delivered: mailed'])
})

test('news that waited for more than a day are not mailed any more', async () => {
  const user = await seller(MAILS)
  const { id } = await bought(user, { email: user.user.email })
  await pool.query(
    `insert into receiver_mail (order_id, kind, user_id, due_at)
      values ($1, 'on-the-way', $2, now() - interval '25 hours'), ($1, 'delivered', $2, now() - interval '23 hours')`,
    [id, user.user._id],
  )
  await expect.poll(() => outcomesOf(id)).toEqual(['on-the-way: off', 'delivered: mailed'])
})

test('an address gets six mails a day at most', async () => {
  const user = await seller(MAILS)
  const { email } = user.user
  const { id } = await bought(user, { street2: 'SANDBOX TRANSIT', email })
  await minutesPass(id, 10, 'in_transit')
  await expect.poll(() => outcomesOf(id)).toEqual(['on-the-way: mailed'])
  const others = await Promise.all(Array.from({ length: 7 }, () => bought(user, { email })))
  for (const { id: other } of others)
    await pool.query(
      `insert into receiver_mail (order_id, kind, user_id) values ($1, 'delivered', $2)`,
      [other, user.user._id],
    )
  const outcomes = async () => (await Promise.all(others.map(one => outcomesOf(one.id)))).flat()
  await expect
    .poll(async () => (await outcomes()).toSorted())
    .toEqual([
      ...Array<string>(2).fill('delivered: limited'),
      ...Array<string>(5).fill('delivered: mailed'),
    ])
})

test('an email that is none is named, and a marketplace’s relay address counts as none', async () => {
  const user = await seller()
  const order = (email: string) =>
    app.call(
      placeOrder,
      { body: singleOrderBody(user.user._id, { receiver: { receiver_email: email } }) },
      user.token,
    )
  expect(await order('june at example')).toMatchObject({
    status: 422,
    body: { codes: { receiver_email: 'email_malformed' } },
  })
  const { body } = await order('x9@marketplace.amazon.com')
  const details = await app.call(
    labelDetails,
    { params: { orderId: body.data.orderId } },
    user.token,
  )
  expect(details.body.order.receiver).not.toHaveProperty('receiver_email')
})
