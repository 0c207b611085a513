import { randomBytes } from 'node:crypto'
import type { Cents } from '#contract/money.ts'
import type { PaymentProvider, ProviderInvoice } from '#server/payments/port.ts'
import type { Context } from '#server/platform/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { stateAfter, WEBHOOK_TYPES } from './rules.ts'
import type { PaymentCommand } from './rules.ts'
import {
  findSandboxInvoice,
  findNewestByReference,
  insertSandboxInvoice,
  insertPayment,
  lockSandboxInvoice,
  updateInvoiceState,
} from './store.ts'
import type { SandboxInvoice } from './store.ts'
import { openWebhookSender, SANDBOX_STORE } from './webhook-sender.ts'
import type { DeliverWebhook } from './webhook-sender.ts'

export type SandboxProvider = PaymentProvider & {
  name: 'sandbox'
  /** `amount` for `pay` and `pay-late`. Throws Refusal 404 or 409. */
  runCommand(id: string, command: 'expire'): Promise<void>
  runCommand(id: string, command: 'pay' | 'pay-late', amount: Cents): Promise<void>
  deliverWebhooksTo(deliver: DeliverWebhook): void
}

const EXPIRES_AFTER_MIN = 15

export const SANDBOX_PAGES = '/sandbox-pay'

export function sandboxProvider(ctx: Context): SandboxProvider {
  const { database } = ctx
  const deliveries = openWebhookSender(ctx)
  const withLink = (invoice: SandboxInvoice): ProviderInvoice => ({
    ...invoice,
    checkoutLink: `${ctx.config.publicUrl}${SANDBOX_PAGES}/invoice?id=${invoice.id}`,
  })
  return {
    name: 'sandbox',
    script: `${SANDBOX_PAGES}/modal/btcpay.js`,
    origin: null,
    webhooks: { storeId: SANDBOX_STORE, secret: deliveries.secret },
    deliverWebhooksTo: deliveries.deliverTo,
    async create(input) {
      const id = `sbx${randomBytes(12).toString('hex')}`
      await database.tx(tx => insertSandboxInvoice(tx, id, input, EXPIRES_AFTER_MIN))
      return withLink((await findSandboxInvoice(database.db, id))!)
    },
    async findByReference(reference) {
      const found = await findNewestByReference(database.db, reference)
      return found ? withLink(found) : null
    },
    async read(id) {
      const found = await findSandboxInvoice(database.db, id)
      return found ? withLink(found) : null
    },
    async runCommand(id: string, command: PaymentCommand, amount?: Cents) {
      const invoice = await database.tx(async tx => {
        const found = await lockSandboxInvoice(tx, id)
        if (!found) throw new Refusal('invoice_unknown', 'Invoice not found')
        await updateInvoiceState(tx, id, stateAfter(command, found, amount))
        if (amount !== undefined) await insertPayment(tx, id, amount, command === 'pay-late')
        return found
      })
      for (const type of WEBHOOK_TYPES[command]) await deliveries.send(type, invoice)
    },
  }
}
