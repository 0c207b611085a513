/**
 * A process of Evenpost. Its database is started first: it gets ready on another core while this process loads the modules
 * that serve.
 */
import { existsSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import type { Config } from './platform/config.ts'
import { ProgramTooOldError } from './platform/database/program-version.ts'
import { startPostgres } from './platform/embedded-postgres/start.ts'
import type { Postgres } from './platform/embedded-postgres/start.ts'
import { createLifecycle, signalName } from './platform/process/lifecycle.ts'
import { ignoreLostOutput } from './platform/process/lost-output.ts'
import { OperatorError, printError } from './platform/process/operator-error.ts'
import { PROJECT_FOLDER } from './platform/process/project-folder.ts'
import {
  isSupervised,
  NOT_RESTARTED,
  onSupervisorGone,
  onSupervisorStop,
  START_REFUSED,
  tellSupervisor,
} from './platform/process/supervised.ts'

const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
ignoreLostOutput()
const life = createLifecycle({ say: printLine, onError: printError })
onSupervisorStop(signal => void life.stop(signalName(signal)))
onSupervisorGone(() => void life.stop('npm start has ended'))
void run()

async function run(): Promise<void> {
  try {
    await start()
    // Now, as a process that is killed would not keep it (start-env.ts).
    flushCompileCache()
  } catch (error) {
    printError(error, 'while starting')
    await life.stop(undefined, isSupervised() ? codeOf(error) : 1)
  }
}

function codeOf(error: unknown): number {
  if (error instanceof ProgramTooOldError) return NOT_RESTARTED
  return error instanceof OperatorError ? START_REFUSED : 1
}

async function start(): Promise<void> {
  const envFile = join(PROJECT_FOLDER, '.env')
  if (existsSync(envFile)) process.loadEnvFile(envFile)
  const config = readConfig(process.env)
  tellSupervisor({ dataDir: config.dataDir })
  const began = performance.now()
  const { postgres } = config.databaseUrl ? { postgres: undefined } : await launchPostgres(config)
  const { serve } = await import('./serve.ts')
  await serve({ config, life, postgres, began, printLine })
}

/** Returns when its process is launched; `postgres` resolves when it is ready. */
async function launchPostgres(config: Config): Promise<{ postgres: Promise<Postgres> }> {
  const launched = Promise.withResolvers<void>()
  const postgres = startPostgres({
    dataDir: config.dataDir,
    log: printLine,
    onLost: error => {
      printError(error, 'the database was taken over')
      void life.stop('the database is lost', 1)
    },
    onLaunched: launched.resolve,
  })
  await Promise.race([launched.promise, postgres])
  // A failure is reported by `serve`, which waits for it.
  postgres.catch(() => {})
  return { postgres }
}
