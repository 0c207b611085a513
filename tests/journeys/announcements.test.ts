/** What a screen reader says when a list changes and the focus stays where it was. */
import { expect } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { test as byAdministrator } from './admin-fixture.ts'
import { test } from './customer-fixture.ts'
import { listRegion, tabTo } from './page-helpers.ts'

test.describe('with labels of two pages', () => {
  test.use({ dollars: 100 })

  test('a user who turns a page hears which page it is', async ({
    page,
    customer: { api, user, token },
  }) => {
    for (let count = 0; count < 8; count++)
      await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
    await page.goto('/main/orders')
    const next = listRegion(page, 'Orders List').getByRole('button', { name: 'Next page' })
    await tabTo(page, next)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').getByText('Page 2 of 2')).toBeAttached()
    await expect(next).toBeFocused()
  })
})

byAdministrator(
  'an administrator hears the new order of the users, and how many a filter finds',
  async ({ page, customer }) => {
    await page.goto('/admin/user-management')
    const users = listRegion(page, 'User Management')
    await expect(users.getByText(customer.user.email)).toBeVisible()
    await tabTo(page, users.getByRole('button', { name: 'Balance', exact: true }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status').getByText('Sorted by Balance, descending')).toBeAttached()
    await users.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Admin' })
    await expect(users.getByRole('status').getByText(/^\d+ users?$/)).toBeAttached()
  },
)
