/** From an operator's markdown to the HTML of a page. Pure. */
import MarkdownIt from 'markdown-it'
import type { OperatorPage, TextSection } from '#contract/support.ts'

type MarkdownToken = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const MAX_TITLE_LENGTH = 80
/** Pages, parts of a page, websites and addresses. A scheme such as javascript: or data: is text. */
const ALLOWED_LINK = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)/i

const markdown = new MarkdownIt('default', { html: false, linkify: false, maxNesting: 20 })
markdown.disable('image')
markdown.validateLink = url => ALLOWED_LINK.test(url.trim())

// The page has its title as h1: a further one would be a second.
for (const rule of ['heading_open', 'heading_close'] as const) {
  markdown.renderer.rules[rule] = (tokens, at, options, _env, self) => {
    const token = tokens[at]!
    if (token.tag === 'h1') token.tag = 'h2'
    return self.renderToken(tokens, at, options)
  }
}
// Links lead to a part of the page by the words of its title.
const IDS_OF_PAGE = ['content', 'root', 'more', 'none', 'help-search']
/** Of a title without letters and digits. */
const NAMELESS_ID = 'part'
markdown.core.ruler.push('part_ids', ({ tokens }) => {
  const used = new Set(IDS_OF_PAGE)
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const id = idOf(plainText(tokens[at + 1]?.children ?? []))
    const free = firstFree(id || NAMELESS_ID, used)
    used.add(free)
    token.attrSet('id', free)
  }
})
markdown.renderer.rules.link_open = (tokens, at, options, _env, self) => {
  const token = tokens[at]!
  if (/^https?:/i.test(String(token.attrGet('href')))) token.attrSet('rel', 'noopener nofollow')
  return self.renderToken(tokens, at, options)
}

export type RenderedPage = Pick<OperatorPage, 'title' | 'html' | 'sections' | 'updatedText'>

/**
 * The first heading of level 1 is the title and is left out of `html`; without one the title is `fallbackTitle`. So is a
 * first line 'Last updated: …'. Markup and pictures of the file are shown as text.
 */
export function renderPage(text: string, fallbackTitle: string): RenderedPage {
  const env = {}
  const tokens = markdown.parse(text, env)
  const at = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  const title = at < 0 ? '' : plainText(tokens[at + 1]?.children ?? [])
  const { updatedText, rest } = takeUpdated(at < 0 ? tokens : tokens.toSpliced(at, 3))
  const render = (part: MarkdownToken[]) => markdown.renderer.render(part, markdown.options, env)
  return {
    title: title.slice(0, MAX_TITLE_LENGTH).trim() || fallbackTitle,
    html: render(rest),
    sections: sectionsOf(rest, render),
    updatedText,
  }
}

const UPDATED = /^last updated:?\s+(?<when>\S.*)$/i
const MAX_UPDATED_LENGTH = 40

/** Removes a first line such as 'Last updated: May 4, 2026' and returns its date as written. Text on the next line stays. */
function takeUpdated(tokens: MarkdownToken[]): {
  updatedText: string | null
  rest: MarkdownToken[]
} {
  const [first, words] = tokens
  const parts = words?.children ?? []
  const breakAt = parts.findIndex(isLineBreak)
  const line = breakAt < 0 ? parts : parts.slice(0, breakAt)
  const when =
    first?.type === 'paragraph_open'
      ? UPDATED.exec(plainText(line).trim())?.groups?.when
      : undefined
  // A break inside of emphasis cannot be cut at: such a line stays in the text.
  if (when === undefined || when.length > MAX_UPDATED_LENGTH || (parts[breakAt]?.level ?? 0) > 0)
    return { updatedText: null, rest: tokens }
  if (breakAt < 0) return { updatedText: when, rest: tokens.slice(3) }
  words!.children = parts.slice(breakAt + 1)
  return { updatedText: when, rest: tokens }
}

const isLineBreak = ({ type }: MarkdownToken): boolean =>
  type === 'softbreak' || type === 'hardbreak'

function sectionsOf(
  tokens: MarkdownToken[],
  render: (part: MarkdownToken[]) => string,
): TextSection[] {
  const heads = tokens.flatMap((token, at) => (isHead(token) ? [at] : []))
  const sections: TextSection[] = [
    { id: '', title: '', html: render(tokens.slice(0, heads[0])), questions: [] },
  ]
  for (const [index, at] of heads.entries()) {
    const part = {
      id: String(tokens[at]!.attrGet('id') ?? ''),
      title: plainText(tokens[at + 1]?.children ?? []),
      html: render(tokens.slice(at + 3, heads[index + 1])),
    }
    if (tokens[at]!.tag === 'h3') sections.at(-1)?.questions.push(part)
    else sections.push({ ...part, questions: [] })
  }
  return sections.filter(
    ({ title, html, questions }) => title + html !== '' || questions.length > 0,
  )
}

const HEAD_TAGS = new Set(['h1', 'h2', 'h3'])
/** Not one inside a quotation or a list. */
const isHead = ({ type, tag, level }: MarkdownToken): boolean =>
  type === 'heading_open' && level === 0 && HEAD_TAGS.has(tag)

/** The id itself, or 'labels-2' where the page has 'labels'. */
function firstFree(id: string, used: ReadonlySet<string>): string {
  for (let n = 2, free = id; ; free = `${id}-${n++}`) if (!used.has(free)) return free
}

/** 'Add money' becomes 'add-money'. */
const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

const plainText = (tokens: { type: string; content: string }[]): string =>
  tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')
