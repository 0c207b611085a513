/** Stands here until the screen is built. */
export function DashboardPage() {
  return null
}
