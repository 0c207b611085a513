import type { PostgresPool } from 'kysely'
import type pg from 'pg'
import { Refusal } from '#server/platform/http/refusal.ts'
import { currentUser } from '#server/platform/process/current-user.ts'

const PATIENCE_MS = 15_000
const RETRY_AFTER_SECONDS = 5

/** At most this share of the pool is one user's: statements that wait for a lock keep their connection. */
const SHARE_OF_ONE_USER = 4

type UserLine = { inUse: number; waiting: (() => void)[] }

/**
 * The pool, in which one user's requests have a quarter of all connections, at least two; further
 * statements of the user wait in line. Background work has no such limit. Throws Refusal 429
 * after 15 s.
 */
export function limitConnectionsPerUser(pool: pg.Pool, poolSize: number): PostgresPool {
  const most = Math.max(2, Math.floor(poolSize / SHARE_OF_ONE_USER))
  const lines = new Map<number, UserLine>()

  async function enter(userId: number): Promise<() => void> {
    const line = lines.get(userId) ?? { inUse: 0, waiting: [] }
    lines.set(userId, line)
    if (line.inUse < most) line.inUse++
    else await waitInLine(line)
    return () => {
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.inUse === 0) lines.delete(userId)
    }
  }

  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const userId = currentUser()
      if (userId === undefined) return pool.connect()
      const leave = await enter(userId)
      try {
        const client = await pool.connect()
        const release = client.release.bind(client)
        // The pool gives each use of a client a `release` of its own.
        client.release = destroy => {
          release(destroy)
          leave()
        }
        return client
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/** Resolves with the connection's place taken over from the one before. */
function waitInLine(line: UserLine): Promise<void> {
  return new Promise((entered, refused) => {
    const enter = (): void => {
      clearTimeout(timer)
      entered()
    }
    const timer = setTimeout(() => {
      line.waiting.splice(line.waiting.indexOf(enter), 1)
      refused(
        new Refusal(
          'too_many_at_once',
          'Too many of your calls wait for each other. Please try again in a moment.',
          { retryAfter: RETRY_AFTER_SECONDS },
        ),
      )
    }, PATIENCE_MS)
    line.waiting.push(enter)
  })
}
