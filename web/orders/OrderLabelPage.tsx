/** Stands here until the screen is built. */
export function OrderLabelPage() {
  return null
}
