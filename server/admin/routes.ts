import type { WithBatches } from '#server/batches/close.ts'
import type { Router } from '#server/platform/http/router.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { orderAdminRoutes } from './orders-routes.ts'

/** The calls that look across all rooms, for administrators. */
export function adminRoutes(door: Router, ctx: WithBatches): void {
  dashboardRoutes(door, ctx)
  orderAdminRoutes(door, ctx)
}
