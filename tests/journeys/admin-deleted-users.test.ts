import { expect } from '@playwright/test'
import { deleteUser } from '#contract/accounts.ts'
import { test } from './admin-fixture.ts'
import { openMenu, saving, USERS, users } from './admin-users-page.ts'
import { fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 20 })

test('the balance of a deleted user is found, and booked out with a reason', async ({
  page,
  customer,
  admin,
}) => {
  const { api, user } = customer
  await api.call(deleteUser, { params: { userId: user._id } }, admin.token)
  await page.goto(`${USERS}?search=deleted-${user._id}`)
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Deleted')
  const row = users(page).getByRole('row', { name: `deleted-${user._id}@` })
  await expect(row).toContainText('$20.00')
  await row.getByRole('button', { name: 'Edit' }).click()
  await expect(row.getByRole('textbox', { name: 'Balance' })).toBeFocused()
  await expect(row.getByRole('combobox')).toHaveCount(0)
  await fill(row, { Balance: '0' })
  await fill(row, { Reason: 'Paid out by check 1042' })
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(saving(page).getByText('$20.00 → $0.00 (−$20.00)')).toBeVisible()
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'User details updated successfully!')
  await expect(row).toContainText('$0.00')

  await openMenu(page, 'Deleted user', 'Wallet statement')
  await expect(page.getByRole('heading', { name: 'Wallet of Deleted user' })).toBeVisible()
  await expect(listRegion(page, 'Transactions')).toContainText('Paid out by check 1042')
})
