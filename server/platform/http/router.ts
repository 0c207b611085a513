import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import * as z from 'zod'
import type { Role } from '#contract/accounts.ts'
import type { Endpoint, RequestData, ResponseInput } from '#contract/endpoint.ts'
import { ErrorResponse } from '#contract/error-response.ts'
import type { Scope } from '#contract/keys.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { asUser } from '#server/platform/process/current-user.ts'
import { addRoute, DEFAULT_BODY_LIMIT, longListFrom } from './body-parsers.ts'
import type { LongListOptions } from './body-parsers.ts'
import { isKey, tokenOf } from './caller-token.ts'
import type { LongList } from './long-list.ts'
import { Refusal } from './refusal.ts'
import type { RequestKind, RequestLimits } from './request-limits.ts'

/** The signed-in user of a request. `impersonatorId`: the administrator behind a log-in-as-user. */
export type Caller = {
  userId: number
  role: Role
  sessionId: number
  impersonatorId: number | null
  /** The key that makes the call instead of a session; then `sessionId` is 0. */
  key: CallerKey | null
  /** Of a caller who made a request with a session. */
  assurance?: Assurance
}

/** Who is recorded as acting: the administrator of a log-in-as-user, else the user. */
export const actorIdOf = ({
  impersonatorId,
  userId,
}: Pick<Caller, 'impersonatorId' | 'userId'>): number => impersonatorId ?? userId

export type CallerKey = { id: number; name: string; scopes: readonly Scope[] }

/** How surely the session's user is who they claim to be. */
export type Assurance = {
  /** Within the last minutes, or the installation does not ask for it. */
  isProven: boolean
  /** The installation requires a second factor, and the user has none. */
  lacksFactor: boolean
  /** How a proof can be given. */
  methods: readonly string[]
}

/** `call`: 'POST /api/orders/:orderId/void'. `ids`: those in its path. */
export type ApiAction = { endpoint: Endpoint; call: string; ids: Record<string, string> }

export type ApiRequest<E extends Endpoint> = RequestData<E> & {
  /** Null for endpoints with access 'anyone'. */
  caller: Caller
  /** The client's network address, by TRUST_PROXY. */
  address: string
  token: string
  /** Of an endpoint with `streamedList`; readable until the handler is done. */
  longList: LongList
  /**
   * For responses that take minutes: throws once the caller was blocked, signed out or lost access.
   */
  recheckAccess(): Promise<void>
  request: FastifyRequest
  reply: FastifyReply
}

export type HandleOptions = {
  /** Needed for `streamedList`. */
  list?: {
    maxItems: number
    /** Default: 'list_too_long'. */
    tooManyItems?: () => Refusal
    /**
     * Called with the fields that stand before the list, as they were sent, before the list is
     * read; throws Refusal. Fields that follow the list are only known to the handler.
     */
    beforeList?: (fields: Record<string, unknown>, caller: Caller) => Promise<void>
  }
  /** Which limit per address counts the request; default 'calls'. */
  limit?: RequestKind
}

export type Router = {
  /** Every endpoint with a handler, for the access test and the OpenAPI document. */
  calls: Endpoint[]
  /** `const` keeps a literal such as `ok: true` from widening to boolean. */
  handle<E extends Endpoint, const A extends ResponseInput<E> | FastifyReply>(
    endpoint: E,
    handler: (request: ApiRequest<E>) => Promise<A>,
    options?: HandleOptions,
  ): void
}

export type RouterHooks = {
  /** Null for a session that has ended; throws Refusal for a key that is not valid. */
  authenticate(token: string): Promise<Caller | null>
  limits: Pick<RequestLimits, 'countKeyCall' | 'rememberValidKey' | 'countWrongKey'>
  authenticateDownload(request: FastifyRequest): Promise<Caller | null>
  /** Throws Refusal when the caller may not call the endpoint at all. */
  checkRole(endpoint: Endpoint, caller: Caller): void
  /**
   * Throws Refusal when the caller may not act for the user named in the path or body; `userId` as
   * it was sent.
   */
  checkOwner(endpoint: Endpoint, caller: Caller, userId: unknown): void
  /** Called for every request refused with status 403, also by its handler, unless the caller can remove the reason. */
  onRefused(caller: Caller, action: ApiAction): Promise<void>
  /**
   * Called before a signed-in caller changes something, downloads a file, or reads what the
   * endpoint calls personal; when it throws, the handler does not run.
   */
  beforeAction(caller: Caller, action: ApiAction): Promise<void>
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface FastifyRequest {
    caller: Caller | null
    /** Whether the whole body was there when the caller was checked. */
    wasWholeWhenChecked: boolean
  }
}

