/** The built web: hashed assets for ever, pages fresh at each visit and under a strict content policy. */
import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type PageOptions = {
  /** Where the build has put the web. It may appear or change while we run. */
  folder: string
  /** The address we are known by, asked at each answer: it may be settled only when we listen. */
  publicUrl: () => string
  /** Other origins that scripts, frames and connections may use: the payment service's, the chat's. */
  hosts: string[]
  /** Fills what is known only at run time into a page's text. */
  fill?: (html: string) => string
}

/** A text as it is sent: plain and compressed, with its tag. */
type Copy = { plain: Buffer, brotli: Buffer, tag: string }
/** What the folder held when its index.html was written. `copies` are made on first use. */
type Shelf = { stamp: string, files: Set<string>, copies: Map<string, Promise<Copy>>, policies: Map<string, string> }

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml', '.json': 'application/json; charset=utf-8', '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/**
 * Serves the files of the folder, and its index.html (app.html, where there is one) under every other path that is not a call's, so
 * that a page can be opened at any address. Only files found in a listing of the folder are ever opened.
 */
export async function openPages(app: FastifyInstance, options: PageOptions): Promise<void> {
  await app.register(fastifyStatic, { root: options.folder, serve: false, dotfiles: 'deny', cacheControl: false, index: false })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cross-origin-opener-policy', 'same-origin')
    if (options.publicUrl().startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000')
  })

  let shelf: Shelf | undefined
  app.get('/*', { schema: { hide: true } as object }, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (belongsToCalls(path) || path.split('/').some(part => part.startsWith('.'))) return reply.callNotFound()
    const stamp = await stampOf(join(options.folder, 'index.html'))
    if (stamp === null) return sayNotBuilt(reply)
    if (shelf?.stamp !== stamp) shelf = { stamp, files: await listFiles(options.folder), copies: new Map(), policies: new Map() }
    const file = fileFor(path, shelf.files)
    return file === null ? reply.callNotFound() : sendFile(request, reply, options, shelf, file)
  })
}

const belongsToCalls = (path: string): boolean => /^(api|socket\.io)(\/|$)/.test(path)

/** A file of the folder, the page for an address of the web, or null for a file that is not there. */
function fileFor(path: string, files: Set<string>): string | null {
  if (path === '') return 'index.html'
  if (files.has(path)) return path
  const isFile = path.startsWith('assets/') || extname(path) !== ''
  if (isFile) return null
  return files.has('app.html') ? 'app.html' : 'index.html'
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, options: PageOptions, shelf: Shelf, file: string):
Promise<FastifyReply> {
  // The build names assets by their content: what has a name never changes.
  reply.header('cache-control', file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  const type = TYPES[extname(file)]
  if (!type) return reply.sendFile(file)

  let copy = shelf.copies.get(file)
  if (!copy) shelf.copies.set(file, copy = makeCopy(options, shelf, file))
  const { plain, brotli, tag } = await copy
  if (file.endsWith('.html')) reply.header('content-security-policy', shelf.policies.get(file))
  reply.headers({ vary: 'accept-encoding', etag: tag }).type(type)
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  const packed = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  return packed ? reply.header('content-encoding', 'br').send(brotli) : reply.send(plain)
}

async function makeCopy(options: PageOptions, shelf: Shelf, file: string): Promise<Copy> {
  let plain = await readFile(join(options.folder, file))
  if (file.endsWith('.html')) {
    const html = options.fill ? options.fill(plain.toString('utf8')) : plain.toString('utf8')
    shelf.policies.set(file, contentPolicy(options.hosts, inlineScripts(html)))
    plain = Buffer.from(html)
  }
  const brotli = await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  return { plain, brotli, tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
}

/**
 * What our pages may load. No inline script runs unless the build made it (`hashes`); styles may be inline, because the kit of
 * components writes style attributes.
 */
export function contentPolicy(hosts: string[], hashes: string[]): string {
  const others = hosts.map(host => ` ${host}`).join('')
  return [
    "default-src 'self'",
    `script-src 'self'${hashes.map(hash => ` '${hash}'`).join('')}${others}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${others}`,
    `frame-src 'self'${others}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Hashes of a page's inline scripts, as a content policy names them. */
export function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)]
    .map(([, text]) => `sha256-${createHash('sha256').update(text!).digest('base64')}`)
}

async function stampOf(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  return found && `${found.mtimeMs}:${found.size}`
}

/** Paths below the folder with forward slashes; what begins with a dot is left out. */
async function listFiles(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = (entry: Dirent) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
  return new Set(entries.filter(entry => entry.isFile()).map(pathOf).filter(path => !path.split('/').some(part => part.startsWith('.'))))
}

const sayNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply.code(503).headers({ 'cache-control': 'no-store', 'content-security-policy': contentPolicy([], []) }).type(TYPES['.html']!).send(
    '<!doctype html><html lang="en"><title>Not built yet</title><p>The pages are not built yet. Run <code>npm run build</code>, or '
    + '<code>npm start</code>, which does it; the calls under <code>/api</code> work already.</p></html>')
