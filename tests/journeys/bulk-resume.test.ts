import { expect } from '@playwright/test'
import { logout } from '#contract/accounts.ts'
import { batchStatus } from '#contract/batches.ts'
import { row, rows } from '#tests/support/rows.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import {
  asRunning,
  findCell,
  progressFigure,
  expectOrderEnd,
  tableFigure,
  holdOrderEnd,
  openTable,
  progressDialog,
  submitButton,
  submitTable,
} from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { balance, choose, fill } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 50 })

test('after a session has ended, signing in over the page lets the pending request continue', async ({
  page,
  customer,
}) => {
  // What the page asks by itself: refused, it would bring the dialog before the service is chosen.
  const asked = page.waitForResponse('**/api/orders/bulk/seen/**')
  await openTable(page, [row(1), row(2, { ToCity: '' })])
  await (await findCell(page, 2, 'To', 'City')).dblclick()
  await page.keyboard.type('Bangor')
  await page.keyboard.press('Enter')
  await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Bangor')
  await expect(tableFigure(page, 'Price')).toHaveText('$13.00')
  await asked

  await customer.api.call(logout, {}, customer.token)
  await choose(page, page, 'Service', 'USPS Priority Mail')
  const again = page.getByRole('dialog', { name: 'Your session has ended. Please sign in again.' })
  await expect(again.getByRole('textbox', { name: 'Email' })).toHaveValue(customer.user.email)
  await fill(again, { Password: PASSWORD })
  await again.getByRole('button', { name: 'Login' }).click()

  await expect(again).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Bulk Order' })).toBeVisible()
  await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Bangor')
  await expect(tableFigure(page, 'Price')).toHaveText('$19.00')
  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  await expect(balance(page)).toContainText('$31.00')
})

test('after a session has ended, a returning customer is led to the same page, and the table is still there', async ({
  page,
  customer,
}) => {
  await openTable(page, [row(1), row(2, { ToCity: '' })])
  await (await findCell(page, 2, 'To', 'City')).dblclick()
  await page.keyboard.type('Bangor')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Row updated successfully!')
  await customer.api.call(logout, {}, customer.token)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome Back!' })).toBeVisible()
  await fill(page, { Email: customer.user.email, Password: PASSWORD })
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bulk Order' })).toBeVisible()
  await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Bangor')
})

test('a running order cannot be closed, and is found again after a reload', async ({ page }) => {
  const releaseEnd = await holdOrderEnd(page)
  await openTable(
    page,
    rows(3, n => ({ ToStreet2: n === 2 ? 'SANDBOX LATE' : '' })),
  )
  await submitTable(page)
  const working = progressDialog(page, 'Processing Bulk Order')
  await expect(progressFigure(working, 'Processed')).toHaveText('2 of 3')
  const close = working.getByRole('button', { name: 'Close' })
  await expect(close).toHaveAttribute('aria-disabled', 'true')
  await close.hover()
  await expect(
    page.getByRole('tooltip', { name: 'Please wait for processing to complete' }),
  ).toBeVisible()
  await close.click({ force: true })
  await expect(working).toBeVisible()

  await page.reload()
  await expect(working).toBeVisible()
  await releaseEnd()
  const done = await expectOrderEnd(page, 'Order Processed Successfully!')
  await expect(done).toContainText('3 labels ready')
  await expect(balance(page)).toContainText('$30.50')
  await done.getByRole('button', { name: 'Close' }).click()
  await expect(done).toBeHidden()
})

test('a running order that this browser does not follow is offered as the small card', async ({
  page,
  customer,
}) => {
  await holdOrderEnd(page)
  await openTable(
    page,
    rows(2, n => ({ ToStreet2: n === 2 ? 'SANDBOX LATE' : '' })),
  )
  const accepted = page.waitForResponse('**/api/orders/bulk/process/**')
  await submitTable(page)
  await expect(progressDialog(page, 'Processing Bulk Order')).toBeVisible()
  const { orderId } = (await accepted).request().postDataJSON() as { orderId: string }
  const order = await customer.api.call(batchStatus, { params: { orderId } }, customer.token)
  // Another window of the same browser.
  const other = await page.context().newPage()
  const releaseEnd = await holdOrderEnd(other, asRunning(order.body))
  await other.goto('/main/orders')
  await other.getByRole('button', { name: /^Expand: Processing Bulk Order/ }).click()
  await releaseEnd()
  const done = await expectOrderEnd(other, 'Order Processed Successfully!')
  await expect(done).toContainText('2 labels ready')
  await expect(balance(other)).toContainText('$37.00')
})

test('a bulk order followed on the landing page leads back to Batch Orders', async ({ page }) => {
  await openTable(page, [row(1)])
  await expect(tableFigure(page, 'Price')).toHaveText('$6.50')
  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  await page.goto('/')
  const dialog = await expectOrderEnd(page, 'Order Processed Successfully!')
  await dialog.getByRole('link', { name: 'Batch Orders' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Batch Orders' })).toBeVisible()
})
