/** Stands here until the screen is built. */
export function BatchOrdersPage() {
  return null
}
