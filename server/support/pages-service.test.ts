import { expect, test } from 'vitest'
import type { PageSummary } from '#contract/support.ts'
import { supportFacts } from './pages-service.ts'

const page = (slug: PageSummary['slug'], title: string, isExample = false): PageSummary => ({
  slug,
  title,
  isExample,
})

test('new customers agree to the terms and the privacy policy that the operator has written', () => {
  const { agreement } = supportFacts([
    page('help', 'Help'),
    page('terms', 'Our terms'),
    page('privacy', 'Privacy'),
  ])
  expect(agreement?.links.map(({ joined, title }) => [joined, title])).toEqual([
    [null, 'Our terms'],
    ['yes', 'Privacy'],
  ])
  expect(JSON.parse(agreement!.json)).toEqual([
    { path: '/terms', title: 'Our terms' },
    { path: '/privacy', title: 'Privacy' },
  ])
})

test('new customers do not agree to an example', () => {
  expect(supportFacts([page('terms', 'Terms of Service', true)]).agreement).toBeNull()
})

test('the footer links every page that can be read, then the way to write to support', () => {
  expect(supportFacts([page('refunds', 'Money back')])).toMatchObject({
    pages: [
      { path: '/refunds', title: 'Money back' },
      { path: '/contact', title: 'Contact' },
    ],
    refunds: { path: '/refunds', title: 'Money back' },
  })
})
