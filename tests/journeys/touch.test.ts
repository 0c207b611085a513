/** What a finger needs: keys that suit a field, and room around what it touches. */
import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { test } from './customer-fixture.ts'
import { listRegion } from './page-helpers.ts'

test.use({ dollars: 50, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('on a phone each field shows the keys that it needs, and leaves codes as they are typed', async ({
  page,
}) => {
  await page.goto('/main/order-label')
  const receiver = page.getByRole('region', { name: 'To Address' })
  const parcel = page.getByRole('region', { name: 'Package Information' })
  const expectKeys = (place: Locator, name: string, keys: string) =>
    expect(place.getByRole('textbox', { name, exact: true })).toHaveAttribute('inputmode', keys)
  await expectKeys(receiver, 'Zip', 'numeric')
  await expectKeys(receiver, 'Phone', 'tel')
  await expectKeys(parcel, 'Weight (lb)', 'decimal')
  const sku = parcel.getByRole('combobox', { name: 'SKU' })
  await expect(sku).toHaveAttribute('autocapitalize', 'none')
  await expect(sku).toHaveAttribute('autocorrect', 'off')
})

/** How much of the screen, from the middle of a link upwards and downwards, a finger may touch, in px. */
const touchHeight = (link: Locator): Promise<number> =>
  link.evaluate(element => {
    element.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const isLink = (y: number) =>
      element.contains(document.elementFromPoint(left + width / 2, top + height / 2 + y))
    let [above, below] = [0, 0]
    while (isLink(-above - 1)) above += 1
    while (isLink(below + 1)) below += 1
    return above + below + 1
  })

test('on a phone the name of a receiver has the room of a finger', async ({
  page,
  customer: { api, user, token },
}) => {
  const receiver = { receiver_name: 'Ana Vance' }
  for (let count = 0; count < 2; count++)
    await api.call(placeOrder, { body: singleOrderBody(user._id, { receiver }) }, token)
  await page.goto('/main/end-of-day')
  expect(
    await touchHeight(page.getByRole('link', { name: 'Ana Vance' }).last()),
  ).toBeGreaterThanOrEqual(24)
  await page.goto('/main/orders')
  const orders = listRegion(page, 'Orders List')
  expect(
    await touchHeight(orders.getByRole('link', { name: 'Ana Vance' }).last()),
  ).toBeGreaterThanOrEqual(24)
})

test('on a low screen the whole calendar is in view', async ({
  page,
  customer: { api, user, token },
}) => {
  await page.setViewportSize({ width: 390, height: 480 })
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.goto('/main/end-of-day')
  await page.getByRole('button', { name: 'Open calendar' }).tap()
  const days = page.getByRole('dialog', { name: /choose a date/ }).getByRole('table')
  await expect(days).toBeInViewport({ ratio: 1 })
})
