/** From an operator's markdown to the HTML of a page. Pure. */
import MarkdownIt from 'markdown-it'

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
const UNUSABLE_IDS = new Set(['content', 'root'])
markdown.core.ruler.push('part_ids', ({ tokens }) => {
  const used = new Set(UNUSABLE_IDS)
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const id = idOf(plainText(tokens[at + 1]?.children ?? []))
    if (id === '' || used.has(id)) continue
    used.add(id)
    token.attrSet('id', id)
  }
})
markdown.renderer.rules.link_open = (tokens, at, options, _env, self) => {
  const token = tokens[at]!
  if (/^https?:/i.test(String(token.attrGet('href')))) token.attrSet('rel', 'noopener nofollow')
  return self.renderToken(tokens, at, options)
}

/**
 * The first heading of level 1 is the title and no part of `html`; without one the title is
 * `fallbackTitle`. Markup and pictures in the text stay text.
 */
export function renderPage(text: string, fallbackTitle: string): { title: string; html: string } {
  const env = {}
  const tokens = markdown.parse(text, env)
  const at = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1')
  const title = at < 0 ? '' : plainText(tokens[at + 1]?.children ?? [])
  const rest = at < 0 ? tokens : tokens.toSpliced(at, 3)
  return {
    title: title.slice(0, MAX_TITLE_LENGTH).trim() || fallbackTitle,
    html: markdown.renderer.render(rest, markdown.options, env),
  }
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
