/** How long an attack keeps others waiting, told apart from a machine that stands still for a moment. */
import { FROZEN } from '#tests/support/health-watch.ts'
import type { HealthWatch } from '#tests/support/health-watch.ts'

const MOST_ATTACKS = 3

/**
 * The longest wait of other callers during an attack (tests/support/health-watch.ts), of several
 * attacks the shortest: an attack that blocks the server does so each time, a busy machine is slow
 * only now and then. `attack` may be called again until the wait is below `most` and the last attack
 * found enough.
 */
export async function waitDuring(
  watch: HealthWatch,
  attack: () => Promise<unknown>,
  most = FROZEN,
  foundEnough = (): boolean => true,
): Promise<number> {
  let least = Infinity
  for (let attacks = 0; attacks < MOST_ATTACKS && (least >= most || !foundEnough()); attacks++) {
    await watch.calm()
    least = Math.min(least, watch.ratio(await watch.during(attack)))
  }
  return least
}
