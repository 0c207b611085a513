import { isEasypostPath } from '#contract/easypost.ts'
import { ErrorResponse } from '#contract/error-response.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { REFUSAL_PAGE_POLICY } from '#server/platform/http/refusal-page.ts'

type Answer = { statusCode: number; headers: Record<string, unknown>; body: string }

/** Refusals of these paths have a shape of their own. */
const OWN_SHAPES = /^\/api\/health$/

/** Throws when a refused API call was answered without a code of the list, or with another status. */
export function checkRefusalShape(url: string, answer: Answer): void {
  // '/api/..' leads to a page.
  const path = new URL(url, 'http://localhost').pathname
  // A response to HEAD has no body.
  if (answer.statusCode < 400 || answer.body === '' || !path.startsWith('/api/')) return
  if (isEasypostPath(path) || OWN_SHAPES.test(path)) return
  // The page for a browser that opens a file.
  if (answer.headers['content-security-policy'] === REFUSAL_PAGE_POLICY) return
  const {
    code,
    message,
    error,
    errors = {},
    codes = {},
  } = ErrorResponse.parse(JSON.parse(answer.body))
  const fields = Object.keys(errors).join()
  if (REFUSALS[code].status !== answer.statusCode)
    throw new Error(`${code} came with status ${answer.statusCode}`)
  if (message !== error) throw new Error(`error does not repeat the message '${message}'`)
  if (Object.keys(codes).join() !== fields) throw new Error(`not every field has a code: ${fields}`)
}
