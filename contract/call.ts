import * as z from 'zod'

/**
 * Who may make a call.
 * `anyone`: no token asked. `signed-in`: any live sign-in; what an id belongs to is checked by the service (404).
 * `self`: the user named in the path or body; administrators may read, and write where `adminMayWrite` says so.
 * `admin`: administrators only.
 */
export type Access = 'anyone' | 'signed-in' | 'self' | 'admin'

type Shape = z.ZodType
// A part that a call has is optional in `Call` all the same; only a part that is nothing but undefined is missing.
type Values<T> = [T] extends [undefined] ? undefined : T extends z.ZodType ? z.output<T> : never
type Wishes<T> = T extends z.ZodType ? z.input<T> : never

/** One description of a call, used by the server's routes, the browser's client, the access test and the OpenAPI document. */
export type Call<
  P extends Shape | undefined = Shape | undefined,
  Q extends Shape | undefined = Shape | undefined,
  B extends Shape | undefined = Shape | undefined,
  A extends Shape = Shape,
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
  answer: A
  /** Status of success when it is not 200. */
  status?: number
  /** Further statuses and when they are answered, beside those that any call may have: below 400 with the same shape. */
  also?: Readonly<Record<number, string>>
  /** Answers in its own shape, whatever the status. */
  tellsState?: boolean
  /** The answer is a file of one of these types. */
  files?: readonly string[]
  /** Takes the header Idempotency-Key. */
  requestKey?: boolean
  adminMayWrite?: boolean
  /** For the user himself: nobody makes it who is signed in as him. */
  inPerson?: boolean
  /** Only asks, whatever its method: nothing is changed by it. */
  asks?: boolean
  /** Changes something, though it is a GET. */
  changes?: boolean
  /** A download, opened in a new tab: the download cookie is as good as the token (architecture, 8). */
  byCookie?: boolean
  /** The body is not read: the route gets its bytes as they came, of whatever type. */
  bytes?: boolean
  /** A long list in the body, of which nothing is checked beforehand: the route reads it in pages, and in its body it is empty. */
  longList?: string
  /** Largest body in bytes where it is not the house's default of 1 MB. */
  bodyLimit?: number
}

/** Checked values as a route receives them. */
export type Given<C extends Call> = {
  params: Values<C['params']>
  query: Values<C['query']>
  body: Values<C['body']>
}

/** What a client passes to make the call. Parts that the call does not have are left out, and so may be a query that needs nothing. */
export type Wish<C extends Call> = {
  [
    K in 'params' | 'query' | 'body' as [C[K]] extends [undefined]
      ? never
      : MayLack<C, K> extends true
        ? never
        : K
  ]: Wishes<C[K]>
} & { [K in 'query' as MayLack<C, K> extends true ? K : never]?: Wishes<C[K]> }
type MayLack<C extends Call, K extends 'params' | 'query' | 'body'> = K extends 'query'
  ? [C[K]] extends [undefined]
    ? false
    : Record<never, never> extends Wishes<C[K]>
      ? true
      : false
  : false

/** What a route returns. */
export type AnswerOf<C extends Call> = z.input<C['answer']>

/** What a client receives. */
export type Answered<C extends Call> = z.output<C['answer']>

/** Keeps the literal types of a call's description. */
export function call<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
  A extends Shape = Shape,
>(description: Call<P, Q, B, A>): Call<P, Q, B, A> {
  return description
}

const ID = /^[1-9]\d{0,17}$/

/** A record's id on the wire: a decimal string. */
export const Id = z.string().regex(ID, 'must be an id')

/** Whether a text, of an address or a field, can be an id. */
export const isId = (text: string): boolean => ID.test(text)

export const UserParams = z.object({ userId: Id })

/** `?page=&limit=` of every list; pages count from 1. Without a limit the newest 10,000 (architecture, 10). */
export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
})

/** So many of what a search or a filter finds are counted; of more only that there are more. */
export const MOST_COUNTED = 10_000

/** The largest amount in a body, in dollars. */
export const MOST_DOLLARS = 10_000_000

/** Dollars in a body: finite, not negative, at most two decimals. */
export const DollarsIn = z
  .number()
  .min(0)
  .max(MOST_DOLLARS)
  .refine(isCents, 'must have at most two decimals')

/** What a sum of dollars may be off is not counted, but nothing that is less than half a cent is money. */
function isCents(dollars: number): boolean {
  const rounded = Math.round(dollars * 100) / 100
  return Math.abs(rounded - dollars) < 1e-9 && (rounded > 0 || dollars === 0)
}

/** Dollars in an answer. */
export const DollarsOut = z.number()

/** An ISO 8601 moment in an answer. */
export const Moment = z.iso.datetime()

/** Success of a call that has nothing else to say. */
export const Done = z.object({ ok: z.literal(true), message: z.string() })

/** Every refusal on the wire: `error` repeats `message`; `errors` maps a field to its text. */
export const Refused = z.object({
  message: z.string(),
  error: z.string(),
  errors: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
})
