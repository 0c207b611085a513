import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { LogController } from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type * as z from 'zod'
import type { ResponseInput, Endpoint, RequestData } from '#contract/endpoint.ts'
import { ErrorResponse } from '#contract/endpoint.ts'
import { toLoggableError } from '#server/platform/process/log.ts'
import { compileTrust } from './caller-address.ts'
import { sendError } from './error-handler.ts'
import { toLongList, readLongBody } from './long-list.ts'
import type { LongBody, LongList } from './long-list.ts'
import { SECURITY_HEADERS, sendRawRefusal } from './raw-response.ts'
import { Refusal } from './refusal.ts'
import { validateShape } from './request-validation.ts'

/** Who makes a call, as the accounts room found by the token. `actorId`: the administrator behind a log-in-as-user. */
export type Caller = {
  userId: number
  role: 'user' | 'friend' | 'admin'
  sessionId: number
  impersonatorId: number | null
}

/** A call as the audit names it: 'POST /api/orders/:orderId/void', and the ids in its path. */
export type ApiAction = { call: string; ids: Record<string, string> }

/** What a route's work is given: checked values, the caller, and the reply for headers and cookies. */
export type ApiRequest<C extends Endpoint> = RequestData<C> & {
  /** The token's owner; for calls open to `anyone` the route does not look at it. */
  caller: Caller
  /** The caller's network address (behind a proxy only when TRUST_PROXY says so). */
  address: string
  token: string
  /** The body's long list, of a call that has one; good until the work is done. */
  longList: LongList
  /** For answers that take minutes: throws once whoever asks has been blocked, has signed out or may not make this call any more. */
  recheckAccess(): Promise<void>
  request: FastifyRequest
  reply: FastifyReply
}

/** The door of the house: rooms hand it their calls, it keeps what the contract says about access, shapes and errors. */
export type Router = {
  /** Every call that was given to the door, for the access test and the OpenAPI document. */
  calls: Endpoint[]
  /** `const`, so that `ok: true` stays a `true` and need not be said to be one. */
  handle<C extends Endpoint, const A extends ResponseInput<C> | FastifyReply>(
    call: C,
    work: (ask: ApiRequest<C>) => Promise<A>,
  ): void
}

export type RouterHooks = {
  /** The live sign-in behind a token, or null. */
  authenticate(token: string): Promise<Caller | null>
  /** The live sign-in behind the download cookie of a request, or null. */
  authenticateDownload(request: FastifyRequest): Promise<Caller | null>
  /** Counts the call against the limits of its address; throws Refusal 'too_many'. */
  admit(address: string): void
  /** Told of every call that is refused because of who makes it ('forbidden'). */
  onRefused(caller: Caller, deed: ApiAction): Promise<void>
  /** Told of every call by somebody signed in that changes something or hands out a file, before it is done; if it throws, it is not. */
  beforeAction(caller: Caller, deed: ApiAction): Promise<void>
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface FastifyRequest {
    caller: Caller | null
    long: LongBody | null
  }
}

export const DEFAULT_BODY_LIMIT = 1024 * 1024

/** `publicUrl`: the address we are known by, asked at each answer, because it may be settled only when we listen. */
export type HttpOptions = {
  trustProxy: boolean | string
  logLevel: string
  silent?: boolean
  publicUrl?: () => string
}

/** What every answer says, whoever gives it. */
const responseHeaders = ({ publicUrl }: HttpOptions): Record<string, string> =>
  publicUrl?.().startsWith('https:')
    ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' }
    : SECURITY_HEADERS

