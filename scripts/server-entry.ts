import { join } from 'node:path'

const SERVER = join(import.meta.dirname, '..', 'server')

/**
 * The file to start the server with. `npm start` and `npm test` have just made sure that the bundle is that of these sources
 * (scripts/setup.mjs); by any other way the sources run as they are.
 */
export const SERVER_ENTRY = ['start', 'test'].includes(process.env.npm_lifecycle_event ?? '')
  ? join(SERVER, 'dist', 'main.js')
  : join(SERVER, 'main.ts')
