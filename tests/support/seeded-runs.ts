/**
 * Tests that play at random. Each round has a seed from which all of it follows: EVENPOST_SEED plays a round again that failed,
 * EVENPOST_LONG_MINUTES goes on with seed after seed until the time is over.
 */
import { randomInt } from 'node:crypto'

const SEEDS = 2 ** 31

const { EVENPOST_SEED: givenSeed, EVENPOST_LONG_MINUTES: givenMinutes } = process.env

/** The first seed: the one that was asked for, or any. */
export const SEED = givenSeed ? Number(givenSeed) : randomInt(SEEDS)

/** How long tests go on that look for the unforeseen; 0 in an ordinary run. */
export const LONG_MINUTES = Number(givenMinutes ?? 0)

/** Time (ms) that a test needs which takes `shortMs` in an ordinary run. */
export const timeoutFor = (shortMs: number): number => shortMs + LONG_MINUTES * 60_000

/** How a round with this seed is played again. */
export const replayHint = (seed: number): string =>
  `play it again with EVENPOST_SEED=${seed}${LONG_MINUTES > 0 ? ' npm run test:long -- 0.1' : ''}`

/**
 * Plays a round, in the long form one after another. A failure says with which seed the same comes again. `usual`: the seed of an
 * ordinary run, for tests that are to find the same each day.
 */
export async function runSeeds(
  round: (seed: number) => Promise<void>,
  usual = SEED,
): Promise<void> {
  const until = Date.now() + LONG_MINUTES * 60_000
  for (let seed = givenSeed ? SEED : usual; ; seed = (seed + 1) % SEEDS) {
    await round(seed).catch((cause: unknown) => {
      throw new Error(
        `${replayHint(seed)}: ${cause instanceof Error ? cause.message : String(cause)}`,
        {
          cause,
        },
      )
    })
    if (LONG_MINUTES > 0) console.log(`seed ${seed}: in order`)
    if (Date.now() >= until) return
  }
}
