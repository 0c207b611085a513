import type { FastifyInstance } from 'fastify'
import { observeRequest } from '#server/platform/process/meter.ts'
import type { Meter } from '#server/platform/process/meter.ts'

/**
 * Request ids in responses, metrics, and a log line each at LOG_LEVEL=info with the route's
 * pattern, never the URL or the caller. Call it before routes are added.
 */
export function logRequests(app: FastifyInstance, meter?: Meter): void {
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const { statusCode: status, elapsedTime: ms } = reply
    observeRequest(meter, ms / 1000, { method: request.method, route, status: String(status) })
    request.log.info(
      { requestId: request.id, method: request.method, route, status, ms: Math.round(ms) },
      'a request was answered',
    )
  })
}
