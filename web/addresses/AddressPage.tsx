/** Stands here until the screen is built. */
export function AddressPage() {
  return null
}
