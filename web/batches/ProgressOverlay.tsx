/** Stands here until the screen is built. */
export function ProgressOverlay() {
  return null
}
