import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { logout } from '#contract/accounts.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { test } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { fill, goTo } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

/** What belongs to the list of orders and to no page before it. */
const CODE_OF_ORDERS = /\/assets\/OrdersPage-.*\.js$/

/** A release has replaced the files: those of the open page are gone. */
const release = (page: Page) =>
  intercept(page, '**/assets/**', route => route.fulfill({ status: 404 }))

test.describe('a browser that may load ahead', () => {
  test.use({ savesData: false })

  test('opens other pages without asking for their code', async ({ page }) => {
    const underway = new Set<unknown>()
    const asked: string[] = []
    page.on('request', request => {
      underway.add(request)
      asked.push(request.url())
    })
    page.on('requestfinished', request => underway.delete(request))
    page.on('requestfailed', request => underway.delete(request))
    await page.goto('/main/dashboard')
    await expect
      .poll(() => asked.some(url => CODE_OF_ORDERS.test(url)) && underway.size === 0)
      .toBe(true)
    await intercept(page, '**/assets/**', route => route.abort())
    await goTo(page, 'Orders')
    await expect(page.getByText('No orders found')).toBeVisible()
  })
})

test('a browser that saves data asks for the code of a page when it is opened', async ({
  page,
}) => {
  await page.goto('/main/dashboard')
  const code = page.waitForRequest(CODE_OF_ORDERS)
  await goTo(page, 'Orders')
  await code
  await expect(page.getByText('No orders found')).toBeVisible()
})

test('a session that ends after a release is renewed over the page, with what was typed', async ({
  page,
  customer,
}) => {
  const dialogLoaded = page.waitForResponse(/\/assets\/SignInAgain-.*\.css$/)
  await page.goto('/main/account')
  await fill(page, { Name: 'June Rivera' })
  await (await dialogLoaded).finished()
  await release(page)
  await customer.api.call(logout, {}, customer.token)
  await page.getByRole('button', { name: 'Save' }).click()
  const again = page.getByRole('dialog', { name: 'Your session has ended. Please sign in again.' })
  await fill(again, { Password: PASSWORD })
  await again.getByRole('button', { name: 'Login' }).click()
  await expectToast(page, 'Account updated successfully!')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('June Rivera')
})

test('after a release, a page that was not loaded yet asks for a reload', async ({ context }) => {
  const page = await context.newPage()
  await page.goto('/main/dashboard')
  await release(page)
  await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
  const told = page.getByRole('alert').filter({ hasText: 'Reload to open this page' })
  await expect(told).toContainText('Evenpost was updated')
  await page.unrouteAll()
  await told.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByText('No orders found')).toBeVisible()
})
