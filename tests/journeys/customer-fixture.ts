/** Fixtures of journeys: an unknown visitor, or a customer with money, signed in. */
import { expect, test as base } from '@playwright/test'
import { saveAddress } from '#contract/addresses.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { totalOrders } from '#contract/orders.ts'
import type { BulkRow } from '#contract/rows.ts'
import { clientFor } from '#tests/support/server-process.ts'
import type { ServerClient, SignedInUser } from '#tests/support/server-process.ts'
import { saveData } from './save-data.ts'
import { recordToasts } from './toasts.ts'

/** The customer's HTTP client, for what must exist before the journey. */
export type Customer = SignedInUser & { api: ServerClient }

/** How many labels the customer has bought. */
export const labelsOf = async ({ api, user, token }: Customer): Promise<number> =>
  (await api.call(totalOrders, { params: { userId: user._id } }, token)).body.totalOrders

/** Waits for the end of the bulk order, and returns its id. */
export async function buyBulkOrder(
  { api, user, token }: Customer,
  orderData: BulkRow[],
): Promise<string> {
  const userId = user._id
  const { orderId } = (await api.call(initBatch, { body: { userId } }, token)).body
  const body = { orderId, orderData }
  const { status, body: answer } = await api.call(processBatch, { params: { userId }, body }, token)
  expect(status, answer.message).toBe(202)
  const hasEnded = async () =>
    isTerminal((await api.call(batchStatus, { params: { orderId } }, token)).body.status)
  await expect.poll(hasEnded).toBe(true)
  return orderId
}

/** Saves the one address that senders' fields are filled from. */
export async function saveSender({ api, token, user }: Customer): Promise<void> {
  const formData = {
    address_id: 'Warehouse',
    name: 'Mason Trading',
    street: '100 Congress Ave',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
  }
  await api.call(saveAddress, { params: { userId: user._id }, body: { formData } }, token)
}

/** What the browser and the product say of a call that did not work, or of live events that no server answered in time. */
const REFUSED_CALL_MESSAGE =
  /^(Failed to load resource|Could not load|WebSocket connection to '[^']*' failed: (?!.*Unexpected response code))/

/**
 * A visitor. The browser must report no error in any journey; refused calls do not count. `savesData: false` is a browser that loads
 * pages in advance.
 */
export const visitorTest = base.extend<{ savesData: boolean }>({
  savesData: [true, { option: true }],
  context: async ({ context, savesData }, give) => {
    await recordToasts(context)
    if (savesData) await saveData(context)
    await give(context)
  },
  page: async ({ page }, give) => {
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error' && !REFUSED_CALL_MESSAGE.test(message.text()))
        faults.push(message.text())
    })
    await give(page)
    // A route handler that is still running would reject when the page is closed.
    for (const one of page.context().pages()) await one.unrouteAll({ behavior: 'ignoreErrors' })
    expect(faults, 'complaints of the browser').toEqual([])
  },
})

/** A customer with `dollars` in the wallet, whom this browser knows: `test.use({ dollars: 50 })`. */
export const test = visitorTest.extend<{ dollars: number; customer: Customer }>({
  dollars: [0, { option: true }],
  customer: async ({ baseURL, dollars }, give) => {
    const app = clientFor(baseURL!)
    const customer = { ...(await app.register('Dana Cole')), api: app }
    if (dollars > 0) await app.pay(customer, dollars)
    await give(customer)
  },
  storageState: async ({ baseURL, customer }, give) => {
    const localStorage = [{ name: 'evenpost.token', value: customer.token }]
    await give({ cookies: [], origins: [{ origin: baseURL!, localStorage }] })
  },
})
