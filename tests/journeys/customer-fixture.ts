/** Who makes a journey: a visitor nobody knows yet, or a customer of his own with money, signed in. */
import { expect, test as base } from '@playwright/test'
import { clientFor } from '#tests/support/server-process.ts'
import type { ServerClient, SignedInUser } from '#tests/support/server-process.ts'

/** The house as the journey's customer asks it over HTTP, for what was there before the journey begins. */
export type Customer = SignedInUser & { api: ServerClient }

/** What the browser and the product say of a call that did not work. */
const REFUSED_CALL_MESSAGE = /^(Failed to load resource|Could not load)/

/** A visitor. Whatever the journey, the browser must have nothing to complain about; refused calls are no complaint. */
export const visitorTest = base.extend({
  page: async ({ page }, give) => {
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error' && !REFUSED_CALL_MESSAGE.test(message.text()))
        faults.push(message.text())
    })
    await give(page)
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
