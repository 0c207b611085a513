/**
 * Bodies that are not parsed as plain JSON. Each kind has its own Fastify scope, so other routes
 * keep the JSON parser.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { readLongBody, toLongList } from './long-list.ts'
import type { LongBody, LongList } from './long-list.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface FastifyRequest {
    longBody: LongBody | null
  }
}

export const DEFAULT_BODY_LIMIT = 1024 * 1024

/** Adds the route with the body parser that its endpoint needs. */
export function addRoute(
  app: FastifyInstance,
  { rawBody, streamedList, bodyLimit = DEFAULT_BODY_LIMIT }: Endpoint,
  route: RouteOptions,
): void {
  if (rawBody) void app.register(async scope => acceptRawBody(scope).route(route))
  else if (streamedList)
    void app.register(async scope => acceptLongList(scope, streamedList, bodyLimit).route(route))
  else app.route(route)
}

/** A signature covers the bytes as they were sent, so they are not parsed. */
function acceptRawBody(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  )
  return scope
}

/** The body of an endpoint with `rawBody`. */
export const bodyBytes = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

function acceptLongList(scope: FastifyInstance, name: string, maxBytes: number): FastifyInstance {
  const json = scope.getDefaultJsonParser('error', 'error')
  const parse = (text: string): unknown => {
    const parsed: { error?: Error | null; value?: unknown } = {}
    void json({} as FastifyRequest, text, (error, value) => Object.assign(parsed, { error, value }))
    if (parsed.error) throw parsed.error
    return parsed.value
  }
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, stream: IncomingMessage) => {
      request.longBody = await readLongBody(stream, name, {
        maxBytes,
        contentLength: Number(request.headers['content-length'] ?? Number.NaN),
        parse,
      })
      return request.longBody.body
    },
  )
  return scope
}

/** The endpoint's long list: cut out of the body, or from a body that was parsed whole. */
export function longListFrom(endpoint: Endpoint, { longBody, body }: FastifyRequest): LongList {
  if (longBody?.list) return longBody.list
  const items: unknown =
    endpoint.streamedList && (body as Record<string, unknown> | undefined)?.[endpoint.streamedList]
  return toLongList(Array.isArray(items) ? items : [])
}
