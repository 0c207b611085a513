/** The sentences about failed labels in the overlay. Pure. */
import type { BatchFailures } from '#contract/batch-failures.ts'
import type { FailedLabel } from '#contract/batches.ts'
import { usdFromDollars } from '#contract/money.ts'
import { texts } from '#web/batches/texts.ts'

const t = texts.overlay
const MAX_NAMED = 3

/** The reasons with their numbers of labels: all failed labels are counted once. */
export function failureLines({
  reasons,
  otherCount,
  checkingCount,
}: BatchFailures): { reason: string; count: number }[] {
  return [
    ...reasons,
    { reason: t.otherReasons, count: otherCount },
    { reason: t.checking, count: checkingCount },
  ].filter(({ count }) => count > 0)
}

export function namedLabels(labels: readonly FailedLabel[]): Map<string, FailedLabel[]> {
  return Map.groupBy(labels.slice(0, MAX_NAMED), ({ reason }) => reason)
}

/**
 * Where the money of the failed labels is; empty where no money was set aside for them.
 * `releasedText`: the sentence about money that was released.
 */
export function moneyLines(
  { released, held, checkingCount }: BatchFailures,
  releasedText: (amount: string) => string = t.released,
): string[] {
  return [
    ...(released > 0 ? [releasedText(usdFromDollars(released))] : []),
    ...(held > 0 ? [t.held(usdFromDollars(held), checkingCount)] : []),
  ]
}
