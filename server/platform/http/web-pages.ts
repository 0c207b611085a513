/** The built web: hashed assets for ever, pages fresh at each visit and under a strict content policy. */
import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fillPage } from '#contract/page-template.ts'
import type { PageFacts } from '#contract/page-template.ts'

export type PageOptions = {
  /** Where the build has put the web. It may appear or change while we run. */
  folder: string
  /** Other origins that scripts, frames and connections may use: the payment service's. */
  origins: string[]
  /** What is filled into the pages, asked at each answer. */
  pageFacts: () => Promise<PageFacts>
  /** Paths, without the first slash, where the web has a page. At all others its page says so, under 404. Without it all are known. */
  knownPaths?: RegExp
  /** Paths, without the first slash, whose address holds a secret: no script of others is loaded there, which could read it. */
  secretPaths?: RegExp
}

/** A text as it is sent: plain and compressed, with its tag, and for a page what it may load. */
type CachedFile = { plain: Buffer; brotli: Buffer; tag: string; policy: string | null }
/** What the folder held when its index.html was written. `copies` are made on first use, and again when what fills them changes. */
type AssetCache = {
  buildStamp: string
  files: Set<string>
  cached: Map<string, { filling: string; copy: Promise<CachedFile> }>
}

const MIME_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}
/** Texts that may say what is known only at run time (contract/page-template.ts). */
const TEMPLATE_TYPES = new Set(['.html', '.txt', '.xml'])

/**
 * Serves the files of the folder, and its index.html (app.html, where there is one) under every other path that is not a call's, so
 * that a page can be opened at any address, and one that is nowhere is told in the web's own words. Only files found in a listing of
 * the folder are ever opened.
 */
export async function servePages(app: FastifyInstance, options: PageOptions): Promise<void> {
  await app.register(fastifyStatic, {
    root: options.folder,
    serve: false,
    dotfiles: 'deny',
    cacheControl: false,
    index: false,
  })

  let shelf: AssetCache | undefined
  app.get('/*', { schema: { hide: true } as object }, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (isApiPath(path) || path.split('/').some(part => part.startsWith('.')))
      return reply.callNotFound()
    const stamp = await readBuildStamp(join(options.folder, 'index.html'))
    if (stamp === null) return sendNotBuilt(reply)
    if (shelf?.buildStamp !== stamp)
      shelf = { buildStamp: stamp, files: await listFiles(options.folder), cached: new Map() }
    const file = fileFor(path, shelf.files)
    if (file === null) return reply.callNotFound()
    const isFound = path === '' || shelf.files.has(path) || (options.knownPaths?.test(path) ?? true)
    return sendFile(request, reply.code(isFound ? 200 : 404), options, {
      cache: shelf,
      file,
      withoutThirdParty: options.secretPaths?.test(path) ?? false,
    })
  })
}

const isApiPath = (path: string): boolean => /^(api|socket\.io)(\/|$)/.test(path)

/** A file of the folder, the page for an address of the web, or null for a file that is not there. */
function fileFor(path: string, files: Set<string>): string | null {
  if (path === '') return 'index.html'
  if (files.has(path)) return path
  const isFile = path.startsWith('assets/') || extname(path) !== ''
  if (isFile) return null
  return files.has('app.html') ? 'app.html' : 'index.html'
}

/** A file to be sent; `alone`: without scripts of others. */
type FileRequest = { cache: AssetCache; file: string; withoutThirdParty: boolean }

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  options: PageOptions,
  wanted: FileRequest,
): Promise<FastifyReply> {
  const { file } = wanted
  // The build names assets by their content: what has a name never changes.
  reply.header(
    'cache-control',
    file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  )
  const type = MIME_TYPES[extname(file)]
  if (!type) return reply.sendFile(file)

  const { plain, brotli, tag, policy } = await getCachedFile(options, wanted)
  if (policy !== null) reply.header('content-security-policy', policy)
  reply.headers({ vary: 'accept-encoding', etag: tag }).type(type)
  if (reply.statusCode === 200 && request.headers['if-none-match'] === tag)
    return reply.code(304).send()
  const packed = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  return packed ? reply.header('content-encoding', 'br').send(brotli) : reply.send(plain)
}

