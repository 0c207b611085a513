import { expect, test } from 'vitest'
import type { PageSlug, PageSummary } from '#contract/support.ts'
import { checkSupportPages } from './page-checks.ts'

const page = (slug: PageSlug, isExample = false): PageSummary => ({ slug, title: slug, isExample })
const OWN = [page('help'), page('terms'), page('privacy'), page('refunds')]
const SUPPORT = 'help@example.com'

test('a live site with pages and an address of its own is in order', () => {
  const [finding] = checkSupportPages({ mode: 'live', pages: OWN, supportEmail: undefined })
  expect(finding?.isOk).toBe(true)
  const pages = OWN.slice(1)
  expect(checkSupportPages({ mode: 'live', pages, supportEmail: SUPPORT })[0]?.isOk).toBe(true)
})

test('a live site is told which pages are missing or only examples', () => {
  const pages = [page('help'), page('terms', true), page('privacy')]
  expect(checkSupportPages({ mode: 'live', pages, supportEmail: SUPPORT })).toEqual([
    { isOk: false, text: expect.stringContaining('no text of yours in terms.md, refunds.md') },
  ])
})

test('a live site that customers cannot reach is told so', () => {
  const pages = [page('help', true), ...OWN.slice(1)]
  expect(checkSupportPages({ mode: 'live', pages, supportEmail: undefined })).toEqual([
    { isOk: false, text: expect.stringContaining('set SUPPORT_EMAIL') },
  ])
})

test('a sandbox may show the examples', () => {
  const pages = OWN.map(({ slug }) => page(slug, true))
  const found = checkSupportPages({ mode: 'sandbox', pages, supportEmail: undefined })
  expect(found).toEqual([{ isOk: true, text: expect.stringContaining('in order in a sandbox') }])
})
