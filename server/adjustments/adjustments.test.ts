import { expect, test } from 'vitest'
import { deleteUser, setUserDetails, verifySession } from '#contract/accounts.ts'
import {
  adjustmentRules,
  applyAdjustments,
  creditAdjustment,
  disputeAdjustment,
  listAdjustments,
  listAllAdjustments,
  matchAdjustment,
  previewAdjustments,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import { getAdminDashboard } from '#contract/admin.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder } from '#contract/orders.ts'
import { tradeReport } from '#contract/reports.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { noonOffset } from '#tests/support/backdate.ts'
import { voidAndWait } from '#tests/support/patient-calls.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp()
const { token: admin, user: operator } = await app.admin()
let files = 0

type Line = [tracking: string, amount: number | string, more?: { id?: string; weight?: number }]
const fileOf = (...lines: Line[]) => ({
  fileName: `adjustments-${++files}.csv`,
  rows: [
    ['tracking_number', 'amount', 'date', 'id', 'declared_weight_oz', 'measured_weight_oz'],
    ...lines.map(([tracking, amount, { id = '', weight } = {}]) => [
      tracking,
      String(amount),
      '2026-11-20',
      id,
      '32',
      weight === undefined ? '' : String(weight),
    ]),
  ],
})
const apply = async (body: ReturnType<typeof fileOf>) => {
  const { status, body: totals } = await app.call(applyAdjustments, { body }, admin)
  expect(status, totals.message).toBe(200)
  return totals
}
const setRule = async (
  rule: 'pass_on' | 'absorb' | 'limit' | null,
  limit: number | null,
  userId?: string,
) => (await app.call(setAdjustmentRule, { body: { rule, limit, userId } }, admin)).body
const customerWith = async (name: string, dollars: number) => {
  const customer = await app.register(name)
  await app.creditDollars(customer.user._id, dollars)
  return customer
}
const buy = async ({ user, token }: TestUser) => {
  const { body } = await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  return { orderId: body.data.orderId, tracking: body.data.trackingNumber! }
}
const balanceOf = async ({ token }: TestUser) =>
  (await app.call(verifySession, {}, token)).body.user.balance
const listOf = async ({ user, token }: TestUser) =>
  (await app.call(listAdjustments, { params: { userId: user._id } }, token)).body
const all = async (show: 'all' | 'disputed' | 'unmatched' | 'waiting' = 'all') =>
  (await app.call(listAllAdjustments, { query: { show } }, admin)).body
const disputeOf = ({ user, token }: TestUser, id: string, note: string) =>
  app.call(disputeAdjustment, { params: { userId: user._id, id }, body: { note } }, token)
const creditOf = (id: string) => app.call(creditAdjustment, { params: { id } }, admin)

test('until the operator decides, customers pay nothing; the cost still counts', async () => {
  const ana = await customerWith('Ana', 20)
  const { tracking } = await buy(ana)
  // No midnight passes between the two readings.
  const margin = async () =>
    (await app.call(getAdminDashboard, { query: { offset: noonOffset() } }, admin)).body.periods[0]!
  const before = await margin()
  expect(await apply(fileOf([tracking, 2]))).toMatchObject({
    lines: 1,
    charged: 0,
    carrierAmount: 2,
  })
  const after = await margin()
  expect(after.carrierCost - before.carrierCost).toBeCloseTo(2)
  expect(after.margin - before.margin).toBeCloseTo(-2)
  expect(await balanceOf(ana)).toBe(10.5)
  expect((await listOf(ana)).adjustments).toEqual([])
})

test('a file is previewed, charged once however often it is sent, and shown with its evidence', async () => {
  await setRule('pass_on', null)
  const ben = await customerWith('Ben', 20)
  const { orderId, tracking } = await buy(ben)
  const file = fileOf(
    [tracking, 2.25, { weight: 50 }],
    [tracking, 2.25, { weight: 50 }],
    ['9499', 1],
  )
  const { body: preview } = await app.call(previewAdjustments, { body: file }, admin)
  expect(preview.totals).toEqual({
    open: 0,
    lines: 3,
    repeated: 1,
    unmatched: 1,
    carrierAmount: 3.25,
    charged: 2.25,
    waiting: 0,
    credited: 0,
  })
  expect(preview.customers).toMatchObject([{ user: { name: 'Ben' }, lines: 1, charged: 2.25 }])
  expect(preview.lines.map(({ row, state }) => [row, state])).toEqual([
    [2, 'charged'],
    [3, 'repeated'],
    [4, 'unmatched'],
  ])
  expect(await balanceOf(ben)).toBe(10.5)
  const sent = await Promise.all([1, 2, 3].map(() => apply(file)))
  expect(sent.reduce((sum, one) => sum + one.charged, 0)).toBe(2.25)
  expect(sent.reduce((sum, one) => sum + one.repeated, 0)).toBe(7)
  expect(await balanceOf(ben)).toBe(8.25)
  expect(await listOf(ben)).toMatchObject({
    totalCount: 1,
    adjustments: [
      {
        orderId,
        day: '2026-11-20',
        amount: 2.25,
        state: 'charged',
        reason: '50 oz measured, 32 oz declared',
        declared: { weightOz: 32 },
        measured: { weightOz: 50 },
      },
    ],
  })
  const params = { userId: ben.user._id }
  const { body } = await app.call(statement, { params, query: { filter: 'carrier' } }, ben.token)
  expect(body.entries).toMatchObject([
    {
      kind: 'carrier_charge',
      amount: -2.25,
      balance: 8.25,
      orderId,
      note: '50 oz measured, 32 oz declared',
    },
  ])
})

test('a charge above the balance waits, both sides see it, and a deposit pays it', async () => {
  const cleo = await customerWith('Cleo', 10)
  const { tracking } = await buy(cleo)
  expect(await apply(fileOf([tracking, 3, { id: 'c1' }]))).toMatchObject({
    charged: 0.5,
    waiting: 2.5,
  })
  expect(await balanceOf(cleo)).toBe(0)
  expect(await listOf(cleo)).toMatchObject({
    waiting: { count: 1, amount: 2.5 },
    adjustments: [{ state: 'waiting', amount: 3, waiting: 2.5 }],
  })
  expect((await all('waiting')).adjustments).toMatchObject([
    { user: { name: 'Cleo' }, waiting: 2.5 },
  ])
  await app.creditDollars(cleo.user._id, 5)
  expect(await balanceOf(cleo)).toBe(2.5)
  expect(await listOf(cleo)).toMatchObject({
    waiting: { count: 0, amount: 0 },
    adjustments: [{ state: 'charged', waiting: 0 }],
  })
})

test('a limit holds for all corrections of a label, and a user’s own rule comes first', async () => {
  await setRule('limit', 2)
  const dora = await customerWith('Dora', 50)
  const [one, two] = [await buy(dora), await buy(dora)]
  await apply(fileOf([one.tracking, 1.5, { id: 'd1' }], [one.tracking, 1.5, { id: 'd2' }]))
  expect(await balanceOf(dora)).toBe(29)
  const { users } = await setRule('absorb', null, dora.user._id)
  expect(users).toMatchObject([{ rule: 'absorb', user: { name: 'Dora' } }])
  await apply(fileOf([two.tracking, 1.5, { id: 'd3' }]))
  expect(await balanceOf(dora)).toBe(29)
  await apply(fileOf([one.tracking, -3, { id: 'd4' }]))
  expect(await balanceOf(dora)).toBe(31)
  await setRule(null, null, dora.user._id)
  await setRule('pass_on', null)
  expect((await app.call(adjustmentRules, {}, admin)).body).toEqual({
    all: { rule: 'pass_on', limit: null },
    users: [],
  })
})

test('a dispute is written once, seen by the operator, and credited back by one click', async () => {
  const emil = await customerWith('Emil', 10)
  const { tracking } = await buy(emil)
  await apply(fileOf([tracking, 2, { id: 'e1' }]))
  const id = (await listOf(emil)).adjustments[0]!._id
  expect(await balanceOf(emil)).toBe(0)
  const notes = await Promise.all(
    [1, 2].map(() => disputeOf(emil, id, 'It weighs 2 lb. Photo sent.')),
  )
  expect(notes.map(({ status }) => status)).toEqual([200, 200])
  expect((await disputeOf(emil, id, 'And another thing')).body.code).toBe('already_done')
  const stranger = await app.register('Stranger')
  expect((await disputeOf(stranger, id, 'Mine')).body.code).toBe('adjustment_unknown')
  const { lastDays, ...open } = await all('disputed')
  expect(open).toMatchObject({
    disputed: 1,
    disputedAmount: 2,
    adjustments: [{ _id: id, dispute: { note: 'It weighs 2 lb. Photo sent.', state: 'open' } }],
  })
  const credits = await Promise.all([creditOf(id), creditOf(id)])
  expect(credits.map(({ status, body }) => [status, body.state])).toEqual([
    [200, 'credited_back'],
    [200, 'credited_back'],
  ])
  expect(await balanceOf(emil)).toBe(0.5)
  // What the customer no longer pays is the operator's.
  const after = await all('all')
  expect(after).toMatchObject({ disputed: 0, disputedAmount: 0 })
  expect(after.lastDays.passedOn).toBeCloseTo(lastDays.passedOn - 2, 2)
  expect(after.lastDays.paid).toBeCloseTo(lastDays.paid + 2, 2)
  expect((await listOf(emil)).adjustments).toMatchObject([
    { state: 'credited_back', waiting: 0, creditedBack: 2, dispute: { state: 'credited' } },
  ])
  await apply(fileOf([tracking, -2, { id: 'e2' }]))
  expect(await balanceOf(emil)).toBe(0.5)
})

test('a line without a label stays on the list until the operator names the label', async () => {
  const gus = await customerWith('Gus', 20)
  const { orderId } = await buy(gus)
  await apply(fileOf(['9400999', 1.25, { id: 'g1' }]))
  const { adjustments } = await all('unmatched')
  const { _id: id } = adjustments.find(one => one.trackingNumber === '9400999')!
  const match = (to: string) =>
    app.call(matchAdjustment, { params: { id }, body: { orderId: to } }, admin)
  expect((await match('999999')).body.code).toBe('order_unknown')
  const both = await Promise.all([match(orderId), match(orderId)])
  expect(both.map(({ body }) => body.amount)).toEqual([1.25, 1.25])
  expect(await balanceOf(gus)).toBe(9.25)
  expect((await creditOf('999999')).body.code).toBe('adjustment_unknown')
})

test('a voided label was refunded whole: its customer pays no correction, and gets back one paid before', async () => {
  const hal = await customerWith('Hal', 30)
  const [one, two] = [await buy(hal), await buy(hal)]
  await apply(fileOf([two.tracking, 2, { id: 'h0' }]))
  for (const { orderId } of [one, two]) expect(await voidAndWait(app, orderId, hal.token)).toBe(200)
  expect(await balanceOf(hal)).toBe(28)
  const file = fileOf([one.tracking, 3, { id: 'h1' }], [two.tracking, -2, { id: 'h2' }])
  const { body } = await app.call(previewAdjustments, { body: file }, admin)
  expect(body.lines.map(({ state, wasVoided }) => [state, wasVoided])).toEqual([
    ['absorbed', true],
    ['credited', true],
  ])
  await apply(file)
  expect(await balanceOf(hal)).toBe(30)
})

test('EasyPost tells the whole change of a label each time: only what is new counts', async () => {
  const ida = await customerWith('Ida', 20)
  const { tracking } = await buy(ida)
  const report = (final: string, reportedOn: string) => ({
    fileName: 'shipment_invoice.csv',
    rows: [
      [
        'shipment_id',
        'label_date',
        'tracking_code',
        'status',
        'initially_paid_amount',
        'final_invoice_amount',
        'report_date',
      ],
      ['shp_1', '2026-10-01', tracking, 'processed', '5.10', final, reportedOn],
      ['shp_2', '2026-10-01', '9400OPEN', 'pending', '5.10', '', reportedOn],
    ],
  })
  expect(await apply(report('6.10', '2026-11-02'))).toMatchObject({ charged: 1, open: 1 })
  expect(await apply(report('7.60', '2026-11-10'))).toMatchObject({ charged: 1.5 })
  expect(await apply(report('7.60', '2026-11-10'))).toMatchObject({ repeated: 1, charged: 0 })
  expect(await apply(report('5.60', '2026-11-05'))).toMatchObject({ charged: 0, credited: 0 })
  expect(await balanceOf(ida)).toBe(8)
  const future = await app.call(applyAdjustments, { body: report('9', '2999-01-01') }, admin)
  expect(future.body.message).toContain('2999-01-01 is in the future')
  const other = await app.call(applyAdjustments, { body: report('9', '2026-11-10') }, admin)
  expect(other.body.message).toContain('for a report of 2026-11-10 an earlier file has $2.50')
  expect(await apply(report('6.10', '2026-11-15'))).toMatchObject({ credited: 1.5 })
  expect(await balanceOf(ida)).toBe(9.5)
})

test('no administrator changes what they pay themselves', async () => {
  await app.creditDollars(operator._id, 20)
  const own = await buy({ user: operator, token: admin } as TestUser)
  const file = fileOf([own.tracking, -5, { id: 'own' }])
  const refused = await app.call(applyAdjustments, { body: file }, admin)
  expect([refused.status, refused.body.message]).toEqual([
    422,
    `Row 2: Label ${own.orderId} is of your own account. Another administrator can apply its corrections; `
      + 'take the line out. Nothing was changed.',
  ])
  const { body } = await app.call(previewAdjustments, { body: file }, admin)
  expect(body.faults).toMatchObject([{ row: 2 }])
  await apply(fileOf(['9400OWN', -5, { id: 'own2' }]))
  const { adjustments } = await all('unmatched')
  const params = { id: adjustments.find(one => one.trackingNumber === '9400OWN')!._id }
  const matched = await app.call(matchAdjustment, { params, body: { orderId: own.orderId } }, admin)
  expect([matched.status, matched.body.code]).toEqual([403, 'not_your_own'])
  const rule = { rule: 'pass_on' as const, limit: null, userId: operator._id }
  const ruled = await app.call(setAdjustmentRule, { body: rule }, admin)
  expect([ruled.status, ruled.body.code]).toEqual([403, 'not_your_own'])
  expect(await balanceOf({ token: admin } as TestUser)).toBe(10.5)
})

test('a credit above the label’s price stays with the operator, and one id has one correction', async () => {
  const jon = await customerWith('Jon', 20)
  const { tracking } = await buy(jon)
  await apply(fileOf([tracking, -9_999.99, { id: 'j1' }]))
  expect(await balanceOf(jon)).toBe(20)
  const again = await app.call(
    applyAdjustments,
    { body: fileOf([tracking, 4, { id: 'j1' }]) },
    admin,
  )
  expect([again.status, again.body.message]).toEqual([
    422,
    expect.stringContaining(`the id j1 with ${tracking} and $4.00, but an earlier file has`),
  ])
})

test('while a charge waits the balance is not set, so that a repeat cannot pay twice', async () => {
  const kim = await customerWith('Kim', 9.5)
  const { orderId, tracking } = await buy(kim)
  await apply(fileOf([tracking, 3, { id: 'k1' }]))
  const params = { userId: kim.user._id }
  const body = { balance: 50, seenBalance: 0, reason: 'goodwill' }
  const refused = await app.call(setUserDetails, { params, body }, admin)
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `$3.00 of charges wait for money: $3.00 of label ${orderId}. Nothing was changed. `
      + 'Credit the charges back first, or wait until a deposit pays them.',
  ])
  await creditOf((await listOf(kim)).adjustments[0]!._id)
  for (let n = 0; n < 2; n++)
    await app.call(setUserDetails, { params, body: { ...body, seenBalance: undefined } }, admin)
  expect(await balanceOf(kim)).toBe(50)
})

