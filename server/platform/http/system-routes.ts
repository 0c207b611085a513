import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PRODUCT } from '#contract/product.ts'
import { healthCheck, publicSettings as houseCall } from '#contract/system.ts'
import type { Context } from '#server/platform/context.ts'
import type { Router } from './router.ts'

const PACKAGE_FILE = join(import.meta.dirname, '..', '..', '..', 'package.json')

/** This program's version, as its package says. */
export const VERSION = (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string })
  .version

const DATABASE_TIMEOUT_MS = 3_000

/** `paymentScript`: where the payment modal's script is; `followsParcels`: whether the carrier says where parcels are. */
type SystemFacts = { paymentScript: string; followsParcels: boolean }

/** Whether the house is open, and what its pages must know of it. */
export function systemRoutes(door: Router, ctx: Context, facts: SystemFacts): void {
  const { config, database } = ctx

  door.handle(healthCheck, async ({ reply }) => {
    const isUp = await Promise.race([
      database.pool.query('select 1').then(
        () => true,
        () => false,
      ),
      wait(DATABASE_TIMEOUT_MS, false, { ref: false }),
    ])
    if (isUp) return { ok: true, database: 'up', version: VERSION }
    // Not a refusal but an answer, whatever its status: the door's shape for 5xx does not hold here.
    return reply
      .code(503)
      .serializer(JSON.stringify)
      .send({ ok: false, database: 'down', version: VERSION })
  })

  door.handle(houseCall, async () => ({
    name: PRODUCT,
    sandbox: { carrier: config.carrier === 'sandbox', payments: config.payments === 'sandbox' },
    bulkMaxRows: config.bulkMaxRows,
    ...facts,
  }))
}
