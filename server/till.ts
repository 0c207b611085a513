/** What takes money in: the payment service, the calls about deposits, and the poller that looks after invoices. */
import type { FastifyInstance } from 'fastify'
import { invoicePoller } from './payments/jobs.ts'
import { paymentRoutes } from './payments/routes.ts'
import { sandboxPages } from './payments/sandbox/pages.ts'
import { sandboxProvider } from './payments/sandbox/provider.ts'
import { sandboxPaymentRoutes } from './payments/sandbox/routes.ts'
import type { Payments } from './payments/service.ts'
import type { House } from './platform/house.ts'
import type { Door } from './platform/http.ts'
import type { Limits } from './platform/limits.ts'

export type Till = Payments & {
  /** Registers the calls, and in sandbox mode the sandbox's own calls and pages. */
  serve(app: FastifyInstance, door: Door): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** Adds the payment service to the house. With ROLE=web invoices are looked up when somebody asks; a worker polls. */
export function openTill(house: House, limits: Limits): Till {
  const payments = { ...house, limits, provider: sandboxProvider(house) }
  const poller = invoicePoller(payments)
  const polls = house.config.role !== 'web'
  return {
    ...payments,
    serve(app, door) {
      paymentRoutes(door, payments)
      sandboxPaymentRoutes(door, payments)
      sandboxPages(app)
    },
    start: async () => polls ? poller.start() : undefined,
    stop: () => poller.stop(),
  }
}
