import { hash, verify } from '@node-rs/argon2'
import type { Algorithm } from '@node-rs/argon2'
import { Refusal } from '#server/platform/http/refusal.ts'

// Argon2id with 19 MiB, two passes, one lane: the least that OWASP advises; 18 ms on a small machine.
const HASH_PARAMETERS = {
  algorithm: 2 as Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}
const HASH_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'
// Nobody's password: what an unknown e-mail address is compared with, so that it cannot be told by the time.
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$K41NHXWMbSCvZPyGKCherA$A78wCssdyTVsNAHJuDVoiFr60LevAFIUAl67qIWCdY4'

/** The stored form (PHC string) of a password. */
export const hashPassword = (password: string): Promise<string> => hash(password, HASH_PARAMETERS)

/** The comparison itself, in an object so that a test can count the calls. */
export const argon2 = { verify }

/** Whether `password` is the one behind `stored`. Without `stored` it takes as long and says no. */
export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  const same = await argon2.verify(stored ?? DUMMY_HASH, password)
  return stored !== null && same
}

/** Whether a stored form was made with other parameters than today's and should be made anew at the next sign-in. */
export const isOutdatedHash = (stored: string): boolean => !stored.startsWith(HASH_PREFIX)

const MAX_CONCURRENT_HASHES = 4
const MAX_QUEUED_HASHES = 200

/** Lets work with passwords in by turns. */
export type HashingLimiter = <T>(work: () => Promise<T>) => Promise<T>

/**
 * At most four pieces of work at a time, in order, so that a crowd at the door leaves the processor to the others. Throws Refusal
 * 'unavailable' when too many wait.
 */
export function openHashingLimiter(): HashingLimiter {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running < MAX_CONCURRENT_HASHES) running++
    else if (waiting.length < MAX_QUEUED_HASHES)
      await new Promise<void>(resolve => waiting.push(resolve))
    else
      throw new Refusal(
        'unavailable',
        'Too many people are signing in at this moment. Please try again in a few seconds.',
        undefined,
        5,
      )
    try {
      return await work()
    } finally {
      // The place is handed on, not freed and taken again: nobody overtakes the queue.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