test('what a deleted account owes is waived', async () => {
  const leo = await customerWith('Leo', 9.5)
  const { tracking } = await buy(leo)
  await apply(fileOf([tracking, 3, { id: 'l1' }]))
  const { waiting: before } = await all('waiting')
  const deleted = await app.call(deleteUser, { params: { userId: leo.user._id } }, admin)
  expect(deleted.status).toBe(200)
  const { waiting } = await all('waiting')
  expect([before.count - waiting.count, before.amount - waiting.amount]).toEqual([1, 3])
  expect(await apply(fileOf([tracking, -3, { id: 'l2' }]))).toMatchObject({ credited: 0 })
})

test('the audit names a file before its first line and what became of it', async () => {
  const mia = await customerWith('Mia', 20)
  const { tracking } = await buy(mia)
  const file = fileOf([tracking, 3, { id: 'm1' }])
  for (let n = 0; n < 2; n++) await apply(file)
  const { entries } = (
    await app.call(listAuditEntries, { query: { kind: 'money' as const } }, admin)
  ).body
  const of = entries.filter(({ text }) => text.includes(file.fileName)).map(({ text }) => text)
  expect(of).toHaveLength(2)
  expect(of[0]).toContain(`Applied carrier adjustments from ${file.fileName}: 1 line`)
  expect(of[1]).toBe(`Started applying carrier adjustments from ${file.fileName}: 1 line`)
})

test('a file with a fault changes nothing and names the row', async () => {
  const { status, body } = await app.call(
    applyAdjustments,
    { body: fileOf(['9400', 'much']) },
    admin,
  )
  expect([status, body.code]).toEqual([422, 'file_invalid'])
  expect(body.message).toContain("Row 2: 'much' is not a valid amount")
  const empty = await app.call(previewAdjustments, { body: fileOf() }, admin)
  expect(empty.body.faults).toEqual([
    { row: 1, column: null, text: 'The file has no lines below its first one' },
  ])
  expect(await apply(fileOf())).toMatchObject({ lines: 0 })
})

test('after all of it the report’s margin is that of the dashboard, and the statement sums hold', async () => {
  const query = { days: 7 as const, timezone: 'UTC' }
  const { totals } = (await app.call(tradeReport, { query }, admin)).body
  const [, week] = (await app.call(getAdminDashboard, { query: { offset: 0 } }, admin)).body.periods
  expect(totals.margin).toBeCloseTo(week!.margin)
  expect(totals.revenue).toBeCloseTo(week!.revenue)
  expect(operator.user_role).toBe('admin')
})
