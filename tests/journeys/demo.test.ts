import { expect } from '@playwright/test'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { row } from '#tests/support/rows.ts'
import { asRunning, holdOrderEnd, progressDialog } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { goTo } from './page-helpers.ts'

test('the demo runs a bulk order without a request to the server', async ({ page }) => {
  // The app looks once for a running bulk order, on every page.
  const looked = page.waitForResponse(/\/api\/orders\/bulk\/running\//)
  await page.clock.install()
  await page.goto('/main/demo')
  await expect(page.getByRole('button', { name: 'Show modal' })).toBeVisible()
  await looked
  const asked: string[] = []
  // The browser prefetches the code of other pages when it is idle.
  page.on('request', request => /\/assets\//.test(request.url()) || asked.push(request.url()))
  for (const name of ['Maximise modal', 'Hide modal'])
    await expect(page.getByRole('button', { name }), 'nothing is shown').toHaveAttribute(
      'aria-disabled',
      'true',
    )
  await page.getByRole('button', { name: 'Minimise modal' }).click()
  await expect(page.getByRole('button', { name: 'Minimise modal' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.getByRole('button', { name: 'Maximise modal' }).click()
  await expect(progressDialog(page, 'Processing Bulk Order')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Expand: Processing Bulk Order 0%/ }).click()
  await expect(progressDialog(page, 'Processing Bulk Order')).toContainText(
    'This is a demo. Nothing is bought.',
  )
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hide modal' }).click()
  await expect(page.getByRole('complementary', { name: 'Bulk order progress' })).toHaveCount(0)

  // Stopped, the first step stays on the screen: Escape would close a finished order.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('button', { name: 'Simulate progress' }).click()
  await expect(progressDialog(page, 'Processing Bulk Order')).toContainText('20%')
  // No timer has run yet: Escape works from the moment the dialog is seen.
  await page.keyboard.press('Escape')
  await page.clock.resume()
  // It goes along to other pages, and to its end there.
  await goTo(page, 'Orders')
  await expect(page.getByText('No orders found')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const before = asked.length
  const done = progressDialog(page, 'Order Processed Successfully!')
  await page.getByRole('button', { name: /^Expand: / }).click()
  await expect(done).toContainText('100%')
  await expect(done.getByRole('button', { name: 'PDF' })).toHaveAttribute('aria-disabled', 'true')
  // Also at its end it can be put aside, and comes back.
  await done.getByRole('button', { name: 'Minimise' }).click()
  await page.getByRole('button', { name: /^Expand: Order Processed Successfully!/ }).click()
  await expect(done).toContainText('100%')
  expect(asked.slice(before)).toEqual([])
  expect(asked.filter(address => /\/api\/orders\/bulk|socket\.io/.test(address))).toEqual([])
  await done.getByRole('button', { name: 'Close' }).click()
  await expect(done).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Bulk order progress' })).toHaveCount(0)
})

test.describe('while a real bulk order is being processed', () => {
  test.use({ dollars: 20 })
  test('the demo waits', async ({ page, customer }) => {
    const { api, user, token } = customer
    const {
      body: { orderId },
    } = await api.call(initBatch, { body: { userId: user._id } }, token)
    const orderData = [row(1, { ToStreet2: 'SANDBOX LATE' })]
    await api.call(
      processBatch,
      { params: { userId: user._id }, body: { orderId, orderData } },
      token,
    )
    const order = await api.call(batchStatus, { params: { orderId } }, token)
    const releaseEnd = await holdOrderEnd(page, asRunning(order.body))
    await page.goto('/main/demo')
    await expect(page.getByText('One of your bulk orders is being processed.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Simulate progress' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await releaseEnd()
    // The label is found again at the carrier, which takes a while.
    await page.getByRole('button', { name: /^Expand: Order Processed Successfully!/ }).click()
    await expect(
      progressDialog(page, 'Order Processed Successfully!').getByRole('link', { name: 'PDF' }),
    ).toBeVisible()
  })
})
