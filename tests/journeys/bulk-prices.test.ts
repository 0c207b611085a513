/** Prices that change while the bulk page is open. On a server of its own: its prices apply to everyone. */
import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { verifySession } from '#contract/accounts.ts'
import { defaultServices, setDefaultServicePrices } from '#contract/catalogue.ts'
import { totalOrders } from '#contract/orders.ts'
import { row, rows } from '#tests/support/rows.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { expectOrderEnd, openTable, submitButton, submitTable, tableFigure } from './bulk-page.ts'
import { intercept } from './intercept.ts'
import { openPageOf, startOwnServer } from './own-server.ts'
import type { OwnServer } from './own-server.ts'
import { choose } from './page-helpers.ts'

// In order: the tests share the server and its prices.
test.describe.configure({ mode: 'default' })

const QUOTES = '**/api/orders/price/v2/bulk'
const SUBMISSIONS = '**/api/orders/bulk/process/**'
let app: OwnServer

test.beforeAll(async () => {
  app = await startOwnServer()
})
test.afterAll(() => app.end())

/** An administrator sets what USPS Ground Advantage costs up to 70 lb. */
async function setPrice(price: number): Promise<void> {
  const { token } = await app.admin()
  const { body: services } = await app.call(defaultServices, {}, token)
  const { _id: id } = services.find(({ uid }) => uid === 'usps:GROUND_ADVANTAGE')!
  const body = { prices: [{ fromWeight: 1, toWeight: 70, price }] }
  const set = await app.call(setDefaultServicePrices, { params: { id }, body }, token)
  expect(set.status, set.body.message).toBe(200)
}

/** A customer, to whom a label costs $6.50. */
async function openPage(browser: Browser, dollars: number) {
  await setPrice(6.5)
  const customer = await app.register('Dana Cole')
  await app.pay(customer, dollars)
  return { page: await openPageOf(browser, app, customer), customer }
}

const expectTotal = (page: Page, total: string) =>
  expect(tableFigure(page, 'Price')).toHaveText(total)

async function accountOf({ token, user }: SignedInUser) {
  const { body } = await app.call(verifySession, {}, token)
  const labels = await app.call(totalOrders, { params: { userId: user._id } }, token)
  return { balance: body.user.balance, labels: labels.body.totalOrders }
}

test('an administrator raises the price while the table is open: the seller sees it before paying it', async ({
  browser,
}) => {
  const { page, customer } = await openPage(browser, 200)
  await openTable(page, rows(2))
  await expectTotal(page, '$13.00')
  await setPrice(65)
  await submitButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'The price has changed: 2 labels now cost $130.00, not $13.00. Nothing was bought. '
      + 'Submit again to buy at the new price.',
  )
  await expectTotal(page, '$130.00')
  expect(await accountOf(customer)).toEqual({ balance: 200, labels: 0 })
  const { look, found } = createInspector(page, [1440, 390])
  await look('a price that has changed')
  expect(found).toEqual([])

  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(await accountOf(customer)).toEqual({ balance: 70, labels: 2 })
})

test('the server is asked once for the prices of a table', async ({ browser }) => {
  const { page } = await openPage(browser, 200)
  const asked: number[] = []
  page.on('request', request => {
    if (!request.url().endsWith('/api/orders/price/v2/bulk')) return
    asked.push((request.postDataJSON() as { shipments: unknown[] }).shipments.length)
  })
  const [one, two, three] = ['1', '2', '3'].map(PackageWeight => ({ PackageWeight }))
  await openTable(page, [row(1, one), row(1, two), row(2, three)])
  await expectTotal(page, '$19.50')
  // One label to the first address weighs as much as the third.
  const choice = page.getByRole('group', { name: 'One label for each' })
  await expect(choice).toContainText('2 labels, $13.00')
  expect(asked).toEqual([3])
})

test('the prices beside one label for each follow a price that has changed', async ({
  browser,
}) => {
  const { page } = await openPage(browser, 200)
  const [one, two] = ['1', '2'].map(PackageWeight => ({ PackageWeight }))
  // One label to the first address weighs 3 lb, as no row does.
  await openTable(page, [row(1, one), row(1, two), row(2, one)])
  await expectTotal(page, '$19.50')
  const choice = page.getByRole('group', { name: 'One label for each' })
  await expect(choice).toContainText('2 labels, $13.00')
  await setPrice(65)
  await submitButton(page).click()
  await expectTotal(page, '$195.00')
  await expect(choice).toContainText('2 labels, $130.00')
})

