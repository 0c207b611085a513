/**
 * Facts of a built page that are known only at run time. In its text `{{year}}` is replaced by a
 * fact, and `{{#chat}}…{{/chat}}` is left out without that fact. The server fills pages, robots.txt
 * and sitemap.xml; in development Vite does.
 */
export type PageFacts = {
  year: string
  /** The public URL without a trailing slash. */
  url: string
  /** '$6.50': the lowest price; null where a service charges by weight. */
  price: string | null
  community: string | null
  chat: string | null
}

const CONDITIONAL_PART = /\{\{#(\w+)\}\}([\s\S]*?)\{\{\/\1\}\}/g
const FACT_PLACEHOLDER = /\{\{(\w+)\}\}/g
const HTML_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Facts are escaped for HTML; a missing fact is left out. */
export function fillPage(text: string, facts: PageFacts): string {
  const known = new Map<string, string | null>(Object.entries(facts))
  return text
    .replace(CONDITIONAL_PART, (_part, name: string, inside: string) =>
      known.get(name) ? inside : '',
    )
    .replace(FACT_PLACEHOLDER, (_fact, name: string) =>
      (known.get(name) ?? '').replace(/[&<>"']/g, sign => HTML_ESCAPES[sign]!),
    )
}

/**
 * Paths of the web app without the first slash: its entrances and everything below the two areas,
 * which show their own 'not found'. Any other path is answered with 404.
 */
export const APP_PATHS =
  /^(?:(?:login|register|forgot-password|reset-password|verify-email|undo-email-change|onboarding)\/*$|(?:main|admin)(?:\/|$))/i
