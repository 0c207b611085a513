import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { Logger } from './process/log.ts'
import type { Meter } from './process/meter.ts'

/**
 * What every module gets. A module that needs more (a carrier, files) declares a type that extends
 * it.
 */
export type Context = {
  config: Config
  database: Database
  log: Logger
  /** Background jobs begin at different moments, so that they hold up neither the start nor the first requests. */
  spreadsJobs?: boolean
  /** Undefined when metrics are off. */
  meter?: Meter
}
