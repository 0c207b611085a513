/**
 * Tests with random input. Everything in a run follows from its seed. An ordinary run has a fixed seed, so that it finds the same
 * each day; EVENPOST_SEED chooses another one, and EVENPOST_LONG_MINUTES runs seed after seed until the time is over.
 */
const SEEDS = 2 ** 31
const ORDINARY_SEED = 20_261_121

const { EVENPOST_SEED: givenSeed, EVENPOST_LONG_MINUTES: givenMinutes } = process.env

/** The first seed. */
export const SEED = givenSeed ? Number(givenSeed) : ORDINARY_SEED

/** For how long the long form runs; 0 in an ordinary run. */
export const LONG_MINUTES = Number(givenMinutes ?? 0)

/** The time limit (ms) of a test that takes at most `shortMs` in an ordinary run. */
export const timeoutFor = (shortMs: number): number => shortMs + LONG_MINUTES * 60_000

/** How to repeat the run of a seed. */
export const replayHint = (seed: number): string =>
  `repeat it with EVENPOST_SEED=${seed}${LONG_MINUTES > 0 ? ' npm run test:long -- 0.1' : ''}`

/** Runs one seed, or in the long form one after another. A failure names the seed that repeats it. */
export async function runSeeds(run: (seed: number) => Promise<void>): Promise<void> {
  const until = Date.now() + LONG_MINUTES * 60_000
  for (let seed = SEED; ; seed = (seed + 1) % SEEDS) {
    await run(seed).catch((cause: unknown) => {
      throw new Error(
        `${replayHint(seed)}: ${cause instanceof Error ? cause.message : String(cause)}`,
        {
          cause,
        },
      )
    })
    if (LONG_MINUTES > 0) console.log(`seed ${seed}: passed`)
    if (Date.now() >= until) return
  }
}
