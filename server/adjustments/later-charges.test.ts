import { expect, test } from 'vitest'
import {
  confirmBalanceRequest,
  listBalanceRequests,
  setUserDetails,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import {
  applyAdjustments,
  creditAdjustment,
  listAdjustments,
  listAllAdjustments,
  previewAdjustments,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import { listVoidedScans } from '#contract/admin.ts'
import { statement } from '#contract/ledger.ts'
import { labelDetails } from '#contract/order-details.ts'
import { orderDetails } from '#contract/orders-admin.ts'
import { placeOrder } from '#contract/orders.ts'
import { chargeVoidedScan, returnVoidedScanCharge } from '#contract/refunds.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { backdateRoles } from '#tests/support/backdate.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const PRICE = 9.5
const app = await testApp({ env: { ADJUSTMENT_DAILY_LIMIT: '10' } })
const { token: admin } = await app.admin()
await app.call(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)

let ids = 0
const fileOf = (...lines: [tracking: string, amount: number][]) => ({
  fileName: 'corrections.csv',
  rows: [
    ['tracking_number', 'amount', 'id', 'declared_weight_oz', 'measured_weight_oz'],
    ...lines.map(([tracking, amount]) => [tracking, String(amount), `c${++ids}`, '32', '50']),
  ],
})
const apply = async (tracking: string, amount: number) => {
  const { status, body } = await app.call(
    applyAdjustments,
    { body: fileOf([tracking, amount]) },
    admin,
  )
  expect(status, body.message).toBe(200)
}
const customerWith = async (name: string, dollars: number) => {
  const customer = await app.register(name)
  await app.creditDollars(customer.user._id, dollars)
  return customer
}
const buy = async ({ user, token }: TestUser) => {
  const { body } = await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  return { orderId: body.data.orderId, tracking: body.data.trackingNumber! }
}
const voidLabel = (orderId: string, { token }: TestUser) => voidAndWait(app, orderId, token)
const balanceOf = async ({ token }: TestUser) =>
  (await app.call(verifySession, {}, token)).body.user.balance
const adjustmentsOf = async ({ user, token }: TestUser) =>
  (await app.call(listAdjustments, { params: { userId: user._id } }, token)).body.adjustments
/** As if the carrier had told of it. */
const scan = (orderId: string) =>
  app.database.pool.query(
    `insert into parcel_tracking (order_id, user_id, status, next_check_at, scanned_after_void_at)
      select id, user_id, 'delivered', null, clock_timestamp() from shipment_order where id = $1
      on conflict (order_id) do update set scanned_after_void_at = excluded.scanned_after_void_at`,
    [orderId],
  )
const stepsOf = async (orderId: string, { token }: TestUser) =>
  (await app.call(labelDetails, { params: { orderId } }, token)).body.timeline
    .filter(({ kind }) => kind === 'charged' || kind === 'credited' || kind === 'charge-waiting')
    .map(({ kind, amount, text }) => [kind, amount, text])

const WEIGHED = '50 oz measured, 32 oz declared'

test('a label shows its corrections and later charges to its customer and to the operator', async () => {
  const ana = await customerWith('Ana', PRICE + 1)
  const { orderId, tracking } = await buy(ana)
  await apply(tracking, 2.25)
  expect(await stepsOf(orderId, ana)).toEqual([
    ['charge-waiting', 1.25, WEIGHED],
    ['charged', 1, WEIGHED],
  ])
  await app.creditDollars(ana.user._id, 20)
  await apply(tracking, -0.5)
  expect(await stepsOf(orderId, ana)).toEqual([
    ['charged', 1, WEIGHED],
    ['charged', 1.25, WEIGHED],
    ['credited', 0.5, WEIGHED],
  ])
  const seen = (await app.call(orderDetails, { params: { orderId } }, admin)).body.timeline
  expect(
    seen.filter(({ kind }) => kind === 'corrected').map(({ text, detail }) => [text, detail]),
  ).toEqual([
    ['The carrier charged $2.25 more; the customer pays $2.25', WEIGHED],
    ['The carrier charged $0.50 less; the customer gets $0.50', WEIGHED],
  ])
  expect(
    seen
      .filter(({ kind }) => kind === 'charged' || kind === 'credited')
      .map(({ kind, amount }) => [kind, amount]),
  ).toEqual([
    ['charged', 1],
    ['charged', 1.25],
    ['credited', 0.5],
  ])
})

test('a credit of a voided label, whose cost is back already, is nothing for either side', async () => {
  const ana = await customerWith('Ana', PRICE)
  const { orderId, tracking } = await buy(ana)
  await voidAndWait(app, orderId, ana.token)
  await apply(tracking, -0.5)
  const seen = (await app.call(orderDetails, { params: { orderId } }, admin)).body.timeline
  expect(seen.filter(({ kind }) => kind === 'corrected').map(({ text }) => text)).toEqual([
    'The carrier charged nothing more; the customer pays nothing of it',
  ])
})

test('customers read what was measured and what they pay, and not what the carrier charges the operator', async () => {
  const ben = await customerWith('Ben', 20)
  const { tracking } = await buy(ben)
  const rule = { rule: 'limit' as const, limit: 1, userId: ben.user._id }
  await app.call(setAdjustmentRule, { body: rule }, admin)
  await apply(tracking, 7.31)
  const [adjustment] = await adjustmentsOf(ben)
  expect(adjustment).toMatchObject({ amount: 1, measured: { weightOz: 50 } })
  expect(JSON.stringify(adjustment)).not.toContain('7.31')
  const all = (await app.call(listAllAdjustments, { query: {} }, admin)).body.adjustments
  expect(all[0]).toMatchObject({ amount: 1, carrierAmount: 7.31 })
})

test('a file that was previewed under other rules is refused with a sentence, and applies nothing more', async () => {
  const cara = await customerWith('Cara', 30)
  const { tracking } = await buy(cara)
  const file = fileOf([tracking, 1])
  const { rulesSeen } = (await app.call(previewAdjustments, { body: file }, admin)).body
  const own = { rule: 'absorb' as const, limit: null, userId: cara.user._id }
  await app.call(setAdjustmentRule, { body: own }, admin)
  const refused = await app.call(applyAdjustments, { body: { ...file, rulesSeen } }, admin)
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'changed_meanwhile',
    'The rules of who pays have changed since the preview. Row 2 and those after it were not applied. Look at the preview again.',
  ])
  expect(await balanceOf(cara)).toBe(30 - PRICE)

  const again = (await app.call(previewAdjustments, { body: file }, admin)).body
  expect(again.rulesSeen).not.toBe(rulesSeen)
  const body = { ...file, rulesSeen: again.rulesSeen }
  expect((await app.call(applyAdjustments, { body }, admin)).body).toMatchObject({
    lines: 1,
    repeated: 0,
    charged: 0,
  })
})

