import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { verifySession } from '#contract/accounts.ts'
import type { OrderDetails } from '#contract/orders-admin.ts'
import { listOrders, placeOrder } from '#contract/orders.ts'
import type { Order } from '#contract/orders.ts'
import { voidOrders } from '#contract/voids.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { createInspector, resize } from './accessibility-checks.ts'
import { test } from './admin-fixture.ts'
import { buyBulkOrder } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { expectRows, fetchLinkedFile, listRegion, rowsOf } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 100 })

const labels = (page: Page) => listRegion(page, 'Order labels')
const PATH = '/admin/order-label-management'

async function buy(customer: Customer, name: string, command = ''): Promise<Order> {
  const { api, user, token } = customer
  const receiver = { receiver_name: name, receiver_address2: command }
  await api.call(placeOrder, { body: singleOrderBody(user._id, { receiver }) }, token)
  return newestOf(customer)
}

async function newestOf({ api, user, token }: Customer): Promise<Order> {
  const { body } = await api.call(
    listOrders,
    { params: { userId: user._id }, query: { limit: 1 } },
    token,
  )
  return body.orders[0]!
}

/** A bulk order of four labels, of which the second is refused. */
const buyMany = (customer: Customer): Promise<string> =>
  buyBulkOrder(
    customer,
    rows(4, n => ({ ToStreet2: n === 2 ? 'SANDBOX REFUSE' : '' })),
  )

const balanceOf = async ({ api, token }: Customer): Promise<number> =>
  (await api.call(verifySession, {}, token)).body.user.balance

test('a label is found by its customer, its state, its bulk order and its tracking number', async ({
  page,
  customer,
}) => {
  const single = await buy(customer, 'June Rivera')
  const batch = await buyMany(customer)
  await page.goto(PATH)
  await labels(page).getByRole('searchbox', { name: 'Search labels' }).fill('June Rivera')
  await expect(labels(page)).toContainText(
    'To search by name or reference, choose a customer first.',
  )
  await labels(page).getByRole('button', { name: 'Clear filters' }).last().click()
  await labels(page).getByRole('combobox', { name: 'Customer' }).fill(customer.user.email)
  await page.getByRole('option', { name: `${customer.user.name} · ${customer.user.email}` }).click()
  await expect(labels(page).getByText('5 labels', { exact: true }).first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`[?&]userId=${customer.user._id}(&|$)`))
  await labels(page).getByRole('combobox', { name: 'Status' }).selectOption('Not bought')
  const refused = {
    'Service, status': /Not bought$/,
    'Bulk order': `${batch} row 2`,
    Price: '– $6.50 not charged',
    Tracking: 'Address not deliverable',
  }
  await expectRows(labels(page), [refused])
  await labels(page).getByRole('combobox', { name: 'Status' }).selectOption('Completed')
  await labels(page).getByRole('searchbox', { name: 'Bulk order' }).fill(`#${batch}`)
  const bought = [4, 3, 1].map(row => ({
    Receiver: new RegExp(`^Receiver ${row} `),
    Row: String(row),
  }))
  await expectRows(labels(page), bought)
  // Where the fields are folded, on a phone, there is a chip for each filter.
  const { width } = page.viewportSize()!
  await resize(page, 390)
  const chips = labels(page).getByRole('list', { name: 'Filters that are set' })
  await expect(chips.getByRole('listitem')).toHaveText([
    /^Status\s*Completed/,
    /^Bulk order/,
    /^Customer\s*Dana Cole/,
  ])
  await chips.getByRole('button', { name: /^Status/ }).click()
  await resize(page, width)
  // A removed one widens the list.
  await expect.poll(async () => (await rowsOf(labels(page))).length).toBe(4)
  await labels(page).getByRole('combobox', { name: 'Status' }).selectOption('Completed')
  await expectRows(labels(page), bought)
  await page.reload()
  await expect(labels(page).getByRole('combobox', { name: 'Customer' })).toHaveValue(
    `Dana Cole · ${customer.user.email}`,
  )
  await expect.poll(async () => (await rowsOf(labels(page))).length).toBe(3)

  await labels(page).getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(labels(page).getByRole('searchbox', { name: 'Bulk order' })).toHaveValue('')
  await labels(page).getByRole('searchbox', { name: 'Search labels' }).fill(single.tracking_number!)
  await expectRows(labels(page), [
    {
      Receiver: 'June Rivera Fresno, CA',
      Customer: new RegExp(`^Dana Cole.*${customer.user.email}$`),
    },
  ])
  await labels(page).getByRole('searchbox', { name: 'Search labels' }).fill('9999 0000 1111')
  await expect(labels(page).getByRole('heading', { name: 'No labels found' })).toBeVisible()
  await labels(page).getByRole('searchbox', { name: 'Bulk order' }).fill('many')
  await expect(labels(page).getByText('Enter a bulk order number')).toBeVisible()
  await page.goto(`${PATH}?userId=${customer.user._id}&from=2020-01-01&to=2020-01-31`)
  await expect(labels(page).getByRole('heading', { name: 'No labels found' })).toBeVisible()
})

