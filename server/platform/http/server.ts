import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { LogController } from 'fastify'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { RefusalCode } from '#contract/refusals.ts'
import { toLoggableError } from '#server/platform/process/log.ts'
import { observeRequest } from '#server/platform/process/meter.ts'
import type { Meter } from '#server/platform/process/meter.ts'
import { DEFAULT_BODY_LIMIT, limitBodies } from './body-parsers.ts'
import { routableUrl } from './browser-requests.ts'
import { isKey, tokenOf } from './caller-token.ts'
import { createErrorHandler } from './error-handler.ts'
import type { ErrorShape } from './error-handler.ts'
import { loggablePath } from './loggable-path.ts'
import { SECURITY_HEADERS, sendRawRefusal } from './raw-response.ts'
import { Refusal } from './refusal.ts'
import type { RequestKind } from './request-limits.ts'
import { validateShape } from './request-validation.ts'
import { compileTrust } from './trust-proxy.ts'
import { refuseUnknownPaths } from './unknown-path.ts'
import { limitUnreadAnswers } from './unread-answers.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface FastifyContextConfig {
    /** Which limit per address counts the route's requests; default 'calls'. */
    limit?: RequestKind | undefined
    /** Calls with a key count by key instead of by address. */
    countsKeys?: boolean
    /** A link opens it in a new tab: a browser gets its refusals as pages. */
    opensInTab?: boolean | undefined
    /** Of the endpoint's body, if it is not the usual one. */
    bodyDepth?: number | undefined
  }
}

/**
 * `admit` counts each request, also those without a route; throws Refusal 'rate_limited'. `publicUrl`
 * is called for each response: the address may be known only after the server listens.
 * `failureNote` follows the text of unexpected errors, with a space before it.
 */
export type HttpOptions = {
  trustProxy: boolean | string
  logLevel: string
  silent?: boolean
  publicUrl?: () => string
  failureNote?: string
  errorShape?: ErrorShape
  admit?: (address: string, kind?: RequestKind) => void
}

const responseHeaders = ({ publicUrl }: HttpOptions): Record<string, string> =>
  publicUrl?.().startsWith('https:')
    ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' }
    : SECURITY_HEADERS

/** None of Fastify's own; every line about a request has its id. */
const LOG_LINES = { disableRequestLogging: true, requestIdLogLabel: 'requestId' }

/** An HTTP server with validation, errors, request ids and headers, but no routes yet. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const sendError = createErrorHandler(options.failureNote ?? '', options.errorShape)
  const app = Fastify({
    logger: options.silent
      ? false
      : {
          level: options.logLevel,
          // Ids in a path are not personal data. No headers, bodies or addresses.
          serializers: {
            req: request => ({
              method: request.method,
              path: loggablePath(request.routeOptions?.url, request.url),
            }),
            err: toLoggableError,
          },
        },
    logController: new LogController(LOG_LINES),
    trustProxy: compileTrust(options.trustProxy),
    bodyLimit: DEFAULT_BODY_LIMIT,
    rewriteUrl: routableUrl,
    genReqId: () => randomUUID(),
    // Fastify refuses an unreadable URL before any hook.
    frameworkErrors: (error, request, reply) =>
      void sendError(
        refusalOf(() => options.admit?.(request.ip)) ?? error,
        request,
        reply.headers(responseHeaders(options)),
      ),
    requestTimeout: 120_000,
    // Beyond what Node reads of an address, so that a long part is answered by the call and not as an unknown path.
    routerOptions: { maxParamLength: 16_384 },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: rejectUnreadable,
  })
  app.setValidatorCompiler<z.ZodType>(
    ({ schema, httpPart }) =>
      data =>
        validateShape(schema, data, httpPart),
  )
  // An answer that its description does not allow is a fault of ours: 500.
  app.setSerializerCompiler<z.ZodType>(
    ({ schema }) =>
      data =>
        JSON.stringify(z.encode(schema, data)),
  )
  limitBodies(app)
  // A compressed body could expand a thousandfold; browsers send none. Checked after the sign-in.
  app.addHook('preParsing', async request => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase()
    if (encoding && encoding !== 'identity') {
      throw new Refusal('body_encoded', 'The body must be sent as it is, without Content-Encoding')
    }
  })
  app.decorateRequest('caller', null)
  app.setErrorHandler(sendError)
  // Keep-alive would delay the shutdown.
  let closing = false
  app.addHook('preClose', async () => void (closing = true))
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  refuseUnknownPaths(app)
  limitUnreadAnswers(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...responseHeaders(options), 'x-request-id': request.id })
    const { limit, countsKeys } = request.routeOptions.config
    if (!countsKeys || !isKey(tokenOf(request))) options.admit?.(request.ip, limit)
  })
  return app
}

function refusalOf(work: () => void): Refusal | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const UNREADABLE_REQUESTS: Record<string, [code: RefusalCode, text: string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_too_slow', 'The request did not come in time'],
}

function rejectUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [code, message] = UNREADABLE_REQUESTS[error.code ?? ''] ?? [
    'request_unreadable',
    'The request is not valid HTTP',
  ]
  sendRawRefusal(socket, new Refusal(code, message))
}

/**
 * Metrics, and a log line each at LOG_LEVEL=info with the route's
 * pattern, never the URL or the caller. Call it before routes are added.
 */
export function logRequests(app: FastifyInstance, meter?: Meter): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const { statusCode: status, elapsedTime: ms } = reply
    observeRequest(meter, ms / 1000, { method: request.method, route, status: String(status) })
    request.log.info(
      { method: request.method, route, status, ms: Math.round(ms) },
      'a request was answered',
    )
  })
}
