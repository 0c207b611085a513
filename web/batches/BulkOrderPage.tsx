/** Stands here until the screen is built. */
export function BulkOrderPage() {
  return null
}