test('a price that rose above the balance is not offered to be bought', async ({ browser }) => {
  const { page, customer } = await openPage(browser, 20)
  await openTable(page, rows(2))
  await expectTotal(page, '$13.00')
  await setPrice(65)
  await submitButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'The price has changed: 2 labels now cost $130.00, not $13.00. Nothing was bought. '
      + 'Your balance doesn’t cover the new price.',
  )
  expect(await accountOf(customer)).toEqual({ balance: 20, labels: 0 })
})

test('a price that has fallen is paid without a question, also where the balance was too low for the old one', async ({
  browser,
}) => {
  const { page, customer } = await openPage(browser, 10)
  await openTable(page, rows(2))
  await expectTotal(page, '$13.00')
  await setPrice(5)
  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(await accountOf(customer)).toEqual({ balance: 0, labels: 2 })
})

test('a part of the table that the balance covers is bought at the shown price and not above it', async ({
  browser,
}) => {
  const { page, customer } = await openPage(browser, 10)
  await openTable(page, rows(2))
  await submitTable(page)
  const dialog = page.getByRole('dialog', { name: 'Your balance is too low' })
  await expect(dialog).toContainText('covers the first row of the table for $6.50')
  await setPrice(8)
  await dialog.getByRole('button', { name: 'Submit what the balance covers' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'The price has changed since it was shown. Nothing was bought. '
      + 'Check the prices of the rows, then submit again.',
  )
  await expectTotal(page, '$16.00')
  expect(await accountOf(customer)).toEqual({ balance: 10, labels: 0 })
  // Paid in another tab.
  await app.pay(customer, 10)
  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(await accountOf(customer)).toEqual({ balance: 4, labels: 2 })
})

test('without the server’s prices nothing is bought, and the seller can ask for them again', async ({
  browser,
}) => {
  const { page, customer } = await openPage(browser, 50)
  await intercept(page, QUOTES, route => route.abort())
  await openTable(page, rows(2))
  await submitButton(page).click()
  const problem = page.getByRole('alert')
  await expect(problem).toContainText(
    'We couldn’t get the price of 2 rows, so nothing was sent. Submit again to retry.',
  )
  const { look, found } = createInspector(page, [1440, 390])
  await look('prices that could not be asked for')
  expect(found).toEqual([])
  await page.unroute(QUOTES)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await intercept(page, QUOTES, async route => {
    await released
    await route.continue()
  })
  await page.getByRole('button', { name: 'Get prices again' }).click()
  const asking = page.getByRole('button', { name: 'Getting prices…' })
  await expect(asking).toBeFocused()
  await expect(asking).toHaveAttribute('aria-disabled', 'true')
  release()
  await expectTotal(page, '$13.00')
  await page.unroute(QUOTES)

  // Submit asks again too, and shows the price before it is paid.
  await intercept(page, QUOTES, route => route.abort())
  await choose(page, page, 'Service', 'USPS Priority Mail')
  await submitButton(page).click()
  await expect(problem).toContainText('We couldn’t get the price of 2 rows')
  await page.unroute(QUOTES)
  await submitButton(page).click()
  await expect(problem).toHaveText(
    'Nothing was bought yet. 2 labels cost $19.00. Submit again to buy at this price.',
  )
  await expectTotal(page, '$19.00')
  expect(await accountOf(customer)).toEqual({ balance: 50, labels: 0 })
  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(await accountOf(customer)).toEqual({ balance: 31, labels: 2 })
})

test('a price that is asked for too long is not paid unseen', async ({ browser }) => {
  const { page, customer } = await openPage(browser, 50)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await intercept(page, QUOTES, async route => {
    await released
    await route.continue()
  })
  await page.clock.install()
  await openTable(page, rows(2))
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await submitButton(page).click()
  await expect(submitButton(page)).toHaveAttribute('aria-busy', 'true')
  await page.clock.fastForward(15_000)
  await expect(page.getByRole('alert')).toContainText(
    'We’re still getting the price of 2 rows, so nothing was sent.',
  )
  expect(await accountOf(customer)).toEqual({ balance: 50, labels: 0 })
  await page.clock.resume()
  release()
  await expectTotal(page, '$13.00')
  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(await accountOf(customer)).toEqual({ balance: 37, labels: 2 })
})

test('rows whose order did not arrive are not bought at a price that rose meanwhile', async ({
  browser,
}) => {
  const { page, customer } = await openPage(browser, 50)
  await openTable(page, rows(2))
  await expectTotal(page, '$13.00')
  await intercept(page, SUBMISSIONS, route => route.abort(), { times: 1 })
  await submitButton(page).click()
  await expect(page.getByText('You won’t be charged twice.')).toBeVisible()
  await setPrice(8)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('2 labels now cost $16.00, not $13.00.')
  await submitButton(page).click()
  await expectOrderEnd(page, 'Order Processed Successfully!')
  expect(await accountOf(customer)).toEqual({ balance: 34, labels: 2 })
})