test('a label shows its timeline, is voided, and its customer has the money back', async ({
  page,
  customer,
}) => {
  await buy(customer, 'June Rivera')
  await page.goto(`${PATH}?userId=${customer.user._id}`)
  await expect(labels(page).getByRole('group', { name: 'Sums of these labels' })).toHaveText(
    'Bought1Price$9.50Carrier cost$6.90Margin at purchase$2.60',
  )
  await labels(page)
    .getByRole('link', { name: /^Label / })
    .click()
  const story = page.getByRole('region', { name: 'History' })
  await expect(story.getByRole('listitem')).toContainText([
    /^Ordered: USPS Priority Mail.*by Dana Cole.*Default prices, version \d+/,
    /^Price held−\$9\.50/,
    /^Sent to the carrier/,
    /^The carrier sold the label/,
    /^Label bought, charged to the hold.*\$9\.50/,
  ])
  await expect(page.getByRole('region', { name: 'Details' })).toContainText(
    /Price\$9\.50.*Carrier cost\$[\d.]+.*Margin\$[\d.]+/,
  )
  await expect(page.getByRole('region', { name: 'To', exact: true })).toContainText(
    '2210 E Olive Ave',
  )
  const { type } = await fetchLinkedFile(page, page.getByRole('link', { name: 'Download label' }))
  expect(type).toBe('application/pdf')

  await page.getByRole('button', { name: 'Void label for June Rivera' }).click()
  const question = page.getByRole('dialog', { name: 'Void this label?' })
  await expect(question).toContainText('The customer gets $9.50 back once the carrier confirms.')
  await question.getByRole('button', { name: 'Void label' }).click()
  await expectToast(page, '1 label voided. $9.50 is back in the customer’s balance.')
  await expect(story.getByRole('listitem').filter({ hasText: 'Void requested' })).toContainText(
    'by Administrator',
  )
  await expect(story.getByRole('listitem').last()).toContainText('+$9.50')
  await expect(page.getByRole('link', { name: 'Download label' })).toHaveCount(0)
  expect(await balanceOf(customer)).toBe(100)
  await page.getByRole('link', { name: 'All labels' }).click()
  await expectRows(labels(page), [{ 'Service, status': /Voided$/ }])
  await expect(page).toHaveURL(new RegExp(`[?&]userId=${customer.user._id}(&|$)`))
})

test('a void without an answer is requested again at once when the administrator wants to know', async ({
  page,
  customer,
}) => {
  const order = await buy(customer, 'June Rivera', 'SANDBOX LATE')
  await page.goto(`${PATH}/${order._id}`)
  await expect(page.getByRole('button', { name: 'Void label for June Rivera' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0)
  // The server asks again by itself, perhaps before a page has loaded: the page is told that a void waits, and the click requests it.
  const details = `**/api/admin/orders/${order._id}`
  let isTold = true
  await intercept(page, details, async route => {
    const response = await route.fetch()
    const json = (await response.json()) as OrderDetails
    if (isTold) json.order.state = 'voiding'
    await route.fulfill({ response, json })
  })
  const requestVoid = () =>
    customer.api.call(voidOrders, { body: { orderIds: [order._id] } }, customer.token)
  let asked!: ReturnType<typeof requestVoid>
  await intercept(page, `${details}/check`, async route => {
    asked = requestVoid()
    await expect.poll(async () => (await newestOf(customer)).void).toBe('requested')
    isTold = false
    await route.continue()
  })
  await page.reload()
  await page.getByRole('button', { name: 'Check now' }).click()
  await expectToast(page, 'The carrier voided this label; the price was refunded')
  await expect(
    page.getByRole('region', { name: 'History' }).getByRole('listitem').last(),
  ).toContainText('+$9.50')
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0)
  expect((await asked).body).toMatchObject({ voided: 1 })
  expect(await balanceOf(customer)).toBe(100)
})

test('the filtered labels are exported, and several are voided at once', async ({
  page,
  customer,
}) => {
  const batch = await buyMany(customer)
  await page.goto(`${PATH}?batchId=${batch}`)
  const { type, bytes } = await fetchLinkedFile(
    page,
    labels(page).getByRole('link', { name: 'Export CSV' }),
  )
  expect(type).toBe('text/csv; charset=utf-8')
  expect(bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(5)

  await labels(page).getByRole('checkbox', { name: 'Select all labels on this page' }).check()
  await labels(page).getByRole('button', { name: 'Void 3 labels' }).click()
  await page
    .getByRole('dialog', { name: 'Void 3 labels?' })
    .getByRole('button', { name: 'Void 3 labels' })
    .click()
  await expectToast(page, '3 labels voided. $19.50 is back in the customer’s balance.')
  await expect
    .poll(
      async () =>
        (await rowsOf(labels(page))).filter(row => row['Service, status']!.endsWith('Voided'))
          .length,
    )
    .toBe(3)
  expect(await balanceOf(customer)).toBe(100)
})

test('an address without a label says so', async ({ context }) => {
  // A page of its own: that something could not be loaded is a complaint of the browser elsewhere.
  const page = await context.newPage()
  await page.goto(`${PATH}/999999999`)
  await expect(page.getByRole('alert')).toContainText('There is no such order')
  await page.getByRole('link', { name: 'All labels' }).click()
  await expect(labels(page)).toBeVisible()
})

test('label management is accessible on every screen', async ({ page, customer }) => {
  const { found, look } = createInspector(page)
  const order = await buy(customer, 'June Rivera')
  const batch = await buyMany(customer)
  for (const [place, path] of Object.entries({
    list: `${PATH}?userId=${customer.user._id}`,
    'nothing found': `${PATH}?search=9999999999`,
    story: `${PATH}/${order._id}`,
  })) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await look(place)
  }
  await page.goto(`${PATH}?batchId=${batch}&state=failed`)
  await labels(page)
    .getByRole('link', { name: /^Label / })
    .click()
  await expect(page.getByText('Not bought: the hold was released')).toBeVisible()
  await look('story of a refused label')
  expect(found).toEqual([])
})
