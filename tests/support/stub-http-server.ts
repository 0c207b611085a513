import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'

/**
 * A server that a test answers for. It does not close idle connections, the client does: one that the server closed just as the next
 * request comes, as after a pause of the process, would be a failure that no test has asked for.
 */
export const createStubServer = (respond: RequestListener): Server =>
  createServer({ keepAliveTimeout: 0 }, respond)
