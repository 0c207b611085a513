import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fillPage } from '#contract/page-template.ts'
import type { PageFacts } from '#contract/page-template.ts'
import { isApiPath, wantsPage } from './browser-requests.ts'
import { compressFile, sendCompressed } from './compressed-file.ts'
import type { CompressedFile } from './compressed-file.ts'

export type PageOptions = {
  /** It may appear or change while the server runs. */
  folder: string
  /**
   * Third-party origins that the Content-Security-Policy allows for frames and connections.
   */
  origins: string[]
  /** URLs of third-party scripts: of their origins only these may run. */
  scripts?: string[]
  pageFacts: () => Promise<PageFacts>
  /**
   * Paths, without the first slash, of the web app. Any other path gets the page with status 404.
   * Default: all.
   */
  knownPaths?: RegExp
  /**
   * Paths without third-party widgets: their URL or their storage holds a secret that a script could
   * read.
   */
  secretPaths?: RegExp
  /** Paths that no search engine lists and no cache keeps: who has the URL may read the page. */
  unlistedPaths?: RegExp
}

type CachedFile = CompressedFile & { policy: string | null }
/**
 * The files of one build. `cached` files are created on first use, and again when the facts in them
 * change.
 */
type AssetCache = {
  buildStamp: string
  files: Set<string>
  cached: Map<string, { facts: string; file: Promise<CachedFile> }>
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
/** Files with facts that are known only at run time (contract/page-template.ts). */
const TEMPLATE_TYPES = new Set(['.html', '.txt', '.xml'])

/**
 * Serves the files in the listing of the folder. Every other path outside the API gets app.html (or
 * index.html), so any page can be opened by its URL and unknown ones show the app's own 'not
 * found'. So does a missing file that a browser opens as a page.
 */
export async function servePages(app: FastifyInstance, options: PageOptions): Promise<void> {
  await app.register(fastifyStatic, {
    root: options.folder,
    serve: false,
    dotfiles: 'deny',
    cacheControl: false,
    index: false,
  })

  let cache: AssetCache | undefined
  const route = { config: { limit: 'files' as const } }
  app.get('/*', route, async (request, reply) => {
    const path = (request.params as { '*': string })['*']
    if (isApiPath(`/${path}`) || path.split('/').some(part => part.startsWith('.')))
      return reply.callNotFound()
    const stamp = await readBuildStamp(join(options.folder, 'index.html'))
    if (stamp === null) return sendNotBuilt(reply)
    if (cache?.buildStamp !== stamp)
      cache = { buildStamp: stamp, files: await listFiles(options.folder), cached: new Map() }
    const file = fileFor(path, cache.files, request.url.includes('?'))
    if (file === null && !wantsPage(request.headers)) return reply.callNotFound()
    const isKnown = path === '' || cache.files.has(path) || (options.knownPaths?.test(path) ?? true)
    return sendFile(request, reply.code(file !== null && isKnown ? 200 : 404), options, {
      cache,
      file: file ?? appPage(cache.files),
      withoutThirdParty: options.secretPaths?.test(path) ?? false,
      isUnlisted: options.unlistedPaths?.test(path) ?? false,
    })
  })
}

/** A page of documentation: it has no query of its own, so any may follow its address. */
const isDocument = (path: string): boolean => path.startsWith('docs/')

/** A page that the build has rendered does not know what a query asks for. */
function fileFor(path: string, files: Set<string>, hasQuery: boolean): string | null {
  if (path === '') return 'index.html'
  if (files.has(path)) return path
  if (files.has(`${path}.html`) && (!hasQuery || isDocument(path))) return `${path}.html`
  const isFile = path.startsWith('assets/') || extname(path) !== ''
  return isFile ? null : appPage(files)
}

/** It shows what its address says. */
const appPage = (files: Set<string>): string => (files.has('app.html') ? 'app.html' : 'index.html')

type FileRequest = {
  cache: AssetCache
  file: string
  withoutThirdParty: boolean
  isUnlisted: boolean
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  options: PageOptions,
  fileRequest: FileRequest,
): Promise<FastifyReply> {
  const { file, isUnlisted } = fileRequest
  // Asset names contain a hash of the content, so the content under a name never changes.
  reply.header(
    'cache-control',
    file.startsWith('assets/')
      ? 'public, max-age=31536000, immutable'
      : isUnlisted
        ? 'no-store'
        : 'no-cache',
  )
  if (isUnlisted) reply.header('x-robots-tag', 'noindex, nofollow')
  const type = MIME_TYPES[extname(file)]
  if (!type) return reply.sendFile(file)

  const cached = await getCachedFile(options, fileRequest)
  if (cached.policy !== null) reply.header('content-security-policy', cached.policy)
  return sendCompressed(request, reply.type(type), cached)
}

async function getCachedFile(
  options: PageOptions,
  { cache, file, withoutThirdParty }: FileRequest,
): Promise<CachedFile> {
  const all = TEMPLATE_TYPES.has(extname(file)) ? await options.pageFacts() : null
  const facts = all && withoutThirdParty ? { ...all, chat: null } : all
  const factsKey = JSON.stringify(facts)
  const key = withoutThirdParty ? `${file} without third party` : file
  const cached = cache.cached.get(key)
  if (cached?.facts === factsKey) return cached.file
  const made = { facts: factsKey, file: loadFile(options, facts, file) }
  cache.cached.set(key, made)
  try {
    return await made.file
  } catch (error) {
    // Perhaps for the moment, such as with too many open files: the next request reads it again.
    if (cache.cached.get(key) === made) cache.cached.delete(key)
    throw error
  }
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
      policy = contentPolicy({
        origins: options.origins,
        scriptUrls: options.scripts,
        chat: facts.chat,
        ...inlineParts(text),
      })
    plain = Buffer.from(text)
  }
  return { ...(await compressFile(plain)), policy }
}

