import { hash, verify } from '@node-rs/argon2'
import type { Algorithm } from '@node-rs/argon2'
import { Refusal } from '#server/platform/http/refusal.ts'

// Argon2id with 19 MiB, two passes, one lane: OWASP's minimum; 18 ms on a small machine.
const HASH_PARAMETERS = {
  algorithm: 2 as Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}
const HASH_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'
// Compared for unknown emails, so that the response time does not tell them apart.
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$K41NHXWMbSCvZPyGKCherA$A78wCssdyTVsNAHJuDVoiFr60LevAFIUAl67qIWCdY4'

/** Returns a PHC string. */
export const hashPassword = (password: string): Promise<string> => hash(password, HASH_PARAMETERS)

/** The comparison itself, in an object so that a test can count the calls. */
export const argon2 = { verify }

/** Without `stored` it takes the same time and returns false. */
export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  const same = await argon2.verify(stored ?? DUMMY_HASH, password)
  return stored !== null && same
}

/** Whether a hash has old parameters and should be renewed at the next sign-in. */
export const isOutdatedHash = (stored: string): boolean => !stored.startsWith(HASH_PREFIX)

const MAX_CONCURRENT_HASHES = 4
const MAX_QUEUED_HASHES = 200

export type HashingLimiter = <T>(work: () => Promise<T>) => Promise<T>

/**
 * At most four hashes at a time, first come first served, so that many sign-ins leave CPU to other
 * requests. Throws Refusal 'unavailable' when too many wait.
 */
export function createHashingLimiter(): HashingLimiter {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running < MAX_CONCURRENT_HASHES) running++
    else if (waiting.length < MAX_QUEUED_HASHES)
      await new Promise<void>(resolve => waiting.push(resolve))
    else
      throw new Refusal(
        'unavailable',
        'Too many people are signing in right now. Try again in a few seconds.',
        undefined,
        5,
      )
    try {
      return await work()
    } finally {
      // The slot passes directly to the next waiter, so that no newcomer overtakes the queue.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
