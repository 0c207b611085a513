/** A page's fact; a group and each entry of a list have facts of their own. */
type Fact = string | null | FactGroup | readonly FactGroup[]
type FactGroup = { readonly [name: string]: Fact }

/** Positions in the chart of prices, in per cent of its width or height, from the top left. */
export type ChartMark = { at: string; text: string }

/** A weight on the scale, and a parcel of that weight standing on it, in per cent of the chart's width. */
export type WeightMark = ChartMark & { side: string; left: string }

/** The operator's table of other prices, as the chart shows it. */
export type OtherPricesFacts = {
  name: string
  source: string
  url: string | null
  /** Corners of its line, 'x,y x,y', in per cent. */
  points: string
  /** JSON of [up to lb, '$10.25', position from the top], lightest first. */
  prices: string
  /** The price of 1 lb, and that of `upTo` lb, the heaviest weight that the table and the chart share. */
  firstPrice: string
  lastPrice: string
  upTo: string
}

/** The heaviest parcel that costs the same as one of 1 lb, and the chart of its price. */
export type FlatPriceFacts = {
  /** Whole pounds. */
  heaviest: string
  /** The weight to compare it with. */
  light: string
  line: string
  /** How many labels $100 buys. */
  hundred: string
  weights: WeightMark[]
  amounts: ChartMark[]
  other: OtherPricesFacts | null
}

/**
 * Facts of a built page that are known only at run time. In its text `{{year}}` is replaced by a
 * fact, `{{#chat}}…{{/chat}}` is left out without that fact and `{{^chat}}…{{/chat}}` with it. The
 * inside of a group sees the group's facts too; the inside of a list is repeated for each entry.
 * The server fills pages, robots.txt and sitemap.xml; in development Vite does.
 */
export type PageFacts = {
  year: string
  /** The public URL without a trailing slash. */
  url: string
  /** '$6.50': what each weight of `flat` costs; null where no service has such a price. */
  price: string | null
  flat: FlatPriceFacts | null
  community: string | null
  chat: string | null
  /** The operator's pages and the page to write to support, in the order of the footer. */
  pages: { path: string; title: string }[]
  /** The operator's rules for money back; null without that page. */
  refunds: { path: string; title: string } | null
  /** What new customers agree to; null where the operator has written neither terms nor a privacy policy. */
  agreement: AgreementFacts | null
}

/** `joined`: 'yes' when another link comes before it. `json`: paths and names, for the page's script. */
export type AgreementFacts = {
  links: { joined: 'yes' | null; path: string; name: string }[]
  json: string
}

const CONDITIONAL_PART = /\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g
const FACT_PLACEHOLDER = /\{\{(\w+)\}\}/g
const HTML_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A fact is not read again as a placeholder.
  '{': '&#123;',
}

/** Facts are escaped for HTML; a missing fact is left out. */
export const fillPage = (text: string, facts: PageFacts): string => fill(text, facts)

function fill(text: string, facts: FactGroup): string {
  return text
    .replace(CONDITIONAL_PART, (_part, sign: string, name: string, inside: string) => {
      const fact = facts[name]
      if (sign === '^') return fact ? '' : fill(inside, facts)
      return (Array.isArray(fact) ? fact : fact ? [fact] : [])
        .map(entry => fill(inside, typeof entry === 'string' ? facts : { ...facts, ...entry }))
        .join('')
    })
    .replace(FACT_PLACEHOLDER, (_fact, name: string) => {
      const fact = facts[name]
      return typeof fact === 'string' ? fact.replace(/[&<>"'{]/g, sign => HTML_ESCAPES[sign]!) : ''
    })
}

/** Pages of the web app outside its two areas. */
const SINGLE_PAGES = [
  ...'login register forgot-password reset-password verify-email undo-email-change'.split(' '),
  ...'onboarding docs/api help terms privacy refunds contact stop-parcel-mails'.split(' '),
]

/**
 * Paths of the web app without the first slash: its single pages and everything below the two areas,
 * which show their own 'not found'. Any other path is answered with 404.
 */
export const APP_PATHS = new RegExp(
  `^(?:(?:${SINGLE_PAGES.join('|')})/*$|track/[^/]+/*$|(?:main|admin)(?:/|$))`,
  'i',
)