export type PolicySources = {
  origins?: string[]
  scriptUrls?: string[] | undefined
  /** URL of the chat widget's script. Its origin also gets styles, images and fonts. */
  chat?: string | null
  scripts?: string[]
  styles?: string[]
}

/**
 * Inline scripts run only if the build wrote them. A page with its own inline style allows no
 * other; elsewhere inline styles are allowed, because the component library and chat widgets write
 * style attributes.
 */
export function contentPolicy({
  origins = [],
  scriptUrls = [],
  chat = null,
  scripts = [],
  styles = [],
}: PolicySources): string {
  const widget = chat === null ? [] : [new URL(chat).origin]
  const thirdParty = [...origins, ...widget]
  const directive = (name: string, ...sources: string[]): string => [name, ...sources].join(' ')
  const quoted = (hashes: string[]): string[] => hashes.map(hash => `'${hash}'`)
  return [
    directive('default-src', "'self'"),
    directive('script-src', "'self'", ...quoted(scripts), ...scriptUrls, ...widget),
    directive(
      'style-src',
      "'self'",
      ...(styles.length > 0 && chat === null ? quoted(styles) : ["'unsafe-inline'"]),
      ...widget,
    ),
    directive('img-src', "'self'", 'data:', 'blob:', ...widget),
    directive('font-src', "'self'", ...widget),
    directive(
      'connect-src',
      "'self'",
      ...thirdParty,
      ...widget.map(origin => origin.replace(/^http/, 'ws')),
    ),
    directive('frame-src', "'self'", ...thirdParty),
    directive('worker-src', "'self'", 'blob:'),
    directive('object-src', "'none'"),
    directive('base-uri', "'none'"),
    directive('form-action', "'self'"),
    directive('frame-ancestors', "'none'"),
  ].join('; ')
}

/**
 * Hashes of a page's inline scripts and styles, for the content policy. `<style data-app>` does not
 * count: the component library writes style attributes beside it.
 */
export function inlineParts(html: string): Required<Pick<PolicySources, 'scripts' | 'styles'>> {
  const hashesOf = (part: RegExp): string[] =>
    [...html.matchAll(part)].map(
      ([, text]) => `sha256-${createHash('sha256').update(text!).digest('base64')}`,
    )
  return {
    scripts: hashesOf(
      /<script(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>([\s\S]*?)<\/script>/gi,
    ),
    styles: hashesOf(/<style(?![^>]*\sdata-app)[^>]*>([\s\S]*?)<\/style>/gi),
  }
}

async function readBuildStamp(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  return found && `${found.mtimeMs}:${found.size}`
}

/** Without hidden files. */
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
        + '<code>npm start</code>, which does it; the API under <code>/api</code> works already.</p></html>',
    )
