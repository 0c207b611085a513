/** What takes money in: the payment service, the calls about deposits, its messages, and the poller that looks after invoices. */
import type { FastifyInstance } from 'fastify'
import { paymentWebhook } from '#contract/payments.ts'
import { btcpayProvider } from './payments/btcpay/adapter.ts'
import { openInbox } from './payments/inbox.ts'
import { invoicePoller } from './payments/jobs.ts'
import type { PaymentProvider } from './payments/port.ts'
import { paymentRoutes, webhookRoutes } from './payments/routes.ts'
import { sandboxPages } from './payments/sandbox/pages.ts'
import { sandboxProvider } from './payments/sandbox/provider.ts'
import type { SandboxProvider } from './payments/sandbox/provider.ts'
import { sandboxPaymentRoutes } from './payments/sandbox/routes.ts'
import type { Payments } from './payments/service.ts'
import { SIGNATURE_HEADER } from './payments/webhook.ts'
import type { House } from './platform/house.ts'
import type { Door } from './platform/http.ts'
import type { Limits } from './platform/limits.ts'

export type Till = Payments & {
  /** Registers the calls, and in sandbox mode the sandbox's own calls and pages. */
  serve(app: FastifyInstance, door: Door): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Adds the payment service to the house. With ROLE=web invoices are looked up when somebody asks or tells; a worker polls. */
export function openTill(house: House, limits: Limits): Till {
  const sandbox = house.config.payments === 'sandbox' ? sandboxProvider(house) : null
  const provider: PaymentProvider = sandbox ?? btcpayProvider(house.config.btcpay)
  const payments = { ...house, limits, provider }
  const inbox = openInbox(payments)
  const poller = invoicePoller(payments, inbox)
  const polls = house.config.role !== 'web'
  return {
    ...payments,
    serve(app, door) {
      paymentRoutes(door, payments)
      webhookRoutes(door, inbox)
      if (sandbox) serveSandbox(app, door, { ...payments, provider: sandbox })
    },
    async start() {
      await provider.webhooks.secret()
      if (polls) await poller.start()
    },
    async stop() {
      await poller.stop()
      await inbox.rest()
    },
  }
}

function serveSandbox(
  app: FastifyInstance,
  door: Door,
  payments: Payments & { provider: SandboxProvider },
): void {
  sandboxPaymentRoutes(door, payments)
  sandboxPages(app)
  const url = paymentWebhook.path.replace(':provider', payments.provider.name)
  payments.provider.tellTo((payload, signature) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { [SIGNATURE_HEADER]: signature, 'content-type': 'application/json' },
    }),
  )
}
