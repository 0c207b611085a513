/** Movements of a page of the statement, with equal ones of a bulk order as one line. Pure. */
import type { StatementEntry } from '#contract/ledger.ts'
import { dollars, fromDollars, sum } from '#contract/money.ts'

/** `folded`: the movements behind a line of several, newest first; its amount is their sum. */
export type StatementLine = StatementEntry & { folded?: StatementEntry[] }

/**
 * Releases that follow each other, for the same reason and of the same submission of a bulk order,
 * become one line, with the balance after the newest of them.
 */
export function foldReleases(entries: readonly StatementEntry[]): StatementLine[] {
  const lines: StatementLine[] = []
  for (const entry of entries) {
    const last = lines.at(-1)
    if (!last || !isSameRelease(last, entry)) {
      lines.push(entry)
      continue
    }
    const folded = [...(last.folded ?? [last]), entry]
    const amount = dollars(sum(folded.map(one => fromDollars(one.amount)!)))
    lines[lines.length - 1] = { ...last, orderId: undefined, amount, folded }
  }
  return lines
}

const isSameRelease = (one: StatementEntry, other: StatementEntry): boolean =>
  one.kind === 'release'
  && other.kind === 'release'
  && one.batchId !== undefined
  && one.batchId === other.batchId
  && one.round === other.round
  && one.note === other.note