/** An empty HTTP server with the house's rules for shapes, errors, ids and headers, but no routes yet. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    logger: options.silent
      ? false
      : {
          level: options.logLevel,
          // The path without its query; ids are numbers of ours, not personal data. No headers, no bodies, no addresses.
          serializers: {
            req: request => ({ method: request.method, path: request.url.split('?')[0] }),
            err: toLoggableError,
          },
        },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: compileTrust(options.trustProxy),
    bodyLimit: DEFAULT_BODY_LIMIT,
    genReqId: () => randomUUID(),
    // An address that cannot be read is refused before any hook; with the same words and headers as all else.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(responseHeaders(options))),
    requestTimeout: 120_000,
    routerOptions: { maxParamLength: 300 },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: rejectUnreadable,
  })
  app.setValidatorCompiler<z.ZodType>(
    ({ schema, httpPart }) =>
      data =>
        validateShape(schema, data, httpPart),
  )
  app.setSerializerCompiler(serializerCompiler)
  // Many programs say JSON of every call they send; where nothing follows, nothing was meant.
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, text, done) => (text === '' ? done(null, undefined) : json(request, text, done)),
  )
  // A packed body could be a thousand times what its length says; a browser packs none. Asked after who it is that sends it.
  app.addHook('preParsing', async request => {
    const packed = request.headers['content-encoding']?.trim().toLowerCase()
    if (packed && packed !== 'identity') {
      throw new Refusal('unsupported', 'The body must be sent as it is, without Content-Encoding')
    }
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('long', null)
  app.setErrorHandler(sendError)
  // While the server closes, an answered connection goes too: kept alive, it would hold up the end.
  let closing = false
  app.addHook('preClose', async () => void (closing = true))
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(responseHeaders(options))
  })
  return app
}

const UNREADABLE_REQUESTS: Record<string, [status: string, text: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of the request are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not come in time'],
}

/** What is no HTTP, or comes too slowly or with too large headers, is told so in the shape of every refusal, and hung up on. */
function rejectUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = UNREADABLE_REQUESTS[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not HTTP as it should be',
  ]
  sendRawRefusal(socket, status, message)
}

/**
 * Opens the door on a server. The sign-in is checked before a body is read, and again when it is there: whoever was blocked or lost
 * his role while he was sending it does nothing more. What the body names is checked before the work begins.
 */
export function createRouter(app: FastifyInstance, keeper: RouterHooks): Router {
  const calls: Endpoint[] = []
  const refusing = async (
    call: Endpoint,
    request: FastifyRequest,
    check: (caller: Caller) => void,
  ): Promise<void> => {
    const caller = request.caller!
    try {
      check(caller)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'forbidden')
        await keeper.onRefused(caller, actionFor(call, request))
      throw error
    }
  }
  return {
    calls,
    handle(call, work) {
      calls.push(call)
      const matters =
        call.acceptsDownloadCookie === true
        || call.changesState === true
        || (call.method !== 'GET' && call.readOnly !== true)
      /** Who asks, if he may make this call for the user in its path. */
      const admitted = async (request: FastifyRequest): Promise<void> => {
        const token = tokenOf(request)
        request.caller =
          call.acceptsDownloadCookie && token === ''
            ? await keeper.authenticateDownload(request)
            : await keeper.authenticate(token)
        if (!request.caller)
          throw new Refusal(
            'unauthorized',
            'Please sign in: the token is missing or no longer valid',
          )
        await refusing(call, request, caller => {
          checkRole(call, caller)
          checkOwner(call, caller, (request.params as { userId?: unknown }).userId)
        })
      }
      const route: RouteOptions = {
        method: call.method,
        url: call.path,
        bodyLimit: call.bodyLimit ?? DEFAULT_BODY_LIMIT,
        schema: {
          summary: call.summary,
          description: `Access: ${call.access}.`,
          security: call.access === 'anyone' ? [] : [{ token: [] }],
          ...(call.params && { params: call.params }),
          ...(call.query && { querystring: call.query }),
          ...(call.body && { body: call.body }),
          response: {
            [call.status ?? 200]: call.response,
            '4xx': ErrorResponse,
            '5xx': ErrorResponse,
          },
        },
        onRequest: async (request, reply) => {
          // Whatever an answer holds, a browser that is made to show it as a page runs and loads nothing.
          reply.headers({
            'cache-control': 'no-store',
            'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          })
          keeper.admit(request.ip)
          if (call.access !== 'anyone') await admitted(request)
        },
        preHandler: async request => {
          // A body may take minutes to come.
          if (call.access !== 'anyone' && call.method !== 'GET') await admitted(request)
          if (call.access !== 'self' || !call.body) return
          const body = (request.body ?? {}) as { user_id?: unknown; userId?: unknown }
          await refusing(call, request, caller => {
            checkOwner(call, caller, body.user_id)
            checkOwner(call, caller, body.userId)
          })
        },
        handler: async (request, reply) => {
          if (matters && request.caller)
            await keeper.beforeAction(request.caller, actionFor(call, request))
          const answer = await work({
            params: request.params,
            query: request.query,
            body: request.body,
            caller: request.caller,
            address: request.ip,
            token: tokenOf(request),
            recheckAccess: () => admitted(request),
            longList: longListOf(call, request),
            request,
            reply,
          } as ApiRequest<typeof call>).finally(request.long?.release)
          if (!reply.sent && call.status) reply.code(call.status)
          return answer
        },
      }
      addRoute(app, call, route)
    },
  }
}

/** Bodies that are not read as others are have a part of the server to themselves. */
function addRoute(
  app: FastifyInstance,
  { rawBody, streamedList, bodyLimit = DEFAULT_BODY_LIMIT }: Endpoint,
  route: RouteOptions,
): void {
  if (rawBody) void app.register(async part => acceptRawBody(part).route(route))
  else if (streamedList)
    void app.register(async part => acceptLongList(part, streamedList, bodyLimit).route(route))
  else app.route(route)
}

/** A part of the server in which a body is its bytes: what was signed is what was sent, not what can be read out of it. */
function acceptRawBody(part: FastifyInstance): FastifyInstance {
  part.removeAllContentTypeParsers()
  part.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  )
  return part
}

