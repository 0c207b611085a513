import { countedTurns, yieldToOthers } from './turns.ts'

/** Sorting so many takes some 5 ms. */
const RUN = 2_048
/** Merging so many takes some 5 ms. */
const MERGED_A_TURN = 10_000

type Compare<T> = (a: T, b: T) => number

/** Sorts a long list, and lets other requests run meanwhile. Equal items keep their order. */
export async function sortInTurns<T>(items: readonly T[], compare: Compare<T>): Promise<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += RUN) {
    if (from > 0) await yieldToOthers()
    runs.push(items.slice(from, from + RUN).sort(compare))
  }
  const turn = countedTurns(MERGED_A_TURN)
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let run = 0; run < runs.length; run += 2)
      longer.push(await merged(runs[run]!, runs[run + 1] ?? [], compare, turn))
    runs = longer
  }
  return runs[0] ?? []
}

async function merged<T>(
  left: readonly T[],
  right: readonly T[],
  compare: Compare<T>,
  turn: () => Promise<void>,
): Promise<T[]> {
  const all: T[] = []
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const isLeft = r === right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0)
    all.push(isLeft ? left[l++]! : right[r++]!)
    await turn()
  }
  return all
}
