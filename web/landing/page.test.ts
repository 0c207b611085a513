import { expect, test } from 'vitest'
import { fillPage } from '#contract/page-template.ts'
import type { PageFacts } from '#contract/page-template.ts'
import { EXAMPLE_OFFER, flatPriceFacts, PriceComparison } from '#contract/price-chart.ts'
import { content } from './content.ts'
import { render } from './render.tsx'

const facts: PageFacts = {
  year: '2026',
  url: 'https://labels.example.com',
  price: '$6.50',
  flat: flatPriceFacts({ ...EXAMPLE_OFFER, heaviest: 120 }, null),
  community: null,
  chat: null,
  pages: [],
  refunds: null,
  agreement: null,
}
const { head, body } = render()
const page = (change: Partial<PageFacts> = {}) => fillPage(body, { ...facts, ...change })
const words = (change: Partial<PageFacts> = {}) =>
  page(change)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#x27;', "'")

test('the sections are in the required order', () => {
  const headings = [...body.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, text]) => text)
  expect(headings).toEqual([
    'How It Works',
    'Why Choose Us',
    'Clear Pricing No Hidden Fees',
    'Frequently Asked Questions',
    'What Our Customers Say',
    'Ready to Ship Your Goods',
  ])
  expect(body.indexOf('Get Started')).toBeLessThan(body.indexOf('How It Works</h2>'))
  expect(body.indexOf('Start Shipping Today')).toBeGreaterThan(
    body.indexOf('Ready to Ship Your Goods'),
  )
})

test.each([
  /120lb label costs the same as a 20lb one/,
  /Overnight labels/,
  /Full automation/,
  /24\/7 support/,
  /Multilingual support/,
  /98% satisfaction guarantee/,
  /30-day money-back guarantee/,
  /Loyal customers get exclusive discounts/,
  /Bitcoin is our main way to pay/,
  /Lower rates with Bitcoin/,
])('the page claims: %s', claim => {
  expect(words()).toMatch(claim)
})

test('three questions, and three customers with 4.5, 5 and 4 stars', () => {
  expect(content.faq.entries).toHaveLength(3)
  expect(
    [...body.matchAll(/aria-label="([\d.]+) out of 5 stars"/g)].map(([, rating]) => Number(rating)),
  ).toEqual([4.5, 5, 4])
  expect(content.testimonials.entries.map(({ designation }) => designation)).toEqual([
    'Customer',
    'Customer',
    'Customer',
  ])
})

test('invented reviews are marked as samples', () => {
  expect(content.testimonials.entries.every(({ example }) => example)).toBe(true)
  expect(words()).toContain(content.testimonials.examples)
})

test('both labels of the first picture carry the price where weights cost the same', () => {
  const stickers = (text: string) =>
    text.slice(0, text.indexOf('How It Works</h2>')).split('$6.50</span>').length - 1
  expect(stickers(page())).toBe(2)
  expect(stickers(page({ price: null, flat: null }))).toBe(0)
  expect(page({ price: null, flat: null })).not.toContain('$6')
})

test('the heaviest weight that is sold at one price is what the page promises', () => {
  const sold = words({ flat: flatPriceFacts(EXAMPLE_OFFER, null) })
  expect(sold).toContain('A 70lb label costs the same as a 20lb one.')
  expect(sold).toContain('1 lb = 70 lb')
  expect(sold).toContain('$6.50 a label, from 1 to 70 lb')
  expect(sold).toContain('a label costs $6.50 at every weight from 1 lb to 70 lb')
  expect(sold).not.toContain('120')
  expect(page({ flat: flatPriceFacts(EXAMPLE_OFFER, null) })).toContain('max="70"')
})

test('no weight is promised where no two weights cost the same', () => {
  const least = words({ price: null, flat: null })
  expect(least).not.toMatch(/\d ?lb/)
  expect(least).toContain('Anvil')
  expect(page({ flat: null })).not.toContain('data-slider')
})

test('other prices are shown only from a table of the operator, with their source', () => {
  expect(page()).not.toContain('<polyline')
  const comparison = PriceComparison.parse({
    name: 'Post office counter',
    source: 'Price list of July 2026',
    url: 'https://example.com/prices',
    prices: [
      { upTo: 1, price: 10.25 },
      { upTo: 70, price: 80.5 },
    ],
  })
  const flat = flatPriceFacts(EXAMPLE_OFFER, comparison)
  expect(page({ flat })).toContain('<polyline')
  expect(page({ flat })).toContain('<a href="https://example.com/prices"')
  expect(words({ flat })).toContain('Source: Price list of July 2026')
  expect(words({ flat })).toContain('Post office counter: $10.25 for 1 lb, $80.50 for 70 lb.')
  const unlinked = flatPriceFacts(EXAMPLE_OFFER, { ...comparison, url: undefined })
  expect(words({ flat: unlinked })).toContain('Source: Price list of July 2026')
})

test('the faulty row of the picture has the message of the product', () => {
  expect(words()).toMatch(/4101.{0,3} is missing its leading zero/)
})

test('every picture of a label says SAMPLE twice', () => {
  expect(page().split('SAMPLE')).toHaveLength(2 * 12 + 1)
})

test('the community is linked where there is one', () => {
  expect(words()).toContain('© 2026 Evenpost')
  expect(page()).not.toContain('Community chat')
  expect(page({ community: 'https://chat.example.com/e' })).toContain(
    '<a href="https://chat.example.com/e" target="_blank" rel="noopener noreferrer">',
  )
})

test('search engines get the URL, the image and the questions', () => {
  const filled = fillPage(head, facts)
  expect(filled).toContain('<link rel="canonical" href="https://labels.example.com/"/>')
  expect(filled).toContain(
    '<meta property="og:image" content="https://labels.example.com/og.png"/>',
  )
  const told = JSON.parse(
    /<script type="application\/ld\+json">(.*?)<\/script>/.exec(filled)![1]!,
  ) as { mainEntity: { name: string }[] }
  expect(told.mainEntity.map(({ name }) => name)).toEqual(
    content.faq.entries.map(({ title }) => title),
  )
})

test('the page works without unknown facts', () => {
  const least = page({ price: null, flat: null })
  expect(least).not.toContain('{{')
  expect(least).toContain('Get Started')
})

test('the answer about money back leads to the operator’s rules, where there are some', () => {
  const answer = (text: string) =>
    text.slice(text.indexOf('What if I am not satisfied?'), text.indexOf('What Our Customers Say'))
  const refunds = { path: '/refunds', title: 'Our refunds' }
  expect(answer(page({ refunds }))).toContain('<a href="/refunds">Our refunds</a>')
  expect(answer(page())).not.toContain('<a ')
})