/** The copy on the shelf, unless it says what is no longer so. */
async function getCachedFile(
  options: PageOptions,
  { cache, file, withoutThirdParty }: FileRequest,
): Promise<CachedFile> {
  const known = TEMPLATE_TYPES.has(extname(file)) ? await options.pageFacts() : null
  const facts = known && withoutThirdParty ? { ...known, chat: null } : known
  const filling = JSON.stringify(facts)
  const name = withoutThirdParty ? `${file} alone` : file
  let kept = cache.cached.get(name)
  if (kept?.filling !== filling)
    cache.cached.set(name, (kept = { filling, copy: loadFile(options, facts, file) }))
  return kept.copy
}

async function loadFile(
  options: PageOptions,
  facts: PageFacts | null,
  file: string,
): Promise<CachedFile> {
  let plain = await readFile(join(options.folder, file))
  let policy: string | null = null
  if (facts) {
    const text = fillPage(plain.toString('utf8'), facts)
    if (file.endsWith('.html'))
      policy = contentPolicy({ origins: options.origins, chat: facts.chat, ...inlineParts(text) })
    plain = Buffer.from(text)
  }
  const brotli = await promisify(brotliCompress)(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  })
  return {
    plain,
    brotli,
    tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    policy,
  }
}

export type PolicySources = {
  /** Origins of the payment service. */
  origins?: string[]
  /** The address of the chat's script. Its origin may do what a widget needs, and no other origin may. */
  chat?: string | null
  /** Hashes of the scripts and styles that the build wrote into the page. */
  scripts?: string[]
  styles?: string[]
}

/**
 * What a page may load. No inline script runs unless the build made it. A page that brings its own style may have no other inline
 * one; elsewhere they are allowed, because the kit of components writes style attributes, and so do chat widgets.
 */
export function contentPolicy({
  origins = [],
  chat = null,
  scripts = [],
  styles = [],
}: PolicySources): string {
  const widget = chat === null ? [] : [new URL(chat).origin]
  const others = [...origins, ...widget]
  const line = (name: string, ...sources: string[]): string => [name, ...sources].join(' ')
  const quoted = (hashes: string[]): string[] => hashes.map(hash => `'${hash}'`)
  return [
    line('default-src', "'self'"),
    line('script-src', "'self'", ...quoted(scripts), ...others),
    line(
      'style-src',
      "'self'",
      ...(styles.length > 0 && chat === null ? quoted(styles) : ["'unsafe-inline'"]),
      ...widget,
    ),
    line('img-src', "'self'", 'data:', 'blob:', ...widget),
    line('font-src', "'self'", ...widget),
    line(
      'connect-src',
      "'self'",
      ...others,
      ...widget.map(origin => origin.replace(/^http/, 'ws')),
    ),
    line('frame-src', "'self'", ...others),
    line('worker-src', "'self'", 'blob:'),
    line('object-src', "'none'"),
    line('base-uri', "'none'"),
    line('form-action', "'self'"),
    line('frame-ancestors', "'none'"),
  ].join('; ')
}

/** Hashes of a page's inline scripts and styles, as a content policy names them. */
export function inlineParts(html: string): Required<Pick<PolicySources, 'scripts' | 'styles'>> {
  const hashesOf = (part: RegExp): string[] =>
    [...html.matchAll(part)].map(
      ([, text]) => `sha256-${createHash('sha256').update(text!).digest('base64')}`,
    )
  return {
    scripts: hashesOf(
      /<script(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/gi,
    ),
    styles: hashesOf(/<style[^>]*>([\s\S]*?)<\/style>/gi),
  }
}

async function readBuildStamp(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  return found && `${found.mtimeMs}:${found.size}`
}

/** Paths below the folder with forward slashes; what begins with a dot is left out. */
async function listFiles(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathOf = (entry: Dirent) =>
    relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
  return new Set(
    entries
      .filter(entry => entry.isFile())
      .map(pathOf)
      .filter(path => !path.split('/').some(part => part.startsWith('.'))),
  )
}

const sendNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': contentPolicy({}) })
    .type(MIME_TYPES['.html']!)
    .send(
      '<!doctype html><html lang="en"><title>Not built yet</title><p>The pages are not built yet. Run <code>npm run build</code>, or '
        + '<code>npm start</code>, which does it; the calls under <code>/api</code> work already.</p></html>',
    )
