/**
 * How often what is free once in so many seconds came back since `begun` (performance.now()), as on
 * a machine that stood still.
 */
export const freedSince = (begun: number, everySeconds: number): number =>
  Math.floor((performance.now() - begun) / 1_000 / everySeconds)
