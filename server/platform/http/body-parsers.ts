/**
 * All bodies are received under the budget of body-budget.ts. Each kind has its own Fastify scope,
 * so other routes keep the JSON parser.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { createBodyBudget, longLimits, ORDINARY_LIMITS } from './body-budget.ts'
import type { BodyBudget, BodyReceipt } from './body-budget.ts'
import { createJsonScanner } from './json-scan.ts'
import { readLongBody, toLongList } from './long-list.ts'
import type { LongBody, LongList, LongListRules } from './long-list.ts'
import { heapMemory, receiveBody } from './receive.ts'
import { networkOf } from './request-limits.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface FastifyRequest {
    longBody: LongBody | null
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface FastifyInstance {
    bodyBudgets: { ordinary: BodyBudget; long: BodyBudget }
  }
}

export const DEFAULT_BODY_LIMIT = 1024 * 1024

/** Makes the app receive bodies under a budget of its own. Call it before routes are added. */
export function limitBodies(app: FastifyInstance): void {
  app.decorateRequest('longBody', null)
  app.decorate('bodyBudgets', {
    ordinary: createBodyBudget(ORDINARY_LIMITS),
    long: createBodyBudget(longLimits()),
  })
  // Fastify's own parser of text/plain reads a body without a budget.
  app.removeAllContentTypeParsers()
  acceptJson(app)
}

/** `request.longBody` of a route whose body has a long list. */
export type LongListOptions = Omit<LongListRules, 'name' | 'beforeList'> & {
  beforeList: (fields: Record<string, unknown>, request: FastifyRequest) => Promise<void>
}

/** Adds the route with the body parser that its endpoint needs. `list` is for `streamedList`. */
export function addRoute(
  app: FastifyInstance,
  { rawBody, streamedList, bodyLimit = DEFAULT_BODY_LIMIT }: Endpoint,
  route: RouteOptions,
  list?: LongListOptions,
): void {
  if (rawBody) void app.register(async scope => acceptRawBody(scope).route(route))
  else if (streamedList !== undefined) {
    if (!list) throw new Error(`${route.url}: the limits of ${streamedList} are missing`)
    void app.register(async scope =>
      acceptLongList(scope, { ...list, name: streamedList }, bodyLimit).route(route),
    )
  } else app.route(route)
}

/** A signature covers the bytes as they were sent, so they are not parsed. */
function acceptRawBody(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', receiveShort)
  return scope
}

/** The body of an endpoint with `rawBody`. */
export const bodyBytes = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** Many clients send the JSON content type with every request; an empty body is no error. */
function acceptJson(app: FastifyInstance): void {
  const parse = jsonParser(app)
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, stream: IncomingMessage) => {
      const bytes = await receiveShort(request, stream)
      if (bytes.length === 0) return undefined
      createJsonScanner(null, request.routeOptions.config.bodyDepth).scan(bytes, bytes)
      return parse(bytes.toString('utf8'))
    },
  )
}

async function receiveShort(request: FastifyRequest, stream: IncomingMessage): Promise<Buffer> {
  const contentLength = lengthOf(request)
  const receipt = openReceipt(request, request.server.bodyBudgets.ordinary)
  const bytes = await receiveBody(stream, {
    maxBytes: request.routeOptions.bodyLimit,
    contentLength,
    memory: heapMemory(contentLength),
    receipt,
  })
  receipt.close()
  return bytes
}

function acceptLongList(
  scope: FastifyInstance,
  { beforeList, ...rules }: LongListOptions & { name: string },
  maxBytes: number,
): FastifyInstance {
  const parse = jsonParser(scope)
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, stream: IncomingMessage) => {
      request.longBody = await readLongBody(
        stream,
        { ...rules, beforeList: fields => beforeList(fields, request) },
        {
          maxBytes,
          contentLength: lengthOf(request),
          parse,
          receipt: openReceipt(request, scope.bodyBudgets.long),
        },
      )
      return request.longBody.body
    },
  )
  // Also of a body that is refused before the handler runs.
  scope.addHook('onSend', async request => request.longBody?.release())
  return scope
}

const lengthOf = ({ headers }: FastifyRequest): number =>
  Number(headers['content-length'] ?? Number.NaN)

const openReceipt = (request: FastifyRequest, budget: BodyBudget): BodyReceipt =>
  budget.open({ userId: request.caller?.userId ?? null, address: networkOf(request.ip) })

/** Fastify's own: it refuses fields such as __proto__. */
function jsonParser(scope: FastifyInstance): (text: string) => unknown {
  const json = scope.getDefaultJsonParser('error', 'error')
  return text => {
    const parsed: { error?: Error | null; value?: unknown } = {}
    void json({} as FastifyRequest, text, (error, value) => Object.assign(parsed, { error, value }))
    if (parsed.error) throw parsed.error
    return parsed.value
  }
}

/** The endpoint's long list: cut out of the body, or from a body that was parsed whole. */
export function longListFrom(endpoint: Endpoint, { longBody, body }: FastifyRequest): LongList {
  if (longBody?.list) return longBody.list
  const items: unknown =
    endpoint.streamedList && (body as Record<string, unknown> | undefined)?.[endpoint.streamedList]
  return toLongList(Array.isArray(items) ? items : [])
}