/**
 * Access is checked before the body is read, and again when the body arrived later than that: a caller who was
 * blocked or lost the role meanwhile changes nothing. User ids in the body are checked before the handler runs.
 */
export function createRouter(app: FastifyInstance, hooks: RouterHooks): Router {
  const calls: Endpoint[] = []
  return {
    calls,
    handle(endpoint, handler, options = {}) {
      calls.push(endpoint)
      const access = accessChecks(endpoint, hooks)
      const isAudited =
        endpoint.acceptsDownloadCookie === true
        || endpoint.changesState === true
        || endpoint.isPersonal === true
        || (endpoint.method !== 'GET' && endpoint.readOnly !== true)
      const route: RouteOptions = {
        ...routeSchema(endpoint),
        config: {
          limit: options.limit,
          countsKeys: endpoint.access !== 'anyone',
          bodyDepth: endpoint.bodyDepth,
          opensInTab: endpoint.acceptsDownloadCookie,
        },
        onRequest: async (request, reply) => {
          // A response that a browser is tricked into rendering as a page runs and loads nothing.
          reply.headers({
            'cache-control': 'no-store',
            'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          })
          if (endpoint.access === 'anyone') return
          const token = tokenOf(request)
          if (isKey(token)) countKeyCall(hooks.limits, token, request, reply)
          await access.checkCaller(request).catch((error: unknown) => {
            if (error instanceof Refusal && error.code === 'key_not_valid')
              hooks.limits.countWrongKey(token, request.ip)
            throw error
          })
          if (isKey(token)) hooks.limits.rememberValidKey(token)
        },
        preHandler: async request => {
          // A body may take minutes to arrive.
          const mayHaveChanged = endpoint.method !== 'GET' && !request.wasWholeWhenChecked
          if (endpoint.access !== 'anyone' && mayHaveChanged) await access.checkCaller(request)
          if (endpoint.access === 'self' && endpoint.body)
            await access.checkBody(request, request.body)
        },
        handler: async (request, reply) => {
          if (isAudited && request.caller)
            await hooks.beforeAction(request.caller, actionFor(endpoint, request))
          const given = {
            params: request.params,
            query: request.query,
            body: request.body,
            caller: request.caller,
            address: request.ip,
            token: tokenOf(request),
            recheckAccess: () => access.checkCaller(request),
            longList: longListFrom(endpoint, request),
            request,
            reply,
          } as ApiRequest<typeof endpoint>
          const response = await access.reportRefusal(request, () =>
            runAsCaller(handler, given).finally(request.longBody?.release),
          )
          if (!reply.sent && endpoint.status) reply.code(endpoint.status)
          return response
        },
      }
      addRoute(app, endpoint, route, listOptions(endpoint, options, access))
    },
  }
}

function listOptions(
  endpoint: Endpoint,
  { list }: HandleOptions,
  access: AccessChecks,
): LongListOptions | undefined {
  if (!list) return undefined
  const most = list.maxItems.toLocaleString('en-US')
  return {
    maxItems: list.maxItems,
    tooManyItems:
      list.tooManyItems
      ?? (() =>
        new Refusal('list_too_long', `${endpoint.streamedList} must have at most ${most} entries`)),
    async beforeList(fields, request) {
      if (endpoint.access === 'self') await access.checkBody(request, fields)
      await list.beforeList?.(fields, request.caller!)
    },
  }
}

/** So that connections are limited per user. */
const runAsCaller = <Given extends { caller: Caller | null }, Answer>(
  handler: (request: Given) => Promise<Answer>,
  request: Given,
): Promise<Answer> =>
  request.caller ? asUser(request.caller.userId, () => handler(request)) : handler(request)

/** Codes of 403 whose reason the caller removes. */
const REMOVABLE: ReadonlySet<string> = new Set<RefusalCode>([
  'proof_required',
  'second_factor_required',
  'email_unverified',
])

type AccessChecks = {
  checkCaller(request: FastifyRequest): Promise<void>
  checkBody(request: FastifyRequest, body: unknown): Promise<void>
  /** Reports the refusal that `work` throws; one that passes here twice, once. */
  reportRefusal<Done>(request: FastifyRequest, work: () => Done | Promise<Done>): Promise<Done>
}

function accessChecks(endpoint: Endpoint, hooks: RouterHooks): AccessChecks {
  const reported = new WeakSet<Refusal>()
  const reportRefusal: AccessChecks['reportRefusal'] = async (request, work) => {
    try {
      return await work()
    } catch (error) {
      const isFinal = error instanceof Refusal && error.status === 403 && !REMOVABLE.has(error.code)
      if (isFinal && request.caller && !reported.has(error)) {
        reported.add(error)
        await hooks.onRefused(request.caller, actionFor(endpoint, request))
      }
      throw error
    }
  }
  return {
    reportRefusal,
    async checkCaller(request) {
      const token = tokenOf(request)
      request.caller =
        endpoint.acceptsDownloadCookie && token === ''
          ? await hooks.authenticateDownload(request)
          : await hooks.authenticate(token)
      request.wasWholeWhenChecked = request.raw.complete
      const { caller } = request
      if (!caller)
        throw new Refusal(
          'sign_in_required',
          'Please sign in: the token is missing or no longer valid',
        )
      await reportRefusal(request, () => {
        hooks.checkRole(endpoint, caller)
        hooks.checkOwner(endpoint, caller, (request.params as { userId?: unknown }).userId)
      })
    },
    async checkBody(request, body) {
      const fields = (body ?? {}) as { user_id?: unknown; userId?: unknown }
      const caller = request.caller!
      await reportRefusal(request, () => {
        hooks.checkOwner(endpoint, caller, fields.user_id)
        hooks.checkOwner(endpoint, caller, fields.userId)
      })
    },
  }
}

const NO_QUERY = z.object({})

/** A provider's own address may have query fields, such as those of a tunnel: raw bodies take any. */
const querySchema = ({ query, rawBody }: Endpoint) => query ?? (rawBody ? undefined : NO_QUERY)

const routeSchema = (
  endpoint: Endpoint,
): Pick<RouteOptions, 'method' | 'url' | 'bodyLimit' | 'schema'> => ({
  method: endpoint.method,
  url: endpoint.path,
  bodyLimit: endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT,
  schema: {
    ...(endpoint.params && { params: endpoint.params }),
    ...(querySchema(endpoint) && { querystring: querySchema(endpoint) }),
    ...(endpoint.body && { body: endpoint.body }),
    response: {
      [endpoint.status ?? 200]: endpoint.pagedResponse
        ? z.union([endpoint.response, endpoint.pagedResponse])
        : endpoint.response,
      '4xx': ErrorResponse,
      '5xx': ErrorResponse,
    },
  },
})

/** Every answer to a key tells how many calls are left (draft-ietf-httpapi-ratelimit-headers-11). */
function countKeyCall(
  limits: RouterHooks['limits'],
  key: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { most, left, seconds } = limits.countKeyCall(key, request.ip)
  reply.headers({
    'ratelimit-policy': `"default";q=${most};w=60`,
    ratelimit: `"default";r=${Math.max(0, left)};t=${seconds}`,
  })
  if (left >= 0) return
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  throw new Refusal(
    'rate_limited',
    `This key has made its ${most.toLocaleString('en-US')} calls of this minute. Please wait ${wait} and try again.`,
    { retryAfter: seconds },
  )
}

// The path of a refused request may contain any text, even one that reads like an audit entry.
const PATH_ID_PATTERN = /^[\w.-]{1,100}$/

const actionFor = (endpoint: Endpoint, request: FastifyRequest): ApiAction => ({
  endpoint,
  call: `${endpoint.method} ${endpoint.path}`,
  ids: Object.fromEntries(
    Object.entries(request.params as Record<string, string>).filter(([, value]) =>
      PATH_ID_PATTERN.test(value),
    ),
  ),
})
