import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { healthCheck } from '#contract/system.ts'
import type { Context } from '#server/platform/context.ts'
import { VERSION } from '#server/platform/process/version.ts'
import type { ApiRequest, Router } from './router.ts'

const DATABASE_TIMEOUT_MS = 3_000

/** Whether the database responds within 3 seconds. */
export const isDatabaseUp = (pool: pg.Pool): Promise<boolean> =>
  Promise.race([
    pool.query('select 1').then(
      () => true,
      () => false,
    ),
    // After the event loop was blocked, an answer that has arrived is read before the check gives up.
    wait(DATABASE_TIMEOUT_MS, undefined, { ref: false }).then(() => nextTurn(false)),
  ])

export function healthRoute(router: Router, { database }: Context): void {
  const check = async ({ reply }: ApiRequest<typeof healthCheck>) => {
    if (await isDatabaseUp(database.pool))
      return { ok: true, database: 'up', version: VERSION } as const
    // Same shape as for 200, so the serializer for errors does not apply.
    return reply
      .code(503)
      .serializer(JSON.stringify)
      .send({ ok: false, database: 'down', version: VERSION })
  }
  router.handle(healthCheck, check, { limit: 'health' })
}
