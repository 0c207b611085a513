/** Users for fuzzing: two customers with a bit of everything, and an administrator. */
import { listDevices } from '#contract/accounts.ts'
import { saveAddress } from '#contract/addresses.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import {
  defaultServices,
  renameDefaultService,
  setDefaultServicePrices,
  toggleDefaultService,
} from '#contract/catalogue.ts'
import { placeOrder } from '#contract/orders.ts'
import { topUp } from '#contract/payments.ts'
import { addSkus } from '#contract/skus.ts'
import type { TestApp, TestUser } from './app.ts'
import { row, singleOrderBody } from './rows.ts'

/** Users that ids refer to: two customers; the administrator may change the second one freely. */
export type FuzzSubjects = {
  firstCustomer: TestUser
  secondCustomer: TestUser
  admin: TestUser
  ids: Record<string, unknown[]>
}

/** A customer who has a bit of everything. */
async function createCustomer(
  app: TestApp,
): Promise<{ visitor: TestUser; ids: Record<string, unknown[]> }> {
  const visitor = await app.register()
  const {
    token,
    user: { _id: userId },
  } = visitor
  await app.creditDollars(userId, 500)
  const params = { userId }
  const placed = await app.call(placeOrder, { body: singleOrderBody(userId) }, token)
  const batch = (await app.call(initBatch, { body: { userId } }, token)).body.orderId
  const next = (await app.call(initBatch, { body: { userId } }, token)).body.orderId
  await app.call(
    processBatch,
    { params, body: { orderId: batch, orderData: [row(1), row(2)] } },
    token,
  )
  const skus = await app.call(
    addSkus,
    {
      params,
      body: { parsedData: [{ sku: 'MUG', maxQty: 4, weight: 1, length: 2, width: 3, height: 4 }] },
    },
    token,
  )
  const formData = {
    address_id: 'Home',
    name: 'Ana',
    street: '1 Main St',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  }
  const saved = await app.call(saveAddress, { params, body: { formData } }, token)
  const devices = await app.call(listDevices, { params }, token)
  const invoice = (await app.call(topUp, { params }, token)).body.id
  return {
    visitor,
    ids: {
      userId: [userId],
      user_id: [userId],
      orderId: [placed.body.data.orderId, batch, next],
      orderIds: [placed.body.data.orderId],
      batchId: [batch],
      skuId: [skus.body.SkuData[0]!._id],
      addressRecordId: [saved.body.address._id],
      invoiceId: [invoice],
      sessionId: devices.body.sessions.map(({ _id }) => _id),
      name: [placed.body.data.pdfName!, batch],
    },
  }
}

/**
 * Returns a function that creates new users and restores the catalogue after an administrator's
 * changes.
 */
export async function prepareSubjects(app: TestApp): Promise<() => Promise<FuzzSubjects>> {
  const { token: chief } = await app.admin()
  const services = (await app.call(defaultServices, {}, chief)).body
  return async () => {
    // A new one: an administrator created meanwhile may have demoted, blocked or deleted the others.
    const admin = await app.register()
    await app.database.pool.query(`update app_user set role = 'admin' where id = $1`, [
      admin.user._id,
    ])
    for (const { _id: id, name, prices } of services) {
      await app.call(toggleDefaultService, { params: { id }, body: { enabled: true } }, admin.token)
      await app.call(renameDefaultService, { params: { id }, body: { name } }, admin.token)
      await app.call(setDefaultServicePrices, { params: { id }, body: { prices } }, admin.token)
    }
    const [first, second] = [await createCustomer(app), await createCustomer(app)]
    const { sender, receiver, package: parcel } = singleOrderBody(first.visitor.user._id)
    const ids: Record<string, unknown[]> = {
      sender: [sender],
      receiver: [receiver],
      package: [parcel],
      amount: [5, 12.5],
      prices: [[{ fromWeight: 1, toWeight: 70, price: 6.5 }]],
      serviceId: services.map(({ _id }) => _id),
      service_name: services.flatMap(({ uid, name }) => [uid, name]),
      kind: ['v2', 'pdf', 'result-csv', 'auto-csv'],
      referralCode: [first.visitor.user.referralCode, second.visitor.user.referralCode],
      provider: ['sandbox'],
    }
    for (const key of Object.keys(first.ids)) ids[key] = [...first.ids[key]!, ...second.ids[key]!]
    return { firstCustomer: first.visitor, secondCustomer: second.visitor, admin, ids }
  }
}
