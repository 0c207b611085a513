import type { FastifyInstance } from 'fastify'
import { isApiPath, wantsPage } from './browser-requests.ts'
import { Refusal } from './refusal.ts'

type KnownPath = { pattern: RegExp; method: string | string[]; isForPages: boolean }

/**
 * Refuses what no route takes: 405 with `Allow` when the path has other methods, else 404. A browser that sends a form to a
 * page, because the page's script did not run, is led to the page. Call it before routes are added.
 */
export function refuseUnknownPaths(app: FastifyInstance): void {
  const known: KnownPath[] = []
  app.addHook('onRoute', ({ url, method }) => {
    known.push({ pattern: patternOf(url), method, isForPages: url === '/*' })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!
    const methods = methodsOf(known, path)
    if (methods.length === 0 || methods.includes(request.method))
      throw new Refusal('path_unknown', `There is nothing at ${request.method} ${path}`)
    if (request.method === 'POST' && wantsPage(request.headers) && !isApiPath(path))
      return reply.redirect(onThisSite(request.url), 303)
    reply.header('allow', methods.join(', '))
    throw new Refusal(
      'method_not_allowed',
      `${path} does not take ${request.method}. Use ${CHOICE.format(methods)}`,
    )
  })
}

/** A location such as `//example.com/` is another site's. */
const onThisSite = (url: string): string => url.replace(/^[/\\]+/, '/')

const CHOICE = new Intl.ListFormat('en-US', { type: 'disjunction' })

/** Of '/api/orders/:userId'. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[$()+.?[\\\]^{|}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll(/:\w+/g, '[^/]+')}$`,
  )

function methodsOf(known: readonly KnownPath[], path: string): string[] {
  const found = known.filter(
    ({ pattern, isForPages }) => pattern.test(path) && !(isForPages && isApiPath(path)),
  )
  return [...new Set(found.flatMap(({ method }) => method))].toSorted()
}
