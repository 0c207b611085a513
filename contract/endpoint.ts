import * as z from 'zod'

/**
 * Who may make a call.
 * `anyone`: no token asked. `signed-in`: any live sign-in; what an id belongs to is checked by the service (404).
 * `self`: the user named in the path or body; administrators may read, and write where `adminMayWrite` says so.
 * `admin`: administrators only.
 */
export type Access = 'anyone' | 'signed-in' | 'self' | 'admin'

type EndpointSchema = z.ZodType
// A part that a call has is optional in `Call` all the same; only a part that is nothing but undefined is missing.
type OutputOf<T> = [T] extends [undefined] ? undefined : T extends z.ZodType ? z.output<T> : never
type InputOf<T> = T extends z.ZodType ? z.input<T> : never

/** One description of a call, used by the server's routes, the browser's client, the access test and the OpenAPI document. */
export type Endpoint<
  P extends EndpointSchema | undefined = EndpointSchema | undefined,
  Q extends EndpointSchema | undefined = EndpointSchema | undefined,
  B extends EndpointSchema | undefined = EndpointSchema | undefined,
  A extends EndpointSchema = EndpointSchema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify's notation: '/api/orders/:userId'. */
  path: string
  access: Access
  /** One line for the OpenAPI document. */
  summary: string
  params?: P
  query?: Q
  body?: B
  response: A
  /** Status of success when it is not 200. */
  status?: number
  /** Further statuses and when they are answered, beside those that any call may have: below 400 with the same shape. */
  otherStatuses?: Readonly<Record<number, string>>
  /** Answers in its own shape, whatever the status. */
  sameShapeOnError?: boolean
  /** The answer is a file of one of these types. */
  fileTypes?: readonly string[]
  /** Takes the header Idempotency-Key. */
  acceptsIdempotencyKey?: boolean
  adminMayWrite?: boolean
  /** For the user himself: nobody makes it who is signed in as him. */
  refusesImpersonation?: boolean
  /** Only asks, whatever its method: nothing is changed by it. */
  readOnly?: boolean
  /** Changes something, though it is a GET. */
  changesState?: boolean
  /** A download, opened in a new tab: the download cookie is as good as the token (architecture, 8). */
  acceptsDownloadCookie?: boolean
  /** The body is not read: the route gets its bytes as they came, of whatever type. */
  rawBody?: boolean
  /** A long list in the body, of which nothing is checked beforehand: the route reads it in pages, and in its body it is empty. */
  streamedList?: string
  /** Largest body in bytes where it is not the house's default of 1 MB. */
  bodyLimit?: number
}

/** Checked values as a route receives them. */
export type RequestData<C extends Endpoint> = {
  params: OutputOf<C['params']>
  query: OutputOf<C['query']>
  body: OutputOf<C['body']>
}

/** What a client passes to make the call. Parts that the call does not have are left out, and so may be a query that needs nothing. */
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

/** What a route returns. */
export type ResponseInput<C extends Endpoint> = z.input<C['response']>

/** What a client receives. */
export type ResponseData<C extends Endpoint> = z.output<C['response']>

/** Keeps the literal types of a call's description. */
export function defineEndpoint<
  P extends EndpointSchema | undefined = undefined,
  Q extends EndpointSchema | undefined = undefined,
  B extends EndpointSchema | undefined = undefined,
  A extends EndpointSchema = EndpointSchema,
>(description: Endpoint<P, Q, B, A>): Endpoint<P, Q, B, A> {
  return description
}

const ID_PATTERN = /^[1-9]\d{0,17}$/

/** A record's id on the wire: a decimal string. */
export const Id = z.string().regex(ID_PATTERN, 'must be an id')

/** Whether a text, of an address or a field, can be an id. */
export const isId = (text: string): boolean => ID_PATTERN.test(text)

export const UserParams = z.object({ userId: Id })

/** `?page=&limit=` of every list; pages count from 1. Without a limit the newest 10,000 (architecture, 10). */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
})

/** So many of what a search or a filter finds are counted; of more only that there are more. */
export const COUNT_LIMIT = 10_000

/** The largest amount in a body, in dollars. */
export const MAX_DOLLARS = 10_000_000

/** Dollars in a body: finite, not negative, at most two decimals. */
export const DollarsInput = z
  .number()
  .min(0)
  .max(MAX_DOLLARS)
  .refine(isWholeCents, 'must have at most two decimals')

/** What a sum of dollars may be off is not counted, but nothing that is less than half a cent is money. */
function isWholeCents(dollars: number): boolean {
  const rounded = Math.round(dollars * 100) / 100
  return Math.abs(rounded - dollars) < 1e-9 && (rounded > 0 || dollars === 0)
}

/** Dollars in an answer. */
export const DollarsOutput = z.number()

/** An ISO 8601 moment in an answer. */
export const Moment = z.iso.datetime()

/** Success of a call that has nothing else to say. */
export const MessageResponse = z.object({ ok: z.literal(true), message: z.string() })

/** Every refusal on the wire: `error` repeats `message`; `errors` maps a field to its text. */
export const ErrorResponse = z.object({
  message: z.string(),
  error: z.string(),
  errors: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
})
