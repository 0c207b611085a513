import type { LabelContext } from '#server/orders/context.ts'
import type { Router } from '#server/platform/http/router.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { orderAdminRoutes } from './orders-routes.ts'

export function adminRoutes(router: Router, ctx: LabelContext): void {
  dashboardRoutes(router, ctx)
  orderAdminRoutes(router, ctx)
}
