/**
 * Node keeps modules as it compiled them, their types stripped, so that the next start takes
 * about half the time (NODE_COMPILE_CACHE). Entries belong to a file's content and Node's version;
 * where the folder cannot be written, Node compiles as without it.
 */
import { join } from 'node:path'
import { PROJECT_FOLDER } from './project-folder.ts'

const FOLDER = join(PROJECT_FOLDER, 'node_modules', '.cache', 'compile')

/** Environment of a process to start. An operator's own folder, or '' for none, stays. */
export const compileCacheEnv = (): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? FOLDER,
})
