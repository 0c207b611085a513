import { expect } from '@playwright/test'
import { axeViolations, horizontalOverflow, resize } from './accessibility-checks.ts'
import { visitorTest as test } from './customer-fixture.ts'
import { watchFor } from './page-helpers.ts'

test('a developer finds a call by keyboard and reads it in Python', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'API', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API')
  await expect(page.getByRole('searchbox')).toHaveAttribute('aria-keyshortcuts', '/')
  await page.keyboard.press('/')
  await page.keyboard.type('void label')
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await expect(contents.getByRole('link', { name: 'Void a label' })).toBeVisible()
  await expect(contents.getByRole('link', { name: 'Buy one label' })).toBeHidden()
  await page.keyboard.press('Enter')
  const call = page.getByRole('article', { name: 'Void a label' })
  await expect(call.getByRole('heading', { level: 3 })).toBeInViewport()
  const curl = call.getByText('curl -X POST')
  await expect(curl).toContainText(new URL(page.url()).origin)
  await page.getByRole('radio', { name: 'Python' }).check()
  await expect(call.getByText('requests.post')).toBeVisible()
  await expect(curl).toBeHidden()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Python' })).toBeChecked()
})

test.describe('with a clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('a developer opens a group, shows a whole answer, copies it and reads what a status means', async ({
    page,
  }) => {
    await page.goto('/docs/api')
    const contents = page.getByRole('navigation', { name: 'Contents' })
    const link = contents.getByRole('link', { name: 'GET List orders' })
    await expect(contents.getByRole('link', { name: 'Authentication' })).toBeVisible()
    await expect(link).toBeHidden()
    const first = page.locator('pre', { hasText: 'export EVENPOST_KEY' })
    const { x, width, height } = (await first.boundingBox())!
    expect(height, 'four lines').toBeGreaterThan(4 * 16)
    const response = page.locator('pre', { hasText: '"mode": "test"' }).first()
    expect((await response.boundingBox())!.x, 'the response beside it').toBeGreaterThan(x + width)
    const step = page.getByRole('listitem').filter({ hasText: 'Download the label' })
    const words = (await step.getByRole('heading').boundingBox())!
    const download = (await step.locator('pre').boundingBox())!
    expect(Math.abs(words.y - download.y), 'beside its code').toBeLessThan(60)
    const group = contents.getByText('Labels', { exact: true })
    await group.focus()
    await group.press('Enter')
    await link.press('Enter')
    await expect(link).toHaveAttribute('aria-current', 'location')

    const call = page.getByRole('article', { name: 'List orders' })
    const showAll = call.getByRole('button', { name: /^Show all \d+ lines$/ })
    await expect(showAll).toHaveAttribute('aria-expanded', 'false')
    const lines = Number(/\d+/.exec((await showAll.textContent())!)![0])
    const answer = call.locator('pre', { hasText: '"orders"' })
    const answerHeight = async () => (await answer.boundingBox())!.height
    const folded = await answerHeight()
    const untilSeen = await watchFor(call, 'Copied', 'button')
    await call.getByRole('button', { name: 'Copy' }).last().click()
    await untilSeen()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n')).toHaveLength(lines)
    expect(JSON.parse(copied)).toHaveProperty('orders')
    await showAll.press('Enter')
    const showFewer = call.getByRole('button', { name: 'Show fewer lines' })
    await expect(showFewer).toHaveAttribute('aria-expanded', 'true')
    await expect.poll(answerHeight).toBeGreaterThan(3 * folded)
    await showFewer.press('Enter')
    await expect.poll(answerHeight).toBeCloseTo(folded)

    const code = page.getByRole('cell', { name: 'label_not_voidable', exact: true })
    await expect(code).toBeHidden()
    const voids = page.getByRole('article', { name: 'Void a label' })
    await voids.getByRole('link', { name: '409' }).press('Enter')
    await expect(code).toBeVisible()
    await expect(contents.getByRole('link', { name: 'Error codes' })).toBeVisible()
    await expect(contents.getByRole('link', { name: 'Authentication' })).toBeHidden()
    await expect(link, 'its group was opened by hand').toBeVisible()
  })
})

test('on a phone the contents are a bar that says where one is, and long code wraps', async ({
  page,
}) => {
  await page.goto('/docs/api')
  await resize(page, 390)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  const open = contents.getByText('Contents')
  await open.click()
  await contents.getByText('Voids', { exact: true }).click()
  await contents.getByRole('link', { name: 'Void a label' }).click()
  await expect(contents.getByRole('link', { name: 'Void a label' })).toBeHidden()
  await expect(open).toContainText('Void a label')
  const heading = page.getByRole('heading', { name: 'Void a label' })
  await expect(heading).toBeInViewport()
  const code = page.getByRole('article', { name: 'Void a label' }).locator('pre:visible').first()
  const hidden = () => code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  await expect.poll(hidden).toBe(0)
})

test('the page of the API is accessible on the narrowest screen, and in the dark', async ({
  page,
}) => {
  await page.goto('/docs/api')
  await resize(page, 320)
  await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
  const contrast = 'color-contrast'
  expect(await axeViolations(page, { rules: { [contrast]: { enabled: false } } })).toEqual([])
  // All calls have the parts of the first four, one of which reads; the colors of each take a tenth of a second.
  await page
    .getByRole('article')
    .evaluateAll(calls => calls.slice(4).forEach(call => call.remove()))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeViolations(page, { runOnly: [contrast] })).toEqual([])
  }
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the page of the API has its contents and its snippets in every language', async ({
    page,
  }) => {
    await page.goto('/docs/api')
    await page.getByText('Labels', { exact: true }).first().click()
    await expect(page.getByRole('link', { name: 'Buy one label' })).toBeVisible()
    const call = page.getByRole('article', { name: 'Buy one label' })
    for (const text of ['curl -X POST', 'await fetch', 'requests.post'])
      await expect(call.getByText(text)).toBeVisible()
    await expect(page.getByRole('searchbox')).toBeHidden()
    const list = page.getByRole('article', { name: 'List orders' })
    const { scrollHeight, clientHeight } = await list
      .locator('pre', { hasText: '"orders": [' })
      .evaluate(({ scrollHeight, clientHeight }) => ({ scrollHeight, clientHeight }))
    expect(scrollHeight, 'nothing is folded').toBe(clientHeight)
  })
})
