import type { StateCounts } from '#server/orders/rules.ts'
import { countStates } from '#server/orders/service.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Fewer rows are counted within a millisecond. */
const MIN_ROWS = 1_000
/** Progress is announced this often. */
const MAX_AGE_MS = 200
/** Share of the time that may be spent counting the rows of one batch. */
const COUNTING_SHARE = 0.05

type RecentCount = { states: Promise<StateCounts>; until: number }
const recent = new WeakMap<Db, Map<number, RecentCount>>()

/** For progress. Rows of a large batch are not counted again for each reader, so a figure may be up to 200 ms old. */
export async function countStatesForProgress(
  db: Db,
  batches: readonly { id: number; total: number }[],
): Promise<Map<number, StateCounts>> {
  const small = batches.filter(({ total }) => total < MIN_ROWS)
  // At once: readers that come together share a count, however busy the database is.
  const large = batches
    .filter(({ total }) => total >= MIN_ROWS)
    .map(({ id }) => [id, recentCount(db, id)] as const)
  const states = await countStates(
    db,
    small.map(({ id }) => id),
  )
  for (const [id, counts] of large) states.set(id, await counts)
  return states
}

function recentCount(db: Db, id: number): Promise<StateCounts> {
  const counts = recent.get(db) ?? new Map<number, RecentCount>()
  recent.set(db, counts)
  const known = counts.get(id)
  const began = performance.now()
  if (known && began < known.until) return known.states
  for (const [other, { until }] of counts) if (until <= began) counts.delete(other)
  const counted: RecentCount = {
    states: countStates(db, [id]).then(states => states.get(id)!),
    until: Infinity,
  }
  counts.set(id, counted)
  counted.states.then(
    () => {
      const now = performance.now()
      counted.until = now + Math.min(MAX_AGE_MS, (now - began) / COUNTING_SHARE)
    },
    () => counts.delete(id),
  )
  return counted.states
}
