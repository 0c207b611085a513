import { expect } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createInspector } from './accessibility-checks.ts'
import { test } from './customer-fixture.ts'
import { choose, expectRows, listRegion } from './page-helpers.ts'

test.use({ dollars: 50 })

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
  // The sandbox says of no parcel where it is.
  await expect(orders.getByRole('combobox', { name: 'Parcel' })).toHaveCount(0)

  await choose(page, orders, 'Status', 'Cancelled')
  await expectRows(orders, [{ Receiver: /^Bo Lind/ }])
  await page.reload()
  await expectRows(orders, [{ Receiver: /^Bo Lind/ }])
  await choose(page, orders, 'Status', 'Completed')
  await expectRows(orders, [{ Receiver: /^Ida Holm/ }, { Receiver: /^June Rivera/ }])
  await choose(page, orders, 'Status', 'Pending')
  await expect(orders.getByRole('heading', { name: 'No orders found' })).toBeVisible()
  await orders.getByRole('button', { name: 'Show all orders' }).click()
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
