import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'

type KnownPath = { pattern: RegExp; method: string | string[]; isForPages: boolean }

const API_PATH = /^\/(?:api|socket\.io|v2)(?:\/|$)/

/**
 * Refuses what no route takes: 405 with `Allow` when the path has other methods, else 404. Call it
 * before routes are added.
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
    reply.header('allow', methods.join(', '))
    throw new Refusal(
      'method_not_allowed',
      `${path} does not take ${request.method}. Use ${CHOICE.format(methods)}`,
    )
  })
}

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
    ({ pattern, isForPages }) => pattern.test(path) && !(isForPages && API_PATH.test(path)),
  )
  return [...new Set(found.flatMap(({ method }) => method))].toSorted()
}
