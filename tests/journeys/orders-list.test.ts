import { expect } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { noonZone } from '#tests/support/backdate.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createInspector } from './accessibility-checks.ts'
import { test } from './customer-fixture.ts'
import { holdRequests } from './intercept.ts'
import {
  choose,
  chooseAction,
  clickAndDownload,
  expectRows,
  fetchLinkedFile,
  listRegion,
} from './page-helpers.ts'

// Today is the same day from the order to the list.
test.use({ dollars: 50, timezoneId: noonZone() })

test('a customer filters orders by status and by where the parcels are', async ({
  page,
  customer,
}) => {
  const { api, user, token } = customer
  for (const [name, command] of Object.entries({
    'June Rivera': '',
    'Bo Lind': 'SANDBOX REFUSE',
    'Ida Holm': '',
  })) {
    const receiver = { receiver_name: name, receiver_address2: command }
    await api.call(placeOrder, { body: singleOrderBody(user._id, { receiver }) }, token)
  }
  await page.goto('/main/orders')
  const orders = listRegion(page, 'Orders List')
  await expectRows(orders, [
    { Receiver: /^Ida Holm/ },
    { Receiver: /^Bo Lind/ },
    { Receiver: /^June Rivera/ },
  ])
  await choose(page, orders, 'Parcel', 'Not shipped yet')
  await expectRows(orders, [{ Receiver: /^Ida Holm/ }, { Receiver: /^June Rivera/ }])
  await choose(page, orders, 'Parcel', 'All parcels')

  await choose(page, orders, 'Status', 'Cancelled')
  await expectRows(orders, [{ Receiver: /^Bo Lind/ }])
  await page.reload()
  await expectRows(orders, [{ Receiver: /^Bo Lind/ }])
  await choose(page, orders, 'Status', 'Completed')
  await expectRows(orders, [{ Receiver: /^Ida Holm/ }, { Receiver: /^June Rivera/ }])
  await choose(page, orders, 'Status', 'Pending')
  await expect(orders.getByRole('heading', { name: 'No orders found' })).toBeVisible()
  // Nothing else has loaded the whole list.
  await page.reload()
  await expect(orders.getByRole('heading', { name: 'No orders found' })).toBeVisible()
  const { sent, release } = await holdRequests(page, 'GET', `**/api/orders/${user._id}?*`)
  await orders.getByRole('button', { name: 'Show all orders' }).click()
  await sent
  await expect(orders).toContainText('Loading orders...')
  await expect(orders.getByText('No orders found')).toBeHidden()
  release()
  await expectRows(orders, [
    { Receiver: /^Ida Holm/ },
    { Receiver: /^Bo Lind/ },
    { Receiver: /^June Rivera/ },
  ])

  await page.goto('/main/orders?parcel=delivered&status=completed')
  await expect(orders.getByText('No orders match these filters.')).toBeVisible()
  const { found, look } = createInspector(page)
  await look('orders narrowed to nothing')
  expect(found).toEqual([])
  await choose(page, orders, 'Parcel', 'All parcels')
  await expectRows(orders, [{ Receiver: /^Ida Holm/ }, { Receiver: /^June Rivera/ }])
  await expect(page).toHaveURL(/\/main\/orders\?status=completed$/)
})

test('two filters that are chosen one right after the other both count', async ({
  page,
  customer: { api, user, token },
}) => {
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.goto('/main/orders')
  const orders = listRegion(page, 'Orders List')
  await expectRows(orders, [{ Receiver: /^June Rivera/ }])
  const choices = await Promise.all(
    ['Status', 'Parcel'].map(name => orders.getByRole('combobox', { name }).elementHandle()),
  )
  // On a slow device the second choice comes before the page has drawn the first one.
  await page.evaluate(async selects => {
    const pick = (select: Node | null, value: string) => {
      Object.assign(select!, { value })
      select!.dispatchEvent(new Event('change', { bubbles: true }))
    }
    pick(selects[0]!, 'completed')
    for (let turns = 0; turns < 1_000 && location.search === ''; turns++) await Promise.resolve()
    pick(selects[1]!, 'delivered')
  }, choices)
  await expect(page).toHaveURL(/\?status=completed&parcel=delivered$/)
  await expect(orders.getByRole('combobox', { name: 'Status' })).toHaveValue('completed')
  await expect(orders.getByRole('combobox', { name: 'Parcel' })).toHaveValue('delivered')
})

