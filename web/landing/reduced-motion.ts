/** Whether the visitor wants nothing to move. Asked each time, because the setting may change. */
export const prefersReducedMotion = (): boolean =>
  matchMedia('(prefers-reduced-motion: reduce)').matches
