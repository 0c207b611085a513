/** Who may do what: lines 24 to 31 of docs/security.md. That the router follows these rules is tested in tests/access.test.ts. */
import { expect, test } from 'vitest'
import {
  deleteUser,
  listUsers,
  register,
  saveAccount,
  setUserActivation,
  setUserRole,
  verifySession,
} from '#contract/accounts.ts'
import { saveAddress } from '#contract/addresses.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { initBatch, listBatches, processBatch, retryFailedLabels } from '#contract/batches.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { placeOrder, quotePrice } from '#contract/orders.ts'
import { topUp } from '#contract/payments.ts'
import { createScanForms } from '#contract/scan-forms.ts'
import { addSkus, deleteSku } from '#contract/skus.ts'
import { voidOrders } from '#contract/voids.ts'
import { PASSWORD, injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'
import { projectFiles, readProjectFile } from '#tests/support/source.ts'
import { tableChecksums } from '#tests/support/table-checksums.ts'
import { ACCESS } from './access-table.ts'

const app = await testApp()
const admin = await app.admin()
const nameOf = (call: Endpoint) => `${call.method} ${call.path}`
const batchOf = async (of: TestUser) =>
  (await app.call(listBatches, { params: { userId: of.user._id }, query: {} }, of.token)).body[0]!

/** A customer who has one of everything: a label, a bulk order with a failed row, a SKU, an address, an open invoice. */
async function createCustomerWithEverything(): Promise<{
  ana: TestUser
  batchId: string
  ids: Record<string, string>
  pdfName: string
  invoiceId: string
}> {
  const ana = await app.register('Ana')
  const params = { userId: ana.user._id }
  await app.creditDollars(ana.user._id, 100)
  const { data } = (await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token))
    .body
  const { orderId: batchId } = (await app.call(initBatch, { body: params }, ana.token)).body
  const orderData = [row(1), row(2, { ToStreet2: 'SANDBOX REFUSE' })]
  expect(
    (await app.call(processBatch, { params, body: { orderId: batchId, orderData } }, ana.token))
      .status,
  ).toBe(202)
  await expect.poll(async () => isTerminal((await batchOf(ana)).status)).toBe(true)
  const parsedData = [{ sku: 'MUG', maxQty: 4, weight: 1, length: 8, width: 6, height: 4 }]
  const { SkuData } = (await app.call(addSkus, { params, body: { parsedData } }, ana.token)).body
  const formData = {
    address_id: 'home',
    name: 'Ana',
    street: '1 Main St',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  }
  const { address } = (await app.call(saveAddress, { params, body: { formData } }, ana.token)).body
  const invoice = (await app.call(topUp, { params }, ana.token)).body
  const { scanForms } = (
    await app.call(createScanForms, { params, body: { orderIds: [data.orderId] } }, ana.token)
  ).body
  return {
    ana,
    batchId,
    pdfName: data.pdfName!,
    invoiceId: invoice.id,
    ids: {
      userId: ana.user._id,
      orderId: data.orderId,
      skuId: SkuData[0]!._id,
      addressRecordId: address._id,
      scanFormId: scanForms[0]!.id,
    },
  }
}

test('24 every call is in the table of access, and declares the same itself', () => {
  const said = app.router.calls.map(call => [
    nameOf(call),
    [
      call.access,
      call.adminMayWrite && 'administrators write',
      call.refusesAdministrators && 'no administrator',
      call.refusesImpersonation && 'in person',
      call.acceptsDownloadCookie && 'by cookie',
    ]
      .filter(Boolean)
      .join(', '),
  ])
  expect(
    Object.fromEntries(said),
    'a new call is entered in tests/security/access-table.ts',
  ).toEqual(ACCESS)
})

test('25 another user’s data is neither found nor changed, whichever id is sent', async () => {
  const { ana, batchId, ids, pdfName, invoiceId } = await createCustomerWithEverything()
  const bob = await app.register('Bob')
  const about = (call: Endpoint): object[] => {
    const names = [...call.path.matchAll(/:(\w+)/g)].map(match => match[1]!)
    if (names.includes('kind'))
      return [
        { kind: 'v2', name: pdfName },
        ...['pdf', 'result-csv'].map(kind => ({ kind, name: batchId })),
      ]
    const valueOf = (name: string) =>
      name === 'id'
        ? invoiceId
        : name === 'orderId' && call.path.includes('/bulk/')
          ? batchId
          : ids[name]
    return [Object.fromEntries(names.map(name => [name, valueOf(name)]))]
  }
  const owned = app.router.calls.filter(
    ({ access, path }) => (access === 'self' || access === 'signed-in') && path.includes(':'),
  )
  expect(owned.length).toBeGreaterThan(30)
  const before = await tableChecksums(app.database)
  const answers: string[] = []
  for (const call of owned) {
    for (const params of about(call)) {
      const request = injectOptionsFor(call, {
        params,
        body: call.method === 'GET' ? undefined : { amount: 5 },
      })
      const { statusCode } = await app.send({ ...request, headers: { token: bob.token } })
      const due = call.access === 'self' ? 403 : 404
      if (statusCode !== due)
        answers.push(`${nameOf(call)} ${JSON.stringify(params)}: ${statusCode}`)
    }
  }
  expect(answers).toEqual([])
  // Of several labels each is answered for itself: another's as one that never was.
  const orderIds = [ids.orderId!, '999999']
  const {
    body: { results, ...counts },
  } = await app.call(voidOrders, { body: { orderIds } }, bob.token)
  expect(counts).toEqual({ voided: 0, requested: 0, refused: 2 })
  expect(results[0]).toEqual({ ...results[1], orderId: ids.orderId })
  expect(await tableChecksums(app.database)).toEqual(before)
  expect((await app.call(verifySession, {}, ana.token)).body.user.balance).toBe(100 - 9.5 - 6.5)
})

