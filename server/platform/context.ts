import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { Logger } from './process/log.ts'
import type { Meter } from './process/meter.ts'

/**
 * What every room may use. A room that needs more (the carrier, the files) asks for it by a type of its own, so that platform
 * knows no room.
 */
export type Context = {
  config: Config
  database: Database
  log: Logger
  /** Counts what is done, where somebody reads it. */
  meter?: Meter
}
