/** Shops that buy their labels with scripts/evenpost.ts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { saveAddress } from '#contract/addresses.ts'
import { createKey } from '#contract/api-keys.ts'
import { listBatches } from '#contract/batches.ts'
import { SCOPES } from '#contract/keys.ts'
import { listOrders, totalOrders } from '#contract/orders.ts'
import type { TestApp } from './app.ts'
import { runCommand } from './run-command.ts'

const SENDER = {
  address_id: 'shop',
  name: 'Mason Trading',
  street: '100 Congress Ave',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
}

/** `folder`: for the files of one test file; `at`: the path of a file in it. */
export async function commandLineOf(app: TestApp) {
  const server = await app.listen()
  const folder = await mkdtemp(join(tmpdir(), 'evenpost-client-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return {
    folder,
    at: (name: string) => join(folder, name),
    /** A new customer with this balance and a key. */
    async shop(dollars: number) {
      const customer = await app.register()
      const { token, user } = customer
      await app.creditDollars(user._id, dollars)
      const { body } = await app.call(
        createKey,
        { params: { userId: user._id }, body: { name: 'Shop', scopes: [...SCOPES] } },
        token,
      )
      const env = { EVENPOST_URL: server, EVENPOST_KEY: body.key }
      const params = { userId: user._id }
      return {
        customer,
        env,
        run: (...args: string[]) => runCommand('evenpost', args, env),
        savesAddress: () => app.call(saveAddress, { params, body: { formData: SENDER } }, token),
        bought: async () => (await app.call(totalOrders, { params }, token)).body.totalOrders,
        /** Of the labels, in the order of their rows. */
        services: async () => {
          const { orders } = (await app.call(listOrders, { params, query: {} }, token)).body
          return orders.toSorted((a, b) => a.row! - b.row!).map(order => order.service_name)
        },
        batches: async () => (await app.call(listBatches, { params, query: {} }, token)).body,
      }
    },
  }
}