/** The body of a call that takes bytes. */
export const bodyBytes = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** A part of the server in which the list of that name is kept out of bodies. */
function acceptLongList(part: FastifyInstance, name: string, most: number): FastifyInstance {
  const json = part.getDefaultJsonParser('error', 'error')
  const parse = (text: string): unknown => {
    const read: { error?: Error | null; value?: unknown } = {}
    void json({} as FastifyRequest, text, (error, value) => Object.assign(read, { error, value }))
    if (read.error) throw read.error
    return read.value
  }
  part.removeContentTypeParser('application/json')
  part.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, stream: IncomingMessage) => {
      request.long = await readLongBody(stream, name, {
        maxBytes: most,
        contentLength: Number(request.headers['content-length'] ?? Number.NaN),
        parse,
      })
      return request.long.body
    },
  )
  return part
}

/** Kept out of the body, or from a body that had to be read whole. */
function longListOf(call: Endpoint, { long, body }: FastifyRequest): LongList {
  if (long?.list) return long.list
  const items: unknown =
    call.streamedList && (body as Record<string, unknown> | undefined)?.[call.streamedList]
  return toLongList(Array.isArray(items) ? items : [])
}

function tokenOf(request: FastifyRequest): string {
  const token = request.headers.token
  return typeof token === 'string' ? token : ''
}

// What stands in the path of a refused call may be anything, also a sentence that reads like the audit's own.
const PATH_ID_PATTERN = /^[\w.-]{1,100}$/

const actionFor = (call: Endpoint, request: FastifyRequest): ApiAction => ({
  call: `${call.method} ${call.path}`,
  ids: Object.fromEntries(
    Object.entries(request.params as Record<string, string>).filter(([, value]) =>
      PATH_ID_PATTERN.test(value),
    ),
  ),
})

function checkRole(call: Endpoint, caller: Caller): void {
  if (call.refusesImpersonation && caller.impersonatorId !== null)
    throw new Refusal('forbidden', 'This cannot be done while signed in as another user')
  if (call.access !== 'admin') return
  // Inside a log-in-as-user nothing of the administrator's is open.
  if (caller.role !== 'admin' || caller.impersonatorId !== null)
    throw new Refusal('forbidden', 'This is for administrators only')
}

function checkOwner(call: Endpoint, caller: Caller, named: unknown): void {
  if (call.access !== 'self' || named === undefined) return
  if (named === 'guest') throw new Refusal('unauthorized', 'A guest has no balance; please sign in')
  if (named === String(caller.userId)) return
  const mayAct = call.method === 'GET' || call.adminMayWrite
  if (caller.role === 'admin' && caller.impersonatorId === null && mayAct) return
  throw new Refusal('forbidden', 'This belongs to another user')
}
