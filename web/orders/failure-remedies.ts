/** What to change so that the carrier takes a label, by the reason of the failure. Pure. */
import { texts } from './texts.ts'

const t = texts.remedies

/** The first that fits; the carriers' own words. */
const REMEDIES: readonly (readonly [words: RegExp, remedy: string])[] = [
  [/address|street|city|zip|postal|recipient/i, t.address],
  [/weight|heavy|\blb\b/i, t.weight],
  [/dimension|length|girth/i, t.size],
]

/** Null where the reason is not about what the row says: it may be bought as it is. */
export const remedyFor = (reason: string): string | null =>
  REMEDIES.find(([words]) => words.test(reason))?.[1] ?? null

type Failures = readonly { reason: string }[]

/** Whether a retry of the same rows is refused again, as far as the reasons tell. */
export const needsEdit = (failures: Failures): boolean =>
  failures.some(({ reason }) => remedyFor(reason) !== null)
