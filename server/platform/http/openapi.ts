/** Serves the OpenAPI 3.1 document of the contract. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { openApiDocument } from '#contract/openapi/document.ts'
import type { DocumentOptions } from '#contract/openapi/document.ts'
import { tokenOf } from './caller-token.ts'
import { compressFile, sendCompressed } from './compressed-file.ts'
import type { CompressedFile } from './compressed-file.ts'
import { Refusal } from './refusal.ts'
import type { RouterHooks } from './router.ts'

/** What `?all=1` asks of a caller. */
const ALL_CALLS = { name: 'openapi', method: 'GET', path: '/api/openapi.json', access: 'admin' }

/** `publicUrl` is called for each response: the address may be known only after the server listens. */
export type DocumentDeps = Pick<RouterHooks, 'authenticate' | 'checkRole'>
  & Pick<DocumentOptions, 'title' | 'version'> & { publicUrl: () => string }

/**
 * The calls for keys, to anyone; with `?all=1` every call, to administrators. Each document is made
 * at its first request and once per `publicUrl()`.
 */
export function serveDocument(app: FastifyInstance, deps: DocumentDeps): void {
  const { title, version, publicUrl } = deps
  const made = new Map<DocumentOptions['calls'], { url: string; file: Promise<CompressedFile> }>()
  const fileOf = (calls: DocumentOptions['calls']): Promise<CompressedFile> => {
    const url = publicUrl()
    const known = made.get(calls)
    if (known?.url === url) return known.file
    const text = JSON.stringify(openApiDocument({ title, version, url, calls }))
    const file = compressFile(Buffer.from(text))
    made.set(calls, { url, file })
    return file
  }
  app.get('/api/openapi.json', async (request, reply) => {
    const { all } = request.query as { all?: unknown }
    if (all !== undefined) await checkAdministrator(deps, request)
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8')
    return sendCompressed(request, reply, await fileOf(all === undefined ? 'keys' : 'all'))
  })
}

async function checkAdministrator(
  { authenticate, checkRole }: DocumentDeps,
  request: FastifyRequest,
): Promise<void> {
  const caller = await authenticate(tokenOf(request))
  if (!caller) throw new Refusal('sign_in_required', 'Please sign in as an administrator')
  checkRole(ALL_CALLS as Endpoint, caller)
}
