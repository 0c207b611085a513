/** An example of a call, checked by the compiler and by a test. */
import type { Endpoint, RequestInput, ResponseInput } from '#contract/endpoint.ts'

/** `response`: absent where it is a file. */
export type Example = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  response?: unknown
}
export type Examples = Readonly<Record<string, Example>>

/** By the endpoint's name, to be spread. */
export const exampleOf = <E extends Endpoint>(
  endpoint: E,
  example: RequestInput<E> & { response?: ResponseInput<E> },
): Examples => ({ [endpoint.name]: example as Example })
