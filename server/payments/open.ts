/** Opens payments: the provider, the routes, the webhook inbox and the invoice poller. */
import type { FastifyInstance } from 'fastify'
import { paymentWebhook } from '#contract/payments.ts'
import type { Context } from '#server/platform/context.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { RequestLimits } from '#server/platform/http/request-limits.ts'
import type { Router } from '#server/platform/http/router.ts'
import { btcpayProvider } from './btcpay/adapter.ts'
import { invoicePoller } from './jobs.ts'
import type { PaymentProvider } from './port.ts'
import { registerPaymentRoutes, registerWebhookRoutes } from './routes.ts'
import { sandboxPages } from './sandbox/pages.ts'
import { sandboxProvider } from './sandbox/provider.ts'
import type { SandboxProvider } from './sandbox/provider.ts'
import { registerSandboxPaymentRoutes } from './sandbox/routes.ts'
import type { PaymentsContext } from './service.ts'
import { openWebhookInbox } from './webhook-inbox.ts'
import { SIGNATURE_HEADER } from './webhook.ts'

export type OpenPayments = PaymentsContext & {
  /** Includes the sandbox's routes and pages in sandbox mode. */
  registerRoutes(app: FastifyInstance, router: Router, answers: LongAnswers): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** With ROLE=web invoices are looked up on requests and webhooks only; workers poll. */
export function openPayments(ctx: Context, limits: RequestLimits): OpenPayments {
  const sandbox = ctx.config.payments === 'sandbox' ? sandboxProvider(ctx) : null
  const provider: PaymentProvider = sandbox ?? btcpayProvider(ctx.config.btcpay)
  const payments = { ...ctx, limits, provider }
  const inbox = openWebhookInbox(payments)
  const poller = invoicePoller(payments, inbox)
  return {
    ...payments,
    registerRoutes(app, router, answers) {
      registerPaymentRoutes(router, payments, answers)
      registerWebhookRoutes(router, inbox)
      if (sandbox) serveSandboxPayments(app, router, { ...payments, provider: sandbox })
    },
    async start() {
      await provider.webhooks.secret()
      await poller.start()
    },
    async stop() {
      await poller.stop()
      await inbox.stop()
    },
  }
}

function serveSandboxPayments(
  app: FastifyInstance,
  router: Router,
  payments: PaymentsContext & { provider: SandboxProvider },
): void {
  registerSandboxPaymentRoutes(router, payments)
  sandboxPages(app)
  const url = paymentWebhook.path.replace(':provider', payments.provider.name)
  payments.provider.deliverWebhooksTo((payload, signature) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { [SIGNATURE_HEADER]: signature, 'content-type': 'application/json' },
    }),
  )
}
