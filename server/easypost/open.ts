import type { LabelContext } from '#server/orders/context.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { RepeatedJob } from '#server/platform/process/repeated-job.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import type { WebhooksContext } from '#server/webhooks/context.ts'
import type { MessageFormat } from '#server/webhooks/formats.ts'
import { registerAddressRoutes } from './address-routes.ts'
import { registerBatchRoutes } from './batch-routes.ts'
import { openEasypostJobs } from './buy-jobs.ts'
import { batchContext } from './context.ts'
import type { EasypostContext } from './context.ts'
import { createEventFormat } from './event-format.ts'
import { registerLabelRoutes } from './label-routes.ts'
import { registerScanFormRoutes } from './scan-form-routes.ts'
import { registerShipmentRoutes } from './shipment-routes.ts'
import { registerRefundRoutes, registerTrackerRoutes } from './tracker-routes.ts'
import { registerWebhookRoutes } from './webhook-routes.ts'

export type OpenEasypost = RepeatedJob & {
  registerRoutes(router: Router, answers: LongAnswers, webhooks: WebhooksContext): void
}

/** /v2: EasyPost's published interface over our own orders. */
export function openEasypost(given: LabelContext, secretKey: SecretKey): OpenEasypost {
  const ctx: EasypostContext = { ...given, secretKey, clock: Date.now }
  return {
    ...openEasypostJobs(ctx),
    registerRoutes(router, answers, webhooks) {
      registerAddressRoutes(router, ctx)
      registerShipmentRoutes(router, ctx)
      registerRefundRoutes(router, ctx)
      registerTrackerRoutes(router, ctx)
      registerBatchRoutes(router, ctx, answers)
      registerScanFormRoutes(router, ctx)
      registerLabelRoutes(router, ctx, answers)
      registerWebhookRoutes(router, webhooks, answers)
    },
  }
}

/** The format of endpoints made through /v2. */
export const easypostEventFormat = (
  given: Pick<LabelContext, 'config'>,
  secretKey: SecretKey,
): MessageFormat => createEventFormat(batchContext({ ...given, secretKey, clock: Date.now }))
