/** A payment service that is played: durable, with the life of BTCPay's invoices, and obedient to `pay`, `expire` and `pay-late`. */
import { randomBytes } from 'node:crypto'
import type { Cents } from '#contract/money.ts'
import type { PaymentProvider, ProviderInvoice } from '#server/payments/port.ts'
import type { House } from '#server/platform/house.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { openDeliveries, SANDBOX_STORE } from './deliveries.ts'
import type { Post } from './deliveries.ts'
import { after, NEWS } from './rules.ts'
import type { Command } from './rules.ts'
import {
  findInvoice,
  findNewestByReference,
  insertInvoice,
  insertPayment,
  lockInvoice,
  updateState,
} from './store.ts'
import type { SandboxInvoice } from './store.ts'

export type SandboxProvider = PaymentProvider & {
  name: 'sandbox'
  /** Plays a command; `amount` with `pay` and `pay-late`. Throws Refusal 'not_found' or 'conflict'. */
  play(id: string, command: 'expire'): Promise<void>
  play(id: string, command: 'pay' | 'pay-late', amount: Cents): Promise<void>
  /** Where what was played is told of. */
  tellTo(post: Post): void
}

const EXPIRES_AFTER_MIN = 15

/** Where the sandbox's own pages are served. */
export const SANDBOX_PAGES = '/sandbox-pay'

export function sandboxProvider(house: House): SandboxProvider {
  const { database } = house
  const deliveries = openDeliveries(house)
  const withLink = (invoice: SandboxInvoice): ProviderInvoice => ({
    ...invoice,
    checkoutLink: `${house.config.publicUrl}${SANDBOX_PAGES}/invoice?id=${invoice.id}`,
  })
  return {
    name: 'sandbox',
    script: `${SANDBOX_PAGES}/modal/btcpay.js`,
    origin: null,
    webhooks: { storeId: SANDBOX_STORE, secret: deliveries.secret },
    tellTo: deliveries.to,
    async create({ reference }) {
      const id = `sbx${randomBytes(12).toString('hex')}`
      await database.tx(tx => insertInvoice(tx, id, reference, EXPIRES_AFTER_MIN))
      return withLink((await findInvoice(database.db, id))!)
    },
    async findByReference(reference) {
      const found = await findNewestByReference(database.db, reference)
      return found ? withLink(found) : null
    },
    async read(id) {
      const found = await findInvoice(database.db, id)
      return found ? withLink(found) : null
    },
    async play(id: string, command: Command, amount?: Cents) {
      const invoice = await database.tx(async tx => {
        const found = await lockInvoice(tx, id)
        if (!found) throw new Refusal('not_found', 'There is no such invoice')
        await updateState(tx, id, after(command, found))
        if (amount !== undefined) await insertPayment(tx, id, amount, command === 'pay-late')
        return found
      })
      for (const type of NEWS[command]) await deliveries.tell(type, invoice)
    },
  }
}