test('a credit before a void is part of the refund: the label gives back no more than it took', async () => {
  const dan = await customerWith('Dan', 20)
  const { orderId, tracking } = await buy(dan)
  await apply(tracking, -2)
  expect(await balanceOf(dan)).toBe(20 - PRICE + 2)
  expect(await voidLabel(orderId, dan)).toBe(200)
  expect(await balanceOf(dan)).toBe(20)
  const { entries } = (
    await app.call(statement, { params: { userId: dan.user._id }, query: {} }, dan.token)
  ).body
  expect(entries.slice(0, 2).map(({ amount, note }) => [amount, note])).toEqual([
    [-2, 'Credited before by a carrier adjustment, and part of this label’s refund'],
    [9.5, undefined],
  ])
  // The carrier takes its credit back later: the customer has nothing of it any more.
  await apply(tracking, 2)
  expect(await balanceOf(dan)).toBe(20)

  await scan(orderId)
  const { labels } = (await app.call(listVoidedScans, { query: {} }, admin)).body
  expect(labels.find(one => one.orderId === orderId)).toMatchObject({ price: 7.5 })
  const charged = await app.call(chargeVoidedScan, { params: { orderId } }, admin)
  expect(charged.body).toMatchObject({ charged: 7.5, waiting: 0 })
  expect(await balanceOf(dan)).toBe(12.5)
})

test('a charge and its credit that cancel out change no refund', async () => {
  const eve = await customerWith('Eve', 20)
  const { orderId, tracking } = await buy(eve)
  await apply(tracking, 1.5)
  await apply(tracking, -1.5)
  await voidLabel(orderId, eve)
  expect(await balanceOf(eve)).toBe(20)
})

test('the charge of a scanned label is given back once, with a reason in the audit', async () => {
  const fay = await customerWith('Fay', 10)
  const { orderId } = await buy(fay)
  await voidLabel(orderId, fay)
  await scan(orderId)
  const second = await buy(fay)
  const give = (reason = 'Scanned in error', by = admin, id = orderId) =>
    app.call(returnVoidedScanCharge, { params: { orderId: id }, body: { reason } }, by)
  expect((await give()).body.code).toBe('wrong_state')
  await app.call(chargeVoidedScan, { params: { orderId } }, admin)
  expect(await balanceOf(fay)).toBe(0)
  const charge = async () =>
    (await app.call(orderDetails, { params: { orderId } }, admin)).body.scanCharge
  expect(await charge()).toBe(PRICE)

  expect((await give(' ')).status).toBe(400)
  const given = await Promise.all([give(), give()])
  expect(given.map(({ status, body }) => [status, body.given])).toEqual([
    [200, PRICE],
    [200, PRICE],
  ])
  // 50 cents were collected; the rest is no longer owed.
  expect(await balanceOf(fay)).toBe(0.5)
  expect(await charge()).toBeNull()
  expect((await app.call(chargeVoidedScan, { params: { orderId } }, admin)).body.code).toBe(
    'already_done',
  )
  await app.creditDollars(fay.user._id, 5)
  expect(await balanceOf(fay)).toBe(5.5)
  const { rows } = await app.database.pool.query(
    `select detail->>'reason' as reason, detail->>'amount' as amount from audit_entry where action = 'voided-scan-returned'`,
  )
  expect(rows).toEqual([{ reason: 'Scanned in error', amount: '9.5' }])
  expect((await give('x', fay.token)).status).toBe(403)
  expect((await give('x', admin, second.orderId)).body.code).toBe('wrong_state')
  expect((await give('x', admin, '999999')).body.code).toBe('order_unknown')
})

