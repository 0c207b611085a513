import type { Config } from './platform/config.ts'
import type { Database } from './platform/database/database.ts'
import { OperatorError } from './platform/process/operator-error.ts'

/**
 * Stores the mode (sandbox or live) in the database at the first start. Throws OperatorError when a
 * later start has another mode: play money must never buy real postage.
 */
export async function requireSameMode(database: Database, mode: Config['mode']): Promise<void> {
  const stored = await database.tx(async tx => {
    await tx
      .insertInto('app_setting')
      .values({ key: 'mode', value: mode })
      .onConflict(at => at.column('key').doNothing())
      .execute()
    return tx
      .selectFrom('app_setting')
      .select('value')
      .where('key', '=', 'mode')
      .executeTakeFirstOrThrow()
  })
  if (stored.value === mode) return
  throw new OperatorError(
    `This database was made for ${stored.value} mode, and CARRIER and PAYMENTS ask for ${mode} mode. `
      + 'Play money and real money never share a database: set both variables as before, or use another DATA_DIR or DATABASE_URL.',
  )
}
