import type { WithBatches } from '#server/batches/close.ts'
import type { Door } from '#server/platform/http.ts'
import { orderAdminRoutes } from './orders-routes.ts'

/** The calls that look across all rooms, for administrators. */
export function adminRoutes(door: Door, house: WithBatches): void {
  orderAdminRoutes(door, house)
}