test('credits by hand count to the daily limit of the administrator, with balance adjustments', async () => {
  // 9.50 of 10.00 were given back above.
  const gus = await customerWith('Gus', 20)
  const { tracking } = await buy(gus)
  await apply(tracking, 0.75)
  const id = (await adjustmentsOf(gus))[0]!._id
  const credit = () => app.call(creditAdjustment, { params: { id } }, admin)
  const refused = await credit()
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    403,
    'administrator_limit_reached',
    'With $0.75 you would pass the $10.00 that one administrator may move in 24 hours. '
      + 'Another administrator can do this. Nothing was changed.',
  ])
  expect(await balanceOf(gus)).toBe(20 - PRICE - 0.75)
  const set = await app.call(
    setUserDetails,
    {
      params: { userId: gus.user._id },
      body: { balance: 20 - PRICE, reason: 'Instead of the credit' },
    },
    admin,
  )
  expect(set.body.message).toContain('another administrator confirms it')
  expect(await balanceOf(gus)).toBe(20 - PRICE - 0.75)

  await app.database.owner.pool.query(
    `alter table audit_entry disable trigger user;
     update audit_entry set created_at = created_at - interval '25 hours' where action = 'voided-scan-returned';
     alter table audit_entry enable trigger user`,
  )
  expect((await credit()).body.state).toBe('credited_back')
  expect(await balanceOf(gus)).toBe(20 - PRICE)
})

test.each([
  { rule: 'limit', limit: null },
  { rule: 'limit', limit: 0 },
  { rule: 'absorb', limit: 0 },
  { rule: 'pass_on', limit: 5 },
] as const)('a limit belongs to the rule limit only, and is above 0: $rule, $limit', async body => {
  const { status, body: refusal } = await app.call(setAdjustmentRule, { body }, admin)
  expect([status, refusal.message]).toEqual([
    400,
    'limit must be an amount above 0 with the rule limit, and null with others',
  ])
})

test('a balance is not raised by a second administrator either while charges wait for money', async () => {
  const ida = await customerWith('Ida', PRICE)
  const params = { userId: ida.user._id }
  const { tracking } = await buy(ida)
  const asked = await app.call(setUserDetails, { params, body: { balance: 100 } }, admin)
  expect(asked.status).toBe(202)
  await apply(tracking, 3)
  const second = await app.register('Second administrator')
  const role = { params: { userId: second.user._id }, body: { user_role: 'admin' as const } }
  await app.call(setUserRole, role, admin)
  await backdateRoles(app.database)
  const { requests } = (await app.call(listBalanceRequests, {}, second.token)).body
  const { _id: requestId } = requests.find(({ user }) => user._id === ida.user._id)!
  const confirm = () => app.call(confirmBalanceRequest, { params: { requestId } }, second.token)
  const refused = await confirm()
  expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
  expect(refused.body.message).toContain('$3.00 of charges wait for money')
  await app.creditDollars(ida.user._id, 5)
  expect((await confirm()).status).toBe(200)
  expect(await balanceOf(ida)).toBe(102)
})

test('a rule that another administrator has changed meanwhile is not replaced unseen', async () => {
  const { user } = await app.register('Ivo')
  type Rule = { rule: 'pass_on' | 'absorb' | 'limit'; limit: number | null }
  const [passOn, absorb]: Rule[] = [
    { rule: 'pass_on', limit: null },
    { rule: 'absorb', limit: null },
  ]
  const set = (rule: Rule, seen: Rule | null, userId?: string) =>
    app.call(setAdjustmentRule, { body: { ...rule, seen, userId } }, admin)
  const upTo2 = { rule: 'limit', limit: 2 } as const
  expect((await set(upTo2, null, user._id)).status).toBe(200)
  const late = await set(absorb!, null, user._id)
  expect([late.status, late.body.message]).toEqual([
    409,
    'The rule has changed in the meantime, to: charged up to $2.00 per label. Nothing was saved.',
  ])
  // A second click on what is saved already.
  expect((await set(upTo2, null, user._id)).status).toBe(200)
  expect((await set(absorb!, upTo2, user._id)).status).toBe(200)
  const ofAll = await Promise.all([set(absorb!, passOn!), set(upTo2, passOn!)])
  expect(ofAll.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await set(passOn!, ofAll[0].status === 200 ? absorb! : upTo2)
})
