import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { LogController } from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type * as z from 'zod'
import type { AnswerOf, Call, Given } from '#contract/call.ts'
import { Refused } from '#contract/call.ts'
import { trustsOf } from './caller-address.ts'
import { answerError } from './errors.ts'
import { plainError } from './log.ts'
import { listOf, readLongBody } from './long-list.ts'
import type { LongBody, LongList } from './long-list.ts'
import { HEADERS, refuseRaw } from './raw-answer.ts'
import { Refusal } from './refusal.ts'
import { checkShape } from './wrong-shape.ts'

/** Who makes a call, as the accounts room found by the token. `actorId`: the administrator behind a log-in-as-user. */
export type Caller = {
  userId: number
  role: 'user' | 'friend' | 'admin'
  sessionId: number
  actorId: number | null
}

/** A call as the audit names it: 'POST /api/orders/:orderId/void', and the ids in its path. */
export type Deed = { call: string; ids: Record<string, string> }

/** What a route's work is given: checked values, the caller, and the reply for headers and cookies. */
export type Ask<C extends Call> = Given<C> & {
  /** The token's owner; for calls open to `anyone` the route does not look at it. */
  caller: Caller
  /** The caller's network address (behind a proxy only when TRUST_PROXY says so). */
  address: string
  token: string
  /** The body's long list, of a call that has one; good until the work is done. */
  list: LongList
  /** For answers that take minutes: throws once whoever asks has been blocked, has signed out or may not make this call any more. */
  again(): Promise<void>
  request: FastifyRequest
  reply: FastifyReply
}

/** The door of the house: rooms hand it their calls, it keeps what the contract says about access, shapes and errors. */
export type Door = {
  /** Every call that was given to the door, for the access test and the OpenAPI document. */
  calls: Call[]
  /** `const`, so that `ok: true` stays a `true` and need not be said to be one. */
  answer<C extends Call, const A extends AnswerOf<C> | FastifyReply>(
    call: C,
    work: (ask: Ask<C>) => Promise<A>,
  ): void
}

export type DoorKeeper = {
  /** The live sign-in behind a token, or null. */
  authenticate(token: string): Promise<Caller | null>
  /** The live sign-in behind the download cookie of a request, or null. */
  authenticateDownload(request: FastifyRequest): Promise<Caller | null>
  /** Counts the call against the limits of its address; throws Refusal 'too_many'. */
  admit(address: string): void
  /** Told of every call that is refused because of who makes it ('forbidden'). */
  refused(caller: Caller, deed: Deed): Promise<void>
  /** Told of every call by somebody signed in that changes something or hands out a file, before it is done; if it throws, it is not. */
  begins(caller: Caller, deed: Deed): Promise<void>
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
const headersOf = ({ publicUrl }: HttpOptions): Record<string, string> =>
  publicUrl?.().startsWith('https:')
    ? { ...HEADERS, 'strict-transport-security': 'max-age=31536000' }
    : HEADERS

/** An empty HTTP server with the house's rules for shapes, errors, ids and headers, but no routes yet. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    logger: options.silent
      ? false
      : {
          level: options.logLevel,
          // The path without its query; ids are numbers of ours, not personal data. No headers, no bodies, no addresses.
          serializers: {
            req: request => ({ method: request.method, path: request.url.split('?')[0] }),
            err: plainError,
          },
        },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustsOf(options.trustProxy),
    bodyLimit: DEFAULT_BODY_LIMIT,
    genReqId: () => randomUUID(),
    // An address that cannot be read is refused before any hook; with the same words and headers as all else.
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request, reply.headers(headersOf(options))),
    requestTimeout: 120_000,
    routerOptions: { maxParamLength: 300 },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    clientErrorHandler: hangUp,
  })
  app.setValidatorCompiler<z.ZodType>(
    ({ schema, httpPart }) =>
      data =>
        checkShape(schema, data, httpPart),
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
  app.setErrorHandler(answerError)
  // While the server closes, an answered connection goes too: kept alive, it would hold up the end.
  let closing = false
  app.addHook('preClose', async () => void (closing = true))
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headersOf(options))
  })
  return app
}

const UNREADABLE: Record<string, [status: string, text: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of the request are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not come in time'],
}

/** What is no HTTP, or comes too slowly or with too large headers, is told so in the shape of every refusal, and hung up on. */
function hangUp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = UNREADABLE[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not HTTP as it should be',
  ]
  refuseRaw(socket, status, message)
}

