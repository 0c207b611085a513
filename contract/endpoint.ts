import * as z from 'zod'
import type { Scope } from './keys.ts'

/**
 * Who may make a request. `anyone`: no token needed. `signed-in`: any session; the service checks
 * the owner of an id (404). `self`: the user named in path or body; administrators may read
 * without `refusesAdministrators`, and write where `adminMayWrite` is set. `admin`: administrators only.
 */
export type Access = 'anyone' | 'signed-in' | 'self' | 'admin'

type EndpointSchema = z.ZodType
// `params`, `query` and `body` are optional in `Endpoint`. A part is absent only when its type is
// exactly `undefined`.
type OutputOf<T> = [T] extends [undefined] ? undefined : T extends z.ZodType ? z.output<T> : never
type InputOf<T> = T extends z.ZodType ? z.input<T> : never

/**
 * The description of an endpoint for the server's routes, the browser's client, the access test and
 * the OpenAPI document.
 */
export type Endpoint<
  P extends EndpointSchema | undefined = EndpointSchema | undefined,
  Q extends EndpointSchema | undefined = EndpointSchema | undefined,
  B extends EndpointSchema | undefined = EndpointSchema | undefined,
  A extends EndpointSchema = EndpointSchema,
> = {
  /** The name of the operation in the OpenAPI document: the name of its constant ('placeOrder'). */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify's notation: '/api/orders/:userId'. */
  path: string
  access: Access
  /** What a key needs to make the call; 'any': every key may. Without it the call is not for keys. */
  scope?: Scope | 'any'
  summary: string
  params?: P
  query?: Q
  body?: B
  response: A
  /** Of a page after an id, and of every page for a key, where it is another one. */
  pagedResponse?: EndpointSchema
  /** Status of success when it is not 200. */
  status?: number
  /** Further statuses with their own meaning; below 400 with the same shape. */
  otherStatuses?: Readonly<Record<number, string>>
  /** Statuses of refusals that can happen, beside those that follow from how a request is read. */
  refusals?: readonly number[]
  /** Errors have the shape of the response too. */
  sameShapeOnError?: boolean
  fileTypes?: readonly string[]
  acceptsIdempotencyKey?: boolean
  adminMayWrite?: boolean
  /** Of access 'self': administrators may not read it either. */
  refusesAdministrators?: boolean
  /** Refused while an administrator is signed in as the user. */
  refusesImpersonation?: boolean
  /**
   * Needs a proof of the last 30 minutes (a sign-in is one), in a sandbox only with
   * REQUIRE_PROOF=yes; else 403 `proof_required` with the methods.
   */
  proof?: boolean
  /** Open to a user who still has to set up the second factor that the installation requires. */
  beforeSecondFactor?: boolean
  /** Changes nothing, though it is not a GET. */
  readOnly?: boolean
  /** Changes something, though it is a GET. */
  changesState?: boolean
  /** Reads a customer's data that an administrator's visit leaves a trace in the audit for. */
  isPersonal?: boolean
  /**
   * A download opened in a new tab, which sends no token: the download cookie is accepted instead.
   */
  acceptsDownloadCookie?: boolean
  /** The body is not parsed: the route receives its bytes, of any content type. */
  rawBody?: boolean
  /**
   * A long list in the body that is not validated up front: the route reads it page by page, and
   * `body` has it empty.
   */
  streamedList?: string
  /** Largest body in bytes; 1 MB by default. */
  bodyLimit?: number
  /** Objects and lists in one another in the body; 8 by default. */
  bodyDepth?: number
}

/** Validated values that a handler receives. */
export type RequestData<C extends Endpoint> = {
  params: OutputOf<C['params']>
  query: OutputOf<C['query']>
  body: OutputOf<C['body']>
}

/**
 * What a client passes. Absent parts are left out; a query without required fields may be left out
 * too.
 */
export type RequestInput<C extends Endpoint> = {
  [
    K in 'params' | 'query' | 'body' as [C[K]] extends [undefined]
      ? never
      : IsOptionalPart<C, K> extends true
        ? never
        : K
  ]: InputOf<C[K]>
} & { [K in 'query' as IsOptionalPart<C, K> extends true ? K : never]?: InputOf<C[K]> }
type IsOptionalPart<C extends Endpoint, K extends 'params' | 'query' | 'body'> = K extends 'query'
  ? [C[K]] extends [undefined]
    ? false
    : Record<never, never> extends InputOf<C[K]>
      ? true
      : false
  : false

/** What a handler returns. */
export type ResponseInput<C extends Endpoint> = z.input<C['response']>

/** What a client receives. */
export type ResponseData<C extends Endpoint> = z.output<C['response']>

export function defineEndpoint<
  P extends EndpointSchema | undefined = undefined,
  Q extends EndpointSchema | undefined = undefined,
  B extends EndpointSchema | undefined = undefined,
  A extends EndpointSchema = EndpointSchema,
>(description: Endpoint<P, Q, B, A>): Endpoint<P, Q, B, A> {
  return description
}

const ID_PATTERN = /^[1-9]\d{0,17}$/

/** An id on the wire: a decimal string. */
export const Id = z.string().regex(ID_PATTERN, 'must be an id')

export const isId = (text: string): boolean => ID_PATTERN.test(text)

export const UserParams = z.object({ userId: Id })

/**
 * `?page=&limit=` of a paged list; pages count from 1. Without a limit the first 10,000 in the
 * list's own order.
 */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
})

/** Most entries of a page after an id, and of a page for a key. */
export const AFTER_LIMIT_MAX = 1_000

/** `?after=`: the `next` of the page before. The page has `next`, null at the end of the list. */
export const AfterId = Id.optional()
export const NextId = Id.nullable().optional()

/** Of a list without pages of its own. */
export const AfterQuery = z.object({
  after: AfterId,
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
})

/** Characters of the header Idempotency-Key. */
export const MAX_IDEMPOTENCY_KEY = 200

/** A search or filter counts at most so many results. */
export const COUNT_LIMIT = 10_000

/** The largest amount in a body, in dollars. */
export const MAX_DOLLARS = 10_000_000

/** Dollars in a body: finite, not negative, at most two decimals. */
export const DollarsInput = z
  .number()
  .min(0)
  .max(MAX_DOLLARS)
  .refine(isWholeCents, 'must have at most two decimals')

/** Tolerates the rounding error of a sum of dollars; an amount below half a cent is refused. */
function isWholeCents(dollars: number): boolean {
  const rounded = Math.round(dollars * 100) / 100
  return Math.abs(rounded - dollars) < 1e-9 && (rounded !== 0 || dollars === 0)
}

export const DollarsOutput = z.number()

export const Moment = z.iso.datetime()

/** A moment in a request: also with an offset from UTC, as clocks of programs write it ('2026-11-21T04:30:00-05:00'). */
export const MomentInput = z.iso.datetime({ offset: true })

export const MessageResponse = z.object({ ok: z.literal(true), message: z.string() })

/** A row whose order or order item has a label. `orderId`: of the label. */
export const SeenRow = z.object({
  row: z.number(),
  orderId: Id,
  trackingNumber: z.string().nullable(),
  at: Moment,
})
export type SeenRow = z.output<typeof SeenRow>

/** The newest bulk order of a file. `labels`: those that were not voided. */
export const SeenFile = z.object({ batchId: Id, at: Moment, labels: z.number() })
export type SeenFile = z.output<typeof SeenFile>
