import type { FastifyInstance } from 'fastify'
import type { Meter } from '#server/platform/process/meter.ts'

/**
 * Every answer names its request's id, every call is counted, and at LOG_LEVEL=info each has a line: the pattern of its route, never
 * the address itself, nor who called. Before the routes.
 */
export function logRequests(app: FastifyInstance, meter?: Meter): void {
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const { statusCode: status, elapsedTime: ms } = reply
    meter?.request(request.method, route, status, ms / 1000)
    request.log.info(
      { requestId: request.id, method: request.method, route, status, ms: Math.round(ms) },
      'a call was answered',
    )
  })
}
