import { expect, test } from 'vitest'
import { fillPage } from '#contract/page-template.ts'
import type { PageFacts } from '#contract/page-template.ts'
import { content } from './content.ts'
import { render } from './render.tsx'

const facts: PageFacts = {
  year: '2026',
  url: 'https://labels.example.com',
  price: '$6.50',
  community: null,
  chat: null,
}
const { head, body } = render()
const page = (change: Partial<PageFacts> = {}) => fillPage(body, { ...facts, ...change })
const words = page()
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
  expect(words).toMatch(claim)
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
  expect(words).toContain(content.testimonials.examples)
})

test('both labels carry the price where every weight costs the same, and none where it does not', () => {
  expect(page().split('$6.50</span>')).toHaveLength(3)
  expect(page({ price: null })).not.toContain('$')
})

test('every picture of a label says SAMPLE twice', () => {
  expect(page().split('SAMPLE')).toHaveLength(2 * 2 + 1)
})

test('the community is linked where there is one', () => {
  expect(words).toContain('© 2026 Evenpost')
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
  const least = page({ price: null })
  expect(least).not.toContain('{{')
  expect(least).toContain('Get Started')
})
