import type { LabelContext } from '#server/orders/context.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { ReadRunways } from '#server/reports/runway.ts'
import { registerCarrierAccountRoutes } from './carrier-accounts-routes.ts'
import { registerDashboardRoutes } from './dashboard-routes.ts'
import { registerOrderAdminRoutes } from './orders-routes.ts'

export function registerAdminRoutes(
  router: Router,
  ctx: LabelContext,
  answers: LongAnswers,
  readRunways: ReadRunways,
): void {
  registerDashboardRoutes(router, ctx, answers)
  registerOrderAdminRoutes(router, ctx, answers)
  registerCarrierAccountRoutes(router, ctx, readRunways)
}
