import { expect } from '@playwright/test'
import { axeViolations, horizontalOverflow, resize } from './accessibility-checks.ts'
import { visitorTest as test } from './customer-fixture.ts'

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

test('the page of the API is accessible on the narrowest screen, and in the dark', async ({
  page,
}) => {
  await page.goto('/docs/api')
  await resize(page, 320)
  await expect.poll(() => horizontalOverflow(page)).toBeLessThanOrEqual(0)
  const contrast = 'color-contrast'
  expect(await axeViolations(page, { rules: { [contrast]: { enabled: false } } })).toEqual([])
  // All calls have the same parts; the colors of each take a tenth of a second.
  await page
    .getByRole('article')
    .evaluateAll(calls => calls.slice(3).forEach(call => call.remove()))
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
    await expect(page.getByRole('link', { name: 'Buy one label' })).toBeVisible()
    const call = page.getByRole('article', { name: 'Buy one label' })
    for (const text of ['curl -X POST', 'await fetch', 'requests.post'])
      await expect(call.getByText(text)).toBeVisible()
    await expect(page.getByRole('searchbox')).toBeHidden()
  })
})
