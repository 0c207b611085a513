import { expect, test } from 'vitest'
import {
  deleteUser,
  listUsers,
  login,
  loginAs,
  register,
  setUserActivation,
  setUserDetails,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { listAddresses, saveAddress } from '#contract/addresses.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import { defaultServices, setDefaultServicePrices } from '#contract/catalogue.ts'
import { easypostCreateAddress } from '#contract/easypost.ts'
import { statement } from '#contract/ledger.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { parcelPageSettings, saveParcelPageSettings } from '#contract/parcel-pages.ts'
import { listDeposits, sandboxPay, topUp } from '#contract/payments.ts'
import { invitedUsers } from '#contract/referrals.ts'
import { addSkus, listSkus } from '#contract/skus.ts'
import { voidOrder } from '#contract/voids.ts'
import { PASSWORD, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { FROM_ADDRESS } from '#tests/support/easypost-client.ts'
import { expectWaiting } from '#tests/support/lock-waits.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'

// No worker: bulk orders stay in progress.
const app = await testApp({ env: { ROLE: 'web' } })
const admin = await app.admin()
const remove = (userId: string, token = admin.token) =>
  app.call(deleteUser, { params: { userId } }, token)
const sees = async (token: string) => (await app.call(verifySession, {}, token)).status

async function administrator(): Promise<TestUser> {
  const visitor = await app.register('Another administrator')
  await app.call(
    setUserRole,
    { params: { userId: visitor.user._id }, body: { user_role: 'admin' } },
    admin.token,
  )
  return visitor
}
async function underWay(of: TestUser): Promise<void> {
  const { orderId } = (await app.call(initBatch, { body: { userId: of.user._id } }, of.token)).body
  const submitted = await app.call(
    processBatch,
    { params: { userId: of.user._id }, body: { orderId, orderData: rows(2) } },
    of.token,
  )
  expect(submitted.status).toBe(202)
}

test('a deleted user’s data is erased, while labels and every cent stay explained', async () => {
  const ana = await app.register('Ana Rivera')
  const params = { userId: ana.user._id }
  await app.creditDollars(ana.user._id, 20)
  await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  const address = {
    address_id: 'home',
    name: 'Ana',
    company: '',
    phone: '',
    street: '1 Main St',
    street2: '',
    city: 'Bend',
    state: 'OR',
    zip: '97701',
    country: 'US',
  }
  await app.call(saveAddress, { params, body: { formData: address } }, ana.token)
  const sku = { sku: 'MUG', maxQty: 1, weight: 1, length: 1, width: 1, height: 1, description: '' }
  await app.call(addSkus, { params, body: { parsedData: [sku] } }, ana.token)

  const { status, body } = await remove(ana.user._id)
  expect([status, body]).toEqual([
    200,
    { ok: true, message: 'User deleted. The remaining $10.50 stays on the books.' },
  ])
  expect(await sees(ana.token)).toBe(401)
  expect(
    (await app.call(login, { body: { email: ana.user.email, password: ana.password } })).status,
  ).toBe(401)
  const { rows: rest } = await app.database.pool.query(
    'select row_to_json(u)::text as line from app_user u where id = $1',
    [ana.user._id],
  )
  expect(rest[0].line).not.toContain('Ana')
  expect(rest[0].line).not.toContain(ana.user.email)
  expect((await app.call(listAddresses, { params }, admin.token)).body.savedAddress).toEqual([])
  expect((await app.call(listSkus, { params }, admin.token)).body.SkuData).toEqual([])
  expect((await app.call(listOrders, { params, query: {} }, admin.token)).body.totalCount).toBe(1)
  const moved = (await app.call(statement, { params, query: {} }, admin.token)).body.entries
  expect(moved.map(({ amount, balance }) => [amount, balance])).toEqual([
    [-9.5, 10.5],
    [20, 20],
  ])
})

test('deposits and refunds for a deleted user are booked for that user and audited', async () => {
  const ana = await app.register('Ana')
  const params = { userId: ana.user._id }
  await app.creditDollars(ana.user._id, 9.5)
  const {
    body: { data },
  } = await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  const {
    body: { id },
  } = await app.call(topUp, { params }, ana.token)
  expect((await remove(ana.user._id)).body.message).toBe('User deleted')

  expect(
    (await app.call(sandboxPay, { params: { id }, body: { amount: 50 } }, admin.token)).status,
  ).toBe(200)
  expect(
    (await app.call(voidOrder, { params: { orderId: data.orderId } }, admin.token)).body,
  ).toMatchObject({ order: { void: 'voided' } })
  const { entries } = (await app.call(statement, { params, query: {} }, admin.token)).body
  expect(entries.slice(0, 2).map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['refund', 9.5, 59.5],
    ['deposit', 50, 50],
  ])
  const lines = (
    await app.call(listAuditEntries, { query: { userId: ana.user._id, limit: 5 } }, admin.token)
  ).body.entries
  expect(lines.map(({ action, subject }) => [action, subject?.name])).toEqual([
    ['statement-read', 'Deleted user'],
    ['void-requested', 'Deleted user'],
    ['deposit', 'Deleted user'],
    ['administrator-request', 'Deleted user'],
    ['deleted', 'Deleted user'],
  ])
  const { deposits } = (await app.call(listDeposits, { params, query: {} }, admin.token)).body
  expect(deposits.map(({ amount }) => amount)).toEqual([50, 9.5])
})

test('a deleted user is in no list, and their links and email are free', async () => {
  const [ana, host] = [await app.register('Ana'), await app.register('Host')]
  const join = (email: string, referralCode: string) =>
    app.call(register, {
      body: { name: 'Ben', email, password: PASSWORD, confirmPassword: PASSWORD, referralCode },
    })
  const guest = (await join('guest@example.com', host.user.referralCode)).body.user
  for (const { _id } of [ana.user, guest])
    expect((await remove(_id)).body.message).toBe('User deleted')
  const listed = (await app.call(listUsers, { query: {} }, admin.token)).body.map(({ _id }) => _id)
  expect(listed).not.toContain(ana.user._id)
  expect(
    (await app.call(invitedUsers, { params: { userId: host.user._id }, query: {} }, host.token))
      .body,
  ).toEqual([])
  expect((await join('ben@example.com', ana.user.referralCode)).body.errors).toEqual({
    referralCode: 'This referral code does not exist',
  })
  const again = await join(ana.user.email, '')
  expect(again.status).toBe(200)
  expect(again.body.user._id).not.toBe(ana.user._id)
})

test('a deleted user cannot be deleted or changed again', async () => {
  const ana = await app.register('Ana')
  const answers = await Promise.all([1, 2, 3].map(() => remove(ana.user._id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  const params = { userId: ana.user._id }
  expect(
    (
      await app.call(
        setUserDetails,
        { params, body: { balance: 5, referralCode: 'NEW' } },
        admin.token,
      )
    ).status,
  ).toBe(404)
  expect(
    (await app.call(setUserRole, { params, body: { user_role: 'friend' } }, admin.token)).status,
  ).toBe(404)
  expect(
    (await app.call(setUserActivation, { params, body: { activation: 'block' } }, admin.token))
      .status,
  ).toBe(404)
  expect((await app.call(loginAs, { params, body: {} }, admin.token)).status).toBe(404)
})

test('a registration cannot take the placeholder of a deletion and so prevent it', async () => {
  const ana = await app.register('Ana')
  const body = {
    name: 'Joker',
    email: `deleted-${ana.user._id}@deleted.invalid`,
    password: PASSWORD,
    confirmPassword: PASSWORD,
  }
  const joker = (await app.call(register, { body })).body
  await app.call(
    setUserDetails,
    { params: { userId: joker.user._id }, body: { referralCode: `deleted-${ana.user._id}` } },
    admin.token,
  )
  expect((await remove(ana.user._id)).status).toBe(200)
  expect(await sees(joker.token)).toBe(200)
})

test('a user with money on hold is not deleted', async () => {
  const ana = await app.register('Ana')
  await app.creditDollars(ana.user._id, 20)
  await underWay(ana)
  const { status, body } = await remove(ana.user._id)
  expect([status, body.message]).toEqual([
    409,
    '$13.00 of this user is on hold for labels in progress. Try again when they are done.',
  ])
  expect((await app.call(verifySession, {}, ana.token)).body.user).toMatchObject({
    name: 'Ana',
    email: ana.user.email,
  })
})

test('a user with free labels in progress or a label being voided is not deleted', async () => {
  const free = (await app.call(defaultServices, {}, admin.token)).body.find(
    ({ name }) => name === 'USPS Ground Advantage',
  )!
  const price = (dollars: number) =>
    app.call(
      setDefaultServicePrices,
      {
        params: { id: free._id },
        body: { prices: [{ fromWeight: 1, toWeight: free.maxWeight, price: dollars }] },
      },
      admin.token,
    )
  await price(0)
  const ana = await app.register('Ana')
  await underWay(ana)
  await price(6.5)
  const { status, body } = await remove(ana.user._id)
  expect([status, body.message]).toEqual([
    409,
    'This user has labels in progress. Try again when they are done.',
  ])

  const ben = await app.register('Ben')
  await app.creditDollars(ben.user._id, 9.5)
  await app.call(placeOrder, { body: singleOrderBody(ben.user._id) }, ben.token)
  await app.database.pool.query(
    `update shipment_order set state = 'voiding', void_requested_at = now() where user_id = $1`,
    [ben.user._id],
  )
  expect((await remove(ben.user._id)).status).toBe(409)
  await app.database.pool.query(
    `update shipment_order set state = 'purchased' where user_id = $1`,
    [ben.user._id],
  )
  expect((await remove(ben.user._id)).status).toBe(200)
})

test('orders placed during the deletion of their user are fully booked or not placed', async () => {
  const ana = await app.register('Ana')
  await app.creditDollars(ana.user._id, 100)
  const buy = () => app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  const [first, gone] = await Promise.all([buy(), remove(ana.user._id), buy(), buy()])
  // 404: the session was valid, and the user was deleted before the order was written.
  expect([200, 401, 404]).toContain(first.status)
  expect([200, 409]).toContain(gone.status)
})

test('an administrator can delete neither their own account nor the last administrator', async () => {
  const last = await remove(admin.user._id)
  expect([last.status, last.body.message]).toEqual([
    409,
    'This is the last administrator. Make another user an administrator first.',
  ])
  const second = await administrator()
  const self = await remove(second.user._id, second.token)
  expect([self.status, self.body.message]).toEqual([
    409,
    'You cannot delete your own account. Another administrator can.',
  ])
  expect((await remove(second.user._id)).status).toBe(200)
  expect(await sees(second.token)).toBe(401)
})

type Against = (of: string, by: string) => Promise<{ status: number }>
const blocks: Against = (of, by) =>
  app.call(setUserActivation, { params: { userId: of }, body: { activation: 'block' } }, by)
const demotes: Against = (of, by) =>
  app.call(setUserRole, { params: { userId: of }, body: { user_role: 'user' } }, by)

test.each<[string, Against, Against]>([
  ['delete', remove, remove],
  ['block', blocks, blocks],
  ['demote', demotes, demotes],
  ['delete and block', remove, blocks],
  ['demote and delete', demotes, remove],
])(
  'two administrators %s each other at the same moment: one succeeds, and the other is no longer one',
  async (_, one, other) => {
    const [ana, ben] = [await administrator(), await administrator()]
    const answers = await Promise.all([
      one(ben.user._id, ana.token),
      other(ana.user._id, ben.token),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect([401, 403]).toContain(statuses.find(status => status !== 200))
    const left = (
      await app.call(listUsers, { query: { user_role: 'admin', activation: 'allow' } }, admin.token)
    ).body
    expect(left).toHaveLength(2)
    for (const { _id } of left) if (_id !== admin.user._id) await remove(_id)
  },
)

type LateAnswer = { status: number; body: { message?: string | undefined } }

/** Deletes a user while calls of theirs come, two of which wait for it: one user's calls have two connections of this pool. */
async function deletedDuring(
  of: TestUser,
  calls: () => Promise<LateAnswer>[],
): Promise<{ message: string; answers: LateAnswer[] }> {
  const purse = await app.database.pool.connect()
  await purse.query('begin')
  const {
    rows: [{ pid }],
  } = await purse.query(
    `select pg_backend_pid() as pid from balance b join account a on a.id = b.account_id
    where a.owner_id = $1 and a.kind = 'available' for update of b`,
    [of.user._id],
  )
  const deleting = remove(of.user._id)
  await expectWaiting(app.database, pid, 1)
  const late = calls()
  await expectWaiting(app.database, pid, 3)
  await purse.query('commit')
  purse.release()
  return { message: (await deleting).body.message, answers: await Promise.all(late) }
}

test('orders and saved data are refused during a deletion, and the remaining balance is not spent', async () => {
  const ana = await app.register('Ana')
  const params = { userId: ana.user._id }
  await app.creditDollars(ana.user._id, 50)
  const { orderId } = (await app.call(initBatch, { body: params }, ana.token)).body
  const saved = {
    address_id: 'home',
    name: 'Ana',
    company: '',
    phone: '',
    street: '1 Main St',
    street2: '',
    city: 'Bend',
    state: 'OR',
    zip: '97701',
    country: 'US',
  }
  const sku = { sku: 'MUG', maxQty: 1, weight: 1, length: 1, width: 1, height: 1, description: '' }
  const { message, answers } = await deletedDuring(ana, () => [
    app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token),
    app.call(processBatch, { params, body: { orderId, orderData: rows(2) } }, ana.token),
    app.call(saveAddress, { params, body: { formData: saved } }, ana.token),
    app.call(addSkus, { params, body: { parsedData: [sku] } }, ana.token),
  ])
  expect(message).toBe('User deleted. The remaining $50.00 stays on the books.')
  // A call whose sign-in is read after the deletion is refused as signed out.
  for (const { status, body } of answers)
    expect([
      [404, 'User not found'],
      [401, 'Please sign in: the token is missing or no longer valid'],
    ]).toContainEqual([status, body.message])
  expect((await app.call(listAddresses, { params }, admin.token)).body.savedAddress).toEqual([])
  expect(
    (await app.call(statement, { params, query: {} }, admin.token)).body.entries.map(
      ({ balance }) => balance,
    ),
  ).toEqual([50])
})

test('a page of parcels and an address of /v2 that are saved during a deletion do not outlast it', async () => {
  const ana = await app.register('Ana')
  const params = { userId: ana.user._id }
  const settings = { sellerName: 'Ana’s mugs', contact: 'ana@example.com', mailsReceivers: true }
  const { answers } = await deletedDuring(ana, () => [
    app.call(saveParcelPageSettings, { params, body: settings }, ana.token),
    app.call(easypostCreateAddress, { query: {}, body: { address: FROM_ADDRESS } }, ana.token),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404])
  const shown = (await app.call(parcelPageSettings, { params }, admin.token)).body
  expect(shown).toEqual({ sellerName: '', contact: '', mailsReceivers: false })
  const { rows: kept } = await app.database.pool.query(
    'select from api_address where user_id = $1',
    [ana.user._id],
  )
  expect(kept).toEqual([])
})
