import type { RowGrouping } from '#contract/imports.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { groupingTexts } from './texts.ts'

const t = texts.checks

/**
 * How much there is to check above the rows. `grouping` and `seen` (rows that have a label) are null
 * where nothing is asked about them.
 */
type CheckCounts = {
  grouping: RowGrouping | null
  seen: number | null
  /** What each cause of errors says. */
  causes: readonly string[]
  warnings: number
  leftOut: number
  notes: number
}

/** '3 rows with a label', '2 causes': the most urgent first. */
export function checkFacts({
  grouping,
  seen,
  causes,
  warnings,
  leftOut,
  notes,
}: CheckCounts): string[] {
  const facts = [
    seen !== null && t.seen(seen),
    causes.length > 0 && (causes.length === 1 ? causes[0]! : t.causes(causes.length)),
    warnings > 0 && t.warnings(warnings),
    grouping !== null && t.oneLabelFor(groupingTexts.names[grouping]),
    leftOut > 0 && t.leftOut(leftOut),
    notes > 0 && t.notes(notes),
  ]
  return facts.filter(fact => fact !== false)
}