/**
 * Opens the door on a server. The sign-in is checked before a body is read, and again when it is there: whoever was blocked or lost
 * his role while he was sending it does nothing more. What the body names is checked before the work begins.
 */
export function openDoor(app: FastifyInstance, keeper: DoorKeeper): Door {
  const calls: Call[] = []
  const refusing = async (
    call: Call,
    request: FastifyRequest,
    check: (caller: Caller) => void,
  ): Promise<void> => {
    const caller = request.caller!
    try {
      check(caller)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'forbidden')
        await keeper.refused(caller, deedOf(call, request))
      throw error
    }
  }
  return {
    calls,
    answer(call, work) {
      calls.push(call)
      const matters =
        call.byCookie === true
        || call.changes === true
        || (call.method !== 'GET' && call.asks !== true)
      /** Who asks, if he may make this call for the user in its path. */
      const admitted = async (request: FastifyRequest): Promise<void> => {
        const token = tokenOf(request)
        request.caller =
          call.byCookie && token === ''
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
          response: { [call.status ?? 200]: call.answer, '4xx': Refused, '5xx': Refused },
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
          if (matters && request.caller) await keeper.begins(request.caller, deedOf(call, request))
          const answer = await work({
            params: request.params,
            query: request.query,
            body: request.body,
            caller: request.caller,
            address: request.ip,
            token: tokenOf(request),
            again: () => admitted(request),
            list: longListOf(call, request),
            request,
            reply,
          } as Ask<typeof call>).finally(request.long?.release)
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
  { bytes, longList, bodyLimit = DEFAULT_BODY_LIMIT }: Call,
  route: RouteOptions,
): void {
  if (bytes) void app.register(async part => takeBytes(part).route(route))
  else if (longList)
    void app.register(async part => takeLongList(part, longList, bodyLimit).route(route))
  else app.route(route)
}

/** A part of the server in which a body is its bytes: what was signed is what was sent, not what can be read out of it. */
function takeBytes(part: FastifyInstance): FastifyInstance {
  part.removeAllContentTypeParsers()
  part.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  )
  return part
}

/** The body of a call that takes bytes. */
export const bytesOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** A part of the server in which the list of that name is kept out of bodies. */
function takeLongList(part: FastifyInstance, name: string, most: number): FastifyInstance {
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
        most,
        declared: Number(request.headers['content-length'] ?? Number.NaN),
        parse,
      })
      return request.long.body
    },
  )
  return part
}

/** Kept out of the body, or from a body that had to be read whole. */
function longListOf(call: Call, { long, body }: FastifyRequest): LongList {
  if (long?.list) return long.list
  const items: unknown =
    call.longList && (body as Record<string, unknown> | undefined)?.[call.longList]
  return listOf(Array.isArray(items) ? items : [])
}

function tokenOf(request: FastifyRequest): string {
  const token = request.headers.token
  return typeof token === 'string' ? token : ''
}

// What stands in the path of a refused call may be anything, also a sentence that reads like the audit's own.
const ID = /^[\w.-]{1,100}$/

const deedOf = (call: Call, request: FastifyRequest): Deed => ({
  call: `${call.method} ${call.path}`,
  ids: Object.fromEntries(
    Object.entries(request.params as Record<string, string>).filter(([, value]) => ID.test(value)),
  ),
})

function checkRole(call: Call, caller: Caller): void {
  if (call.inPerson && caller.actorId !== null)
    throw new Refusal('forbidden', 'This cannot be done while signed in as another user')
  if (call.access !== 'admin') return
  // Inside a log-in-as-user nothing of the administrator's is open.
  if (caller.role !== 'admin' || caller.actorId !== null)
    throw new Refusal('forbidden', 'This is for administrators only')
}

function checkOwner(call: Call, caller: Caller, named: unknown): void {
  if (call.access !== 'self' || named === undefined) return
  if (named === 'guest') throw new Refusal('unauthorized', 'A guest has no balance; please sign in')
  if (named === String(caller.userId)) return
  const mayAct = call.method === 'GET' || call.adminMayWrite
  if (caller.role === 'admin' && caller.actorId === null && mayAct) return
  throw new Refusal('forbidden', 'This belongs to another user')
}
