/** The first administrator, signed in in this browser, and a customer to manage. */
import { login } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { clientFor } from '#tests/support/server-process.ts'
import { test as withCustomer } from './customer-fixture.ts'
import { ADMIN } from './global-setup.ts'

export const test = withCustomer.extend<{ admin: SignedInUser }>({
  admin: async ({ baseURL }, give) => {
    const { body } = await clientFor(baseURL!).call(login, { body: ADMIN })
    await give(body as SignedIn)
  },
  storageState: async ({ baseURL, admin }, give) => {
    const localStorage = [{ name: 'evenpost.token', value: admin.token }]
    await give({ cookies: [], origins: [{ origin: baseURL!, localStorage }] })
  },
})
