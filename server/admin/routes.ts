import type { WithBatches } from '#server/batches/close.ts'
import type { Door } from '#server/platform/http.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { orderAdminRoutes } from './orders-routes.ts'

/** The calls that look across all rooms, for administrators. */
export function adminRoutes(door: Door, house: WithBatches): void {
  dashboardRoutes(door, house)
  orderAdminRoutes(door, house)
}
