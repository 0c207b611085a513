/** A payment service that is played: durable, with the life of BTCPay's invoices, and obedient to `pay`, `expire` and `pay-late`. */
import { randomBytes } from 'node:crypto'
import type { Cents } from '#contract/money.ts'
import type { PaymentProvider, ProviderInvoice } from '#server/payments/port.ts'
import type { House } from '#server/platform/house.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { after } from './rules.ts'
import type { Command } from './rules.ts'
import { findInvoice, findNewestByReference, insertInvoice, insertPayment, lockInvoice, updateState } from './store.ts'
import type { SandboxInvoice } from './store.ts'

export type SandboxProvider = PaymentProvider & {
  name: 'sandbox'
  /** Plays a command; `amount` with `pay` and `pay-late`. Throws Refusal 'not_found' or 'conflict'. */
  play(id: string, command: 'expire'): Promise<void>
  play(id: string, command: 'pay' | 'pay-late', amount: Cents): Promise<void>
}

const EXPIRES_AFTER_MIN = 15

/** Where the sandbox's own pages are served. */
export const SANDBOX_PAGES = '/sandbox-pay'

export function sandboxProvider(house: House): SandboxProvider {
  const { database } = house
  const withLink = (invoice: SandboxInvoice): ProviderInvoice => ({
    ...invoice, checkoutLink: `${house.config.publicUrl}${SANDBOX_PAGES}/invoice?id=${invoice.id}`,
  })
  return {
    name: 'sandbox',
    script: `${SANDBOX_PAGES}/modal/btcpay.js`,
    origin: null,
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
    play: (id: string, command: Command, amount?: Cents) => database.tx(async tx => {
      const invoice = await lockInvoice(tx, id)
      if (!invoice) throw new Refusal('not_found', 'There is no such invoice')
      await updateState(tx, id, after(command, invoice))
      if (amount !== undefined) await insertPayment(tx, id, amount, command === 'pay-late')
    }),
  }
}
