/** Stands here until the screen is built. */
export function OrdersPage() {
  return null
}
