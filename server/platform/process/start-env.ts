/** Variables that a process needs from its first moment, so that it starts soon and stays small. */
import { join } from 'node:path'
import { PROJECT_FOLDER } from './project-folder.ts'

/**
 * Node keeps modules as it compiled them, their types stripped, so that the next start takes
 * about half the time. Entries belong to a file's content and Node's version;
 * where the folder cannot be written, Node compiles as without it.
 */
const COMPILE_CACHE = join(PROJECT_FOLDER, 'node_modules', '.cache', 'compile')

/**
 * glibc's own value, and with it fixed: otherwise what a start has freed, such as 20 MB of compiled modules, stays with the
 * process. Other systems ignore it.
 */
const TRIM_THRESHOLD_BYTES = '131072'

type StartEnv = { NODE_COMPILE_CACHE: string; MALLOC_TRIM_THRESHOLD_: string }

/** Environment of a process to start. An operator's own values stay; a folder '' is none. */
export const startEnv = (): StartEnv => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILE_CACHE,
  MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? TRIM_THRESHOLD_BYTES,
})
