/** The operator's pages without a mouse: where the focus is, and what is typed there. */
import { expect } from '@playwright/test'
import { register } from '#contract/accounts.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { test } from './admin-fixture.ts'
import { tabTo } from './page-helpers.ts'

test('what is typed after Tab replaces the value of a field in a dialog', async ({ page }) => {
  await page.goto('/admin/default-services')
  await page.getByRole('button', { name: 'Edit prices' }).first().click()
  const dialog = page.getByRole('dialog', { name: /^Prices for / })
  await expect(dialog.getByRole('textbox', { name: 'From (lb)' }).first()).toBeFocused()
  const price = dialog.getByRole('textbox', { name: 'Price ($)' }).first()
  await tabTo(page, price)
  await page.keyboard.type('7.25')
  await expect(price).toHaveValue('7.25')
  const to = dialog.getByRole('textbox', { name: 'To (lb)' }).first()
  await tabTo(page, to, 'Shift+Tab')
  await page.keyboard.type('60')
  await expect(to).toHaveValue('60')
})

test('the keyboard goes on at the code that is to be edited', async ({ page, customer }) => {
  const { referralCode, _id } = customer.user
  const body = {
    name: 'June Rivera',
    email: `june-keys-${_id}@example.com`,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    referralCode,
  }
  await customer.api.call(register, { body })
  await page.goto('/admin/referral-management')
  await page
    .getByRole('button', { name: /^Edit code of / })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Referral Code' })).toBeFocused()
})

test('the keyboard stays at the synchronization when its result is dismissed', async ({ page }) => {
  await page.goto('/admin/default-services')
  const sync = page.getByRole('button', { name: 'Sync with Raw Services' })
  await sync.click()
  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Dismiss' }))
  await page.keyboard.press('Enter')
  await expect(sync).toBeFocused()
})