test('a customer prints chosen labels as one file and takes the list as a table', async ({
  page,
  customer: { api, user, token },
}) => {
  for (const [name, service_name] of Object.entries({
    'June Rivera': 'usps:PRIORITY_MAIL',
    'Bo Lind': 'usps:GROUND_ADVANTAGE',
    'Ida Holm': 'usps:PRIORITY_MAIL',
  })) {
    const body = singleOrderBody(user._id, { receiver: { receiver_name: name } })
    await api.call(placeOrder, { body: { ...body, service_name } }, token)
  }
  await page.goto('/main/orders')
  const orders = listRegion(page, 'Orders List')
  await choose(page, orders, 'Service', 'USPS Priority Mail')
  await choose(page, orders, 'Ordered', 'Today')
  await expectRows(orders, [{ Receiver: /^Ida Holm/ }, { Receiver: /^June Rivera/ }])
  const table = await fetchLinkedFile(page, orders.getByRole('link', { name: 'CSV' }))
  expect(table.bytes.toString()).toMatch(/Ida Holm[\s\S]*June Rivera/)
  expect(table.bytes.toString()).not.toContain('Bo Lind')
  await choose(page, orders, 'Ordered', 'Last month')
  await expect(orders.getByText('No orders match these filters.')).toBeVisible()
  await orders.getByRole('button', { name: 'Show all orders' }).click()

  for (const name of ['June Rivera', 'Bo Lind'])
    await orders.getByRole('checkbox', { name: `Select label for ${name}` }).check()
  await expect(orders.getByText('2 labels selected, $16.00')).toBeVisible()
  await orders.getByRole('button', { name: 'Print 2 labels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Print 2 labels' })
  await dialog.getByRole('radio', { name: 'ZPL' }).check()
  const file = await clickAndDownload(page, dialog.getByRole('button', { name: 'Save ZPL' }))
  expect(file.name).toBe('SAMPLE-labels-2.zpl')
  expect(file.bytes.toString()).toMatch(/JUNE RIVERA[\s\S]*BO LIND/i)
})

test('a customer follows a label on its page, buys it again and voids it', async ({
  page,
  customer: { api, user, token },
}) => {
  const receiver = { receiver_name: 'June Rivera' }
  await api.call(placeOrder, { body: singleOrderBody(user._id, { receiver }) }, token)
  await page.goto('/main/orders?status=completed')
  await page.getByRole('link', { name: 'June Rivera', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Label for June Rivera' })).toBeVisible()
  const picture = page.getByRole('img', { name: /^The label for June Rivera/ })
  await expect
    .poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth))
    .toBe(812)
  const timeline = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
  await expect(timeline).toContainText(['Ordered', 'Label bought', 'The carrier scans the parcel'])
  await expect(page.getByRole('region', { name: 'Money' })).toContainText(/You paid.*\$9\.50/)
  const { found, look } = createInspector(page)
  await look('page of a label')

  await page.getByRole('link', { name: 'Buy again' }).click()
  const to = page.getByRole('region', { name: 'To Address' })
  await expect(to.getByRole('textbox', { name: 'Name' })).toHaveValue('June Rivera')
  await page.goBack()
  await chooseAction(page, page.getByRole('main'), 'Return label', 'June Rivera')
  await expect(page.getByText('Return label: June Rivera is the sender now')).toBeVisible()
  await expect(to.getByRole('textbox', { name: 'Name' })).toHaveValue('Mason Trading')
  await page.goBack()

  await chooseAction(page, page.getByRole('main'), 'Void label', 'June Rivera')
  await page.getByRole('dialog').getByRole('button', { name: 'Void label' }).click()
  await expect(page.getByText('This label is void. It can’t be printed.')).toBeVisible()
  await expect(picture).toHaveCount(0)
  await expect(timeline.last()).toContainText('Voided. $9.50 is back in your balance')
  await look('page of a voided label')
  expect(found).toEqual([])

  await page.goto('/main/orders/999999')
  await expect(page.getByRole('heading', { name: 'Label not found' })).toBeVisible()
  await page.getByRole('link', { name: 'All orders' }).click()
  await expect(listRegion(page, 'Orders List')).toBeVisible()
})

test('the dashboard writes usual names of receivers in full, also on a small laptop', async ({
  page,
  customer: { api, user, token },
}) => {
  const names = ['Buyer Number 12', 'Alexandra Montgomery']
  for (const receiver_name of names)
    await api.call(
      placeOrder,
      { body: singleOrderBody(user._id, { receiver: { receiver_name } }) },
      token,
    )
  await page.goto('/main/dashboard')
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const text of names) {
      const name = listRegion(page, 'Recent Orders').getByText(text, { exact: true })
      await expect(name).toBeVisible()
      const hidden = () =>
        name.evaluate(
          ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
            scrollWidth - clientWidth + scrollHeight - clientHeight,
        )
      await expect.poll(hidden, `${text} at ${width} px`).toBe(0)
    }
  }
})
