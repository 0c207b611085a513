/** Paths to the cause of a movement. */
export type MovementLinks = {
  order: (id: string) => string
  batch: (id: string) => string
  invoice?: string
}