test('26 the user named in a body must be the caller', async () => {
  const [ana, bob] = [await app.register(), await app.register()]
  await app.creditDollars(ana.user._id, 50)
  const asBob = [
    app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, bob.token),
    app.call(initBatch, { body: { userId: ana.user._id } }, bob.token),
    app.call(quotePrice, { body: { userId: ana.user._id, shipments: [] } }, bob.token),
  ]
  expect((await Promise.all(asBob)).map(({ status }) => status)).toEqual([403, 403, 403])
  // Nor is an administrator's order paid by a customer.
  expect(
    (await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, admin.token)).status,
  ).toBe(403)
  const both = { method: 'POST' as const, url: placeOrder.path, headers: { token: bob.token } }
  expect(
    (
      await app.send({
        ...both,
        payload: { ...singleOrderBody(bob.user._id), userId: ana.user._id },
      })
    ).statusCode,
  ).not.toBe(200)
  expect((await app.call(verifySession, {}, ana.token)).body.user.balance).toBe(50)
})

const UNKNOWN_FIELDS = {
  user_role: 'admin',
  role: 'admin',
  balance: 1_000_000,
  available: 1_000_000,
  activation: 'block',
  totalDeposit: 5,
  referred_by: 1,
  _id: '1',
  id: 1,
  email: 'taken@example.com',
  referral_code: 'MINE',
  password_hash: 'x',
}

test('27 no user can give themselves a role, money or another’s code by registering or changing the account', async () => {
  const body = {
    ...UNKNOWN_FIELDS,
    name: 'Eve',
    email: 'eve@example.com',
    password: PASSWORD,
    confirmPassword: PASSWORD,
  }
  const {
    body: { token, user },
  } = await app.call(register, { body }, undefined)
  const plain = {
    user_role: 'user',
    balance: 0,
    activation: 'allow',
    totalDeposit: 0,
    email: 'eve@example.com',
  }
  expect(user).toMatchObject(plain)
  const saved = await app.call(
    saveAccount,
    { params: { userId: user._id }, body: { ...UNKNOWN_FIELDS, name: 'Eve' } },
    token,
  )
  expect([saved.status, saved.body.user]).toEqual([200, expect.objectContaining(plain)])
  expect(saved.body.user.referralCode).toBe(user.referralCode)
})

test('28 unknown fields are dropped: no description lets more through than it names', async () => {
  const ana = await app.register()
  await app.creditDollars(ana.user._id, 20)
  const good = singleOrderBody(ana.user._id)
  const more = {
    ...good,
    ...UNKNOWN_FIELDS,
    price: 0.01,
    state: 'purchased',
    tracking_number: '1',
    sender: { ...good.sender, admin: true },
  }
  const { status, body } = await app.call(placeOrder, { body: more }, ana.token)
  expect([status, body.data.price]).toEqual([200, 9.5])
  const { rows } = await app.database.pool.query(
    'select o::text as line from shipment_order o where user_id = $1',
    [ana.user._id],
  )
  expect([rows.length, rows[0].line.includes('1000000'), rows[0].line.includes('admin')]).toEqual([
    1,
    false,
    false,
  ])
  const open = projectFiles('contract/**/*.ts').filter(path =>
    /\.(loose|passthrough|catchall)\(|looseObject/.test(readProjectFile(path)),
  )
  expect(open, 'descriptions that let unknown names through').toEqual([])
})

test('29 retrying a bulk order and deleting a SKU check ownership, although no user is in their path', async () => {
  const { ana, batchId, ids } = await createCustomerWithEverything()
  const bob = await app.register('Bob')
  const before = await tableChecksums(app.database)
  const retried = await app.call(retryFailedLabels, { params: { orderId: batchId } }, bob.token)
  const deleted = await app.call(deleteSku, { params: { skuId: ids.skuId! } }, bob.token)
  expect([retried.status, deleted.status]).toEqual([404, 404])
  expect(await tableChecksums(app.database)).toEqual(before)
  expect((await app.call(deleteSku, { params: { skuId: ids.skuId! } }, ana.token)).status).toBe(200)
})

test('30 the last administrator can neither give up the role nor block nor delete themselves', async () => {
  const { body: admins } = await app.call(listUsers, { query: { user_role: 'admin' } }, admin.token)
  expect(admins).toHaveLength(1)
  const params = { userId: admin.user._id }
  const tries = [
    await app.call(setUserRole, { params, body: { user_role: 'user' } }, admin.token),
    await app.call(setUserActivation, { params, body: { activation: 'block' } }, admin.token),
    await app.call(deleteUser, { params }, admin.token),
  ]
  expect(tries.map(({ status }) => status)).toEqual([409, 409, 409])
  expect((await app.call(verifySession, {}, admin.token)).body.user.user_role).toBe('admin')
})

test('31 a new role applies from the next call on', async () => {
  const { token, user } = await app.register()
  const become = (user_role: 'user' | 'admin') =>
    app.call(setUserRole, { params: { userId: user._id }, body: { user_role } }, admin.token)
  const sees = async () => (await app.call(listUsers, { query: {} }, token)).status
  const seen = [await sees()]
  for (const role of ['admin', 'user'] as const) {
    await become(role)
    seen.push(await sees())
  }
  expect(seen).toEqual([403, 200, 403])
})
