/**
 * What a built page learns only at run time. In its text `{{year}}` stands for a fact, and `{{#chat}}…{{/chat}}` for a part that
 * is there only when the fact is known. The server fills pages, robots.txt and sitemap.xml; in development the page builder does.
 */
export type PageFacts = {
  /** The current year, for the copyright line. */
  year: string
  /** The address the product is known by, without a slash at the end. */
  url: string
  /** '$6.50': the lowest price, where no service charges by weight. */
  price: string | null
  /** The address of the customers' community chat. */
  community: string | null
  /** The address of the chat widget's script. */
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

/** Facts are written as text of the markup, never as markup. A fact that nobody knows is left out. */
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
 * Addresses of the web, without the first slash: the entrances, and all that is below the two areas, which say themselves what is not
 * there (specification, 2). At any other address there is nothing, and the answer says so.
 */
export const APP_PATHS =
  /^(?:(?:login|register|forgot-password|reset-password|onboarding)\/*$|(?:main|admin)(?:\/|$))/i
