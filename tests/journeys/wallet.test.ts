import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { orderTrend, placeOrder } from '#contract/orders.ts'
import { noonZone } from '#tests/support/backdate.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { createInspector, resize } from './accessibility-checks.ts'
import { buyBulkOrder, test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { balance, expectRows, fetchLinkedFile, goTo, listRegion, rowsOf } from './page-helpers.ts'

// Today is the same day from the orders to their charts.
test.use({ dollars: 500, timezoneId: noonZone() })

const movements = (page: Page) => listRegion(page, 'Transactions')

/** One label bought, one refused, and a bulk order of 30 of which two are refused. Returns the bulk order's id. */
async function trade(customer: Customer): Promise<string> {
  const { api, user, token } = customer
  const userId = user._id
  await api.call(placeOrder, { body: singleOrderBody(userId) }, token)
  await api.call(
    placeOrder,
    { body: singleOrderBody(userId, { receiver: { receiver_address2: 'SANDBOX REFUSE' } }) },
    token,
  )
  return buyBulkOrder(
    customer,
    rows(30, n => ({ ToStreet2: n <= 2 ? 'SANDBOX REFUSE' : '' })),
  )
}

test('the balance leads to every movement, its reason, its subject and the balance after it', async ({
  page,
  customer,
}) => {
  const batch = await trade(customer)
  await page.goto('/main/dashboard')
  await balance(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet statement' })).toBeVisible()
  await expect(page).toHaveTitle('Wallet statement · Evenpost')
  await expectRows(movements(page), [
    {
      Description: /^Returned: 2 labels not bought Address not deliverable Show labels/,
      Reference: `Bulk order ${batch}`,
      Amount: '+$13.00',
      Balance: '$308.50',
    },
    {
      Description: `Bulk order placed, 30 labels Show labels of bulk order ${batch}`,
      Reference: `Bulk order ${batch}`,
      Amount: '\u2212$195.00',
      Balance: '$295.50',
    },
    { Description: /^Returned: /, Reference: /^Label \d+$/, Amount: '+$9.50', Balance: '$490.50' },
    {
      Description: 'Label ordered June Rivera',
      Reference: /^Label \d+$/,
      Amount: '\u2212$9.50',
      Balance: '$481.00',
    },
    {
      Description: 'Label ordered June Rivera',
      Reference: /^Label \d+$/,
      Amount: '\u2212$9.50',
      Balance: '$490.50',
    },
    { Description: 'Deposit', Reference: /^Invoice \d+$/, Amount: '+$500.00', Balance: '$500.00' },
  ])
  await expect(balance(page)).toContainText('$308.50')

  await movements(page)
    .getByRole('button', { name: 'Show labels not bought in bulk order' })
    .click()
  const released = movements(page).getByRole('cell', { name: 'Returned: 2 labels' })
  await expect(released.getByRole('listitem')).toHaveText([
    /^Label \d+Balance \$308\.50\+\$6\.50$/,
    /^Label \d+Balance \$302\.00\+\$6\.50$/,
  ])

  await movements(page)
    .getByRole('button', { name: `Show labels of bulk order ${batch}` })
    .click()
  const labels = movements(page).getByRole('cell', { name: 'Bulk order placed' })
  await expect(labels.getByRole('listitem')).toHaveCount(10)
  await expect(labels.getByRole('link', { name: 'All 30 labels' })).toBeVisible()
  await expect(movements(page).getByRole('rowheader')).toHaveCount(1)

  await movements(page)
    .getByRole('link', { name: /^Label/ })
    .last()
    .click()
  await expect(page.getByRole('heading', { name: 'Label for June Rivera' })).toBeVisible()
  await page.goBack()
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Deposits')
  await expectRows(movements(page), [{ Description: 'Deposit', Balance: '$500.00' }])
  await page.reload()
  await expectRows(movements(page), [{ Description: 'Deposit', Balance: '$500.00' }])
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Adjustments')
  await expect(page.getByText('No matching transactions')).toBeVisible()
  await page.getByRole('button', { name: 'Show all transactions' }).click()
  await expect.poll(async () => (await rowsOf(movements(page))).length).toBe(6)
})

test('a tab that is seen again shows the balance that a label bought elsewhere left', async ({
  page,
  customer: { api, user, token },
}) => {
  await page.clock.install()
  await page.goto('/main/address')
  await expect(balance(page)).toContainText('$500.00')
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.clock.fastForward(20_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(balance(page)).toContainText('$490.50')
})

test('a long statement is paged, and the file has all of it', async ({ page, customer }) => {
  const { api, user, token } = customer
  for (let n = 0; n < 26; n++)
    await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.goto('/main/wallet')
  await expect.poll(async () => (await rowsOf(movements(page))).length).toBe(25)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expectRows(movements(page), [
    { Balance: '$490.50' },
    { Description: 'Deposit', Balance: '$500.00' },
  ])

  const { type, bytes } = await fetchLinkedFile(
    page,
    page.getByRole('link', { name: 'Download CSV' }),
  )
  expect(type).toBe('text/csv; charset=utf-8')
  const lines = bytes.toString('utf8').trimEnd().split('\r\n').slice(1)
  expect(lines).toHaveLength(27)
  const cents = lines.map(line => Math.round(Number(line.split(',').at(-2)) * 100))
  expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(25_300)

  // A month governs the list and the files.
  const month = page.getByRole('combobox', { name: 'Month' })
  await month.selectOption({ index: 2 })
  await expect(page.getByText('No matching transactions')).toBeVisible()
  const before = await fetchLinkedFile(page, page.getByRole('link', { name: /^CSV, \w+ \d+$/ }))
  expect(before.bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(1)
  await month.selectOption({ index: 1 })
  await expect.poll(async () => (await rowsOf(movements(page))).length).toBe(25)
  await expect(movements(page)).toContainText(/\w+ 20\d\d \(UTC\)/)
  await expect(page).toHaveURL(/month=20\d\d-\d\d$/)
  const now = await fetchLinkedFile(page, page.getByRole('link', { name: /^CSV, \w+ \d+$/ }))
  expect(now.bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(28)
})

test('the dashboard says what the last days brought, and draws them from two days on', async ({
  page,
  customer,
}) => {
  await page.goto('/main/dashboard')
  await expect(page.getByText('$500.00 in 14 days')).toBeVisible()
  await trade(customer)
  const { api, user, token } = customer
  expect(
    (await api.call(orderTrend, { params: { userId: user._id }, query: {} }, token)).body.days,
  ).toHaveLength(14)
  await page.reload()
  await expect(page.getByText('32 in 14 days')).toBeVisible()
  await expect(page.getByText('$191.50 in 14 days')).toBeVisible()
  // One day alone is a figure, not a trend.
  await expect(page.getByRole('img', { name: /over the last 14 days/ })).toHaveCount(0)
  await expectCharts(page)
  await page.getByRole('link', { name: 'Statement', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet statement' })).toBeVisible()
})

test('charts without labels name the period that they show until the next one is there', async ({
  page,
  customer,
}) => {
  await trade(customer)
  // As if all labels were older than 30 days.
  await intercept(page, '**/api/reports/*/*?*days=30*', async route => {
    const response = await route.fetch()
    const json = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...json, services: [], states: [], labels: 0 } })
  })
  await page.goto('/main/dashboard')
  const charts = [listRegion(page, 'Labels a day'), listRegion(page, 'Destinations')]
  for (const chart of charts) await expect(chart).toContainText('No labels in 30 days')
  const { sent, release } = await holdRequests(page, 'GET', '**/api/reports/*/*?*days=90*')
  await page.getByText('90 days', { exact: true }).click()
  await sent
  await expect(page.getByRole('radio', { name: '90 days' })).toBeChecked()
  for (const chart of charts) await expect(chart).toContainText('No labels in 30 days')
  release()
  await expect(charts[0]!).toContainText('29 labels in 90 days.')
  await expect(charts[1]!).toContainText('Most to California')
})

/** 29 labels bought and two failed, today. */
async function expectCharts(page: Page): Promise<void> {
  const bars = listRegion(page, 'Labels a day')
  await expect(bars).toContainText('29 labels in 30 days.')
  const points = bars.getByRole('slider')
  await expect(points).toHaveAttribute('aria-valuetext', /: Labels 29, /)
  await points.press('ArrowLeft')
  await expect(points).toHaveAttribute('aria-valuetext', /: Labels 0$/)
  await bars.getByRole('button', { name: 'Show as table' }).click()
  await expect(bars.getByRole('row')).toHaveCount(31)
  await bars.getByRole('button', { name: 'Show spend' }).click()
  await expect(listRegion(page, 'Spend a day')).toContainText('$191.50 in 30 days.')
  await expect(listRegion(page, 'Needs your attention')).toContainText('2 labels failed')
  await expect(listRegion(page, 'Destinations')).toContainText(
    'Most to California: 6 labels, 20.7%.',
  )
}

test('every link to the statement works, and it is accessible', async ({ page, customer }) => {
  const { found, look } = createInspector(page)
  await trade(customer)
  await page.goto('/main/wallet')
  await expect(movements(page).getByText('Deposit', { exact: true })).toBeVisible()
  await look('statement')
  await page.goto('/main/wallet?show=adjustment')
  await expect(page.getByText('No matching transactions')).toBeVisible()
  await look('statement without rows')
  const { sent, release } = await holdRequests(
    page,
    'GET',
    '**/api/wallet/*/statement?*filter=all*',
  )
  await page.getByRole('button', { name: 'Show all transactions' }).click()
  await sent
  await expect(movements(page)).toContainText('Loading transactions…')
  await expect(movements(page).getByText(/^No (matching )?transactions/)).toBeHidden()
  release()
  await expect(movements(page).getByText('Deposit', { exact: true })).toBeVisible()
  await goTo(page, 'Deposit')
  await page.getByRole('link', { name: 'Wallet statement' }).click()
  await expect(movements(page)).toBeVisible()
  await resize(page, 390)
  await expect(movements(page).getByRole('listitem')).toHaveCount(6)
  await expect(movements(page).getByRole('listitem').last()).toContainText('Balance $500.00')
  await page.goto('/main/dashboard')
  await expect(page.getByText('32 in 14 days')).toBeVisible()
  await look('dashboard')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Wallet statement' }).click()
  await expect(movements(page)).toBeVisible()
  expect(found).toEqual([])
})

test.describe('without deposits', () => {
  test.use({ dollars: 0 })

  test('an open invoice is paid in one place, and another amount makes a new one', async ({
    page,
  }) => {
    await page.goto('/main/deposit')
    const pay = page.getByRole('button', { name: 'Pay with Bitcoin' })
    await pay.click()
    const payment = page.getByTitle('Sandbox payment').contentFrame()
    const name = await payment.getByText(/^Invoice \d+$/).innerText()
    await payment.getByRole('button', { name: 'Close' }).click()
    await expect(pay).toHaveCount(1)
    await expect(pay).toBeFocused()
    await expect(listRegion(page, 'Your payment').getByText(name)).toBeVisible()
    await expectRows(listRegion(page, 'Deposit History'), [
      { Amount: '$100.00 requested', Reference: new RegExp(name) },
    ])
    const other = page.getByRole('button', { name: 'Another amount' })
    const amount = page.getByRole('textbox', { name: 'Amount in US dollars' })
    await other.click()
    await expect(amount).toBeFocused()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(other).toBeFocused()
    await other.click()
    await expect(amount).toBeFocused()
    await page.getByRole('button', { name: '$50', exact: true }).click()
    await page.getByRole('button', { name: 'New $50.00 invoice' }).click()
    await expect(payment.getByText('Amount due $50.00')).toBeVisible()
  })

  test('an empty statement says what will appear, and leads to the deposit', async ({ page }) => {
    await page.goto('/main/wallet')
    await expect(page.getByRole('heading', { name: 'No transactions yet' })).toBeVisible()
    await page.goto('/main/dashboard')
    await expect(page.getByText('in 14 days')).toHaveCount(0)
    await page.goto('/main/wallet')
    await expect(page.getByText('Labels start at $6.50')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Top up' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Deposit' })).toBeVisible()
  })
})
