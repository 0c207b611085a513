/** Stands here until the screen is built. */
export function DepositPage() {
  return null
}
