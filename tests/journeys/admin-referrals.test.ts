import { expect } from '@playwright/test'
import { register, setUserDetails } from '#contract/accounts.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { test } from './admin-fixture.ts'
import { intercept } from './intercept.ts'
import { expectRows, fill, goTo, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 20 })

test('a user gets a chosen code, and users who sign up with it are listed', async ({
  page,
  customer,
}) => {
  const code = `SPRING-${customer.user._id}`
  await page.goto('/admin/dashboard')
  await goTo(page, 'Referral Management', 'Admin Panel')
  await expect(page.getByRole('region', { name: 'Codes by sign-ups' })).toBeVisible()
  await page.getByRole('combobox', { name: 'User' }).fill(customer.user.email)
  await page.getByRole('option', { name: customer.user.email }).click()
  await expect(page.getByRole('textbox', { name: 'Referral Code' })).toHaveValue(
    customer.user.referralCode,
  )
  await expect(page.getByRole('heading', { name: 'No invited users yet' })).toBeVisible()
  await fill(page, { 'Referral Code': '' })
  await page.getByRole('button', { name: 'Update Referral Code' }).click()
  await expect(page.getByText('Referral Code is required')).toBeVisible()
  await fill(page, { 'Referral Code': code.toLowerCase() })
  await page.getByRole('button', { name: 'Update Referral Code' }).click()
  await expectToast(page, 'Referral code updated successfully')
  await expect(page.getByRole('textbox', { name: 'Referral Code' })).toHaveValue(code)

  const guest = {
    name: 'June Rivera',
    email: `june-${customer.user._id}@example.com`,
    password: PASSWORD,
    confirmPassword: PASSWORD,
  }
  await customer.api.call(register, { body: { ...guest, referralCode: code.toLowerCase() } })
  await page.reload()
  await expectRows(listRegion(page, 'Invited Users'), [
    { Name: 'June Rivera', 'Total Deposit': '$0.00' },
  ])
})

test('Back leads from the code of a user to the codes of all', async ({ page, customer }) => {
  const codes = page.getByRole('region', { name: 'Codes by sign-ups' })
  await page.goto('/admin/dashboard')
  await goTo(page, 'Referral Management', 'Admin Panel')
  await expect(codes).toBeVisible()
  await page.getByRole('combobox', { name: 'User' }).fill(customer.user.email)
  await page.getByRole('option', { name: customer.user.email }).click()
  await expect(page.getByRole('textbox', { name: 'Referral Code' })).toBeVisible()
  await page.goBack()
  await expect(codes).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'User' })).toHaveValue('')
})

test('a code that cannot be loaded or saved says so', async ({ page, customer, admin }) => {
  const other = await customer.api.register('June Rivera')
  await page.goto(`/admin/referral-management?userId=${customer.user._id}`)
  await fill(page, { 'Referral Code': other.user.referralCode })
  await page.getByRole('button', { name: 'Update Referral Code' }).click()
  await expect(page.getByText('This referral code is taken')).toBeVisible()
  await intercept(page, '**/api/auth/users/details/**', route => route.abort())
  await fill(page, { 'Referral Code': `${other.user.referralCode}2` })
  await page.getByRole('button', { name: 'Update Referral Code' }).click()
  await expect(page.getByRole('alert').getByText('Failed to update referral code')).toBeVisible()
  await intercept(page, '**/api/invite/**', route => route.fulfill({ status: 422, json: {} }))
  await page.reload()
  await expectToast(page, 'Failed to load referral code')
  await expectToast(page, 'Failed to load invited users')
  await expect(page.getByRole('alert').getByText('Failed to load referral code')).toBeVisible()
  await expect(page.getByRole('alert').getByText('Failed to load invited users')).toBeVisible()
  const { body } = await customer.api.call(
    setUserDetails,
    {
      params: { userId: customer.user._id },
      body: { referralCode: customer.user.referralCode },
    },
    admin.token,
  )
  expect(body.user.referralCode).toBe(customer.user.referralCode)
})
