/** Tells a browser that opens an address from a program: a person gets a page of the product, a program a refusal as JSON. Pure. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

const API_PATH = /^\/(?:api|socket\.io|v2|beta)(?:\/|$)/

export const isApiPath = (path: string): boolean => API_PATH.test(path)

/** Programs and parts of a page accept anything, or name another type. */
export const wantsPage = ({ accept }: Pick<IncomingHttpHeaders, 'accept'>): boolean =>
  /\btext\/html\b/i.test(accept ?? '')

/**
 * The URL to find a route for. A path with a wrong `%`, such as that of a link that was cut off, has none, which Fastify
 * refuses before any route: for a browser each % is encoded, so that the web app shows what it shows for unknown paths.
 */
export function routableUrl({
  url = '/',
  headers,
}: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const path = url.split('?', 1)[0]!
  if (!wantsPage(headers) || isApiPath(path) || decoded(path) !== null) return url
  return path.replaceAll('%', '%25') + url.slice(path.length)
}

/** With the text as its result: the bundler drops a call of decodeURIComponent whose result is not read. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
