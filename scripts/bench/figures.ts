/**
 * The value that so large a `share` of the values, 0 to 1, does not exceed (nearest rank). NaN without
 * values.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** How long `work` takes, in ms. */
export function timed(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}
