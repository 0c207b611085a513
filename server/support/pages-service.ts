/** The operator's pages: markdown files in DATA_DIR/pages, read again when they change. */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgreementFacts, PageFacts } from '#contract/page-template.ts'
import type { OperatorPage, PageSlug, PageSummary } from '#contract/support.ts'
import { PAGE_SLUGS } from '#contract/support.ts'
import type { Context } from '#server/platform/context.ts'
import { PROJECT_FOLDER } from '#server/platform/process/project-folder.ts'
import { renderPage } from './markdown.ts'
import { missingSupport } from './rules.ts'

const EXAMPLES = join(PROJECT_FOLDER, 'server', 'support', 'examples')
const MAX_BYTES = 64 * 1024

/** Titles of files without a heading. */
const FALLBACK_TITLES: Record<PageSlug, string> = {
  help: 'Help',
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  refunds: 'Refund Policy',
}

export type OperatorPages = {
  /** Null when the operator has hidden the page by an empty file, or its file cannot be used. */
  read(slug: PageSlug): Promise<OperatorPage | null>
  /** Those that can be read. */
  list(): Promise<PageSummary[]>
}

/** What public pages link to: those that can be read, and the one to write to support. */
export function supportFacts(
  pages: PageSummary[],
): Pick<PageFacts, 'pages' | 'refunds' | 'agreement'> {
  const links = pages.map(({ slug, title }) => ({ path: `/${slug}`, title }))
  return {
    pages: [...links, { path: '/contact', title: 'Contact' }],
    refunds: links.find(({ path }) => path === '/refunds') ?? null,
    agreement: agreementOf(pages),
  }
}

/** In a sentence, which the operator's own titles, such as 'Our terms', may not fit. */
const AGREEMENT_NAMES: Partial<Record<PageSlug, string>> = {
  terms: 'terms',
  privacy: 'privacy policy',
}

/** An example is not what the operator offers, so it is left out. */
function agreementOf(pages: PageSummary[]): AgreementFacts | null {
  const own = pages.flatMap(({ slug, isExample }) => {
    const name = AGREEMENT_NAMES[slug]
    return name === undefined || isExample ? [] : [{ path: `/${slug}`, name }]
  })
  if (own.length === 0) return null
  return {
    links: own.map((link, at) => ({ joined: at > 0 ? 'yes' : null, ...link })),
    json: JSON.stringify(own),
  }
}

type PageLog = { warn(facts: { page: string; problem: string }, text: string): void }

type CachedPage = { stamp: string; page: OperatorPage | null }

/** A page without a file is the example that ships with the product. A wrong file is logged once. */
export function openOperatorPages({
  config,
  log,
}: Pick<Context, 'config'> & { log: PageLog }): OperatorPages {
  const cache = new Map<PageSlug, CachedPage>()
  const reported = new Map<PageSlug, string>()

  const load = async (slug: PageSlug): Promise<OperatorPage | null> => {
    const own = join(config.dataDir, 'pages', `${slug}.md`)
    const isExample = !(await exists(own))
    const path = isExample ? join(EXAMPLES, `${slug}.md`) : own
    const { mtimeMs, size } = await stat(path)
    const stamp = `${path}:${mtimeMs}:${size}`
    const cached = cache.get(slug)
    if (cached?.stamp === stamp) return cached.page
    let text = ''
    try {
      text = await readText(path, size)
    } catch (error) {
      const problem = error as NodeJS.ErrnoException
      if (reported.get(slug) !== stamp)
        log.warn({ page: slug, problem: problem.message }, 'a page of the operator is not shown')
      reported.set(slug, stamp)
      // Perhaps for the moment, such as with too many open files: the next request reads it again.
      if (problem.syscall !== undefined) return null
    }
    const page =
      text.trim() === ''
        ? null
        : {
            slug,
            isExample,
            updated: Math.floor(mtimeMs / 1000),
            ...renderPage(text, FALLBACK_TITLES[slug]),
          }
    cache.set(slug, { stamp, page })
    return page
  }
  // A file may go between two looks at it.
  const read = (slug: PageSlug) => load(slug).catch(() => null)
  return {
    read,
    async list() {
      const pages = await Promise.all(PAGE_SLUGS.map(read))
      return pages.flatMap(page =>
        page ? [{ slug: page.slug, title: page.title, isExample: page.isExample }] : [],
      )
    },
  }
}

/** What a live site still lacks for its customers; a sandbox and a worker lack nothing. */
export async function supportWarnings(ctx: Pick<Context, 'config' | 'log'>): Promise<string[]> {
  const { mode, role, supportEmail } = ctx.config
  if (mode !== 'live' || role === 'worker') return []
  return missingSupport(await openOperatorPages(ctx).list(), supportEmail)
}

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )

async function readText(path: string, size: number): Promise<string> {
  if (size > MAX_BYTES)
    throw new Error(`${path} has ${size} bytes; a page has at most ${MAX_BYTES}`)
  const bytes = await readFile(path)
  if (!isUtf8(bytes)) throw new Error(`${path} is no text in UTF-8: save it in this encoding`)
  return new TextDecoder().decode(bytes)
}
