import { expect } from '@playwright/test'
import { test } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { goTo } from './page-helpers.ts'

/** What belongs to the list of orders and to no page before it. */
const CODE_OF_ORDERS = /\/assets\/OrdersPage-.*\.js$/

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
