import type { LabelContext } from '#server/orders/context.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import { registerAddressRoutes } from './address-routes.ts'
import { registerBatchRoutes } from './batch-routes.ts'
import { openEasypostJobs } from './buy-jobs.ts'
import type { EasypostJobs } from './buy-jobs.ts'
import type { EasypostContext } from './context.ts'
import { registerLabelRoutes } from './label-routes.ts'
import { registerShipmentRoutes } from './shipment-routes.ts'
import { registerRefundRoutes, registerTrackerRoutes } from './tracker-routes.ts'

export type OpenEasypost = EasypostJobs & {
  registerRoutes(router: Router, answers: LongAnswers): void
}

/** /v2: EasyPost's published interface over our own orders. */
export function openEasypost(given: LabelContext, secretKey: SecretKey): OpenEasypost {
  const ctx: EasypostContext = { ...given, secretKey }
  return {
    ...openEasypostJobs(ctx),
    registerRoutes(router, answers) {
      registerAddressRoutes(router, ctx)
      registerShipmentRoutes(router, ctx)
      registerRefundRoutes(router, ctx)
      registerTrackerRoutes(router, ctx)
      registerBatchRoutes(router, ctx)
      registerLabelRoutes(router, ctx, answers)
    },
  }
}
