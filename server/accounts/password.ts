import { hash, verify } from '@node-rs/argon2'
import type { Algorithm } from '@node-rs/argon2'
import { Refusal } from '#server/platform/http/refusal.ts'
import { currentUser } from '#server/platform/process/current-user.ts'

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
/** A hash takes 18 ms, so these wait for half a second. */
const MAX_QUEUED_OF_ONE = 100
const MAX_QUEUED_HASHES = 400

/** `from`: whose work it is; default: the signed-in user's. */
export type HashingLimiter = <T>(work: () => Promise<T>, from?: string) => Promise<T>

/**
 * At most four hashes at a time, so that many sign-ins leave CPU to other requests. Callers who
 * wait take turns: one with many delays another by one. Throws Refusal 503 when too many
 * wait.
 */
export function createHashingLimiter(): HashingLimiter {
  const lines = new Map<string, (() => void)[]>()
  let running = 0
  let queued = 0

  const waitInLine = (from: string): Promise<void> => {
    const line = lines.get(from) ?? []
    if (line.length >= MAX_QUEUED_OF_ONE || queued >= MAX_QUEUED_HASHES)
      throw new Refusal(
        'busy',
        'Too many people are signing in right now. Try again in a few seconds.',
        { retryAfter: 5 },
      )
    lines.set(from, line)
    queued++
    return new Promise(start => line.push(start))
  }
  // The slot passes directly to a waiter, so that no newcomer overtakes the queue.
  const startNext = (): void => {
    const [next] = lines
    if (!next) return void running--
    const [from, line] = next
    lines.delete(from)
    const start = line.shift()!
    if (line.length > 0) lines.set(from, line)
    queued--
    start()
  }
  return async (work, from = `user ${currentUser()}`) => {
    if (running < MAX_CONCURRENT_HASHES) running++
    else await waitInLine(from)
    try {
      return await work()
    } finally {
      startNext()
    }
  }
}
