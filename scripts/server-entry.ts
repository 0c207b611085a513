import { join } from 'node:path'
import { PROJECT_FOLDER } from '#server/platform/process/project-folder.ts'

/**
 * `npm start`, `npm test` and `npm run bench` have just made sure that the bundle is that of these sources (scripts/setup.mjs);
 * by any other way the sources run as they are.
 */
const isBundled = ['start', 'test', 'bench'].includes(process.env.npm_lifecycle_event ?? '')

/** The file to start the server with. */
export const SERVER_ENTRY = isBundled
  ? join(PROJECT_FOLDER, 'server', 'dist', 'main.cjs')
  : join(PROJECT_FOLDER, 'server', 'main.ts')

/** What `npm start` runs, which starts the server. */
export const SUPERVISOR_ENTRY = isBundled
  ? join(PROJECT_FOLDER, 'server', 'dist', 'supervisor.cjs')
  : join(PROJECT_FOLDER, 'scripts', 'start.ts')
