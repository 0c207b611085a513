import { expect } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { tableFigure } from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'
import { watchFor } from './page-helpers.ts'

test('a new customer sees the first steps, tries the sample, and each step goes when it is done', async ({
  page,
  customer: { api, user, token },
}) => {
  await page.goto('/main/dashboard')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('listitem').getByRole('link')).toHaveText([
    'Top up',
    'Add sender',
    'Order a label',
  ])
  await expect(steps.getByRole('listitem').first()).toContainText('Add money')
  await steps.getByRole('link', { name: 'Try it with our sample file' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('10')
  await expect(page).toHaveURL(/\/main\/bulk-order$/)

  await api.pay({ user, token }, 50)
  await saveSender({ api, token, user })
  await page.goto('/main/dashboard')
  await expect(steps.getByRole('listitem').getByRole('link')).toHaveText(['Order a label'])
  await expect(steps.getByText('Print your first label')).toBeVisible()
  await expect(steps.getByText('Add your sender (done)')).toBeVisible()

  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.reload()
  await expect(page.getByText('Total Orders')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent Orders' }).getByRole('row')).toHaveCount(2)
  await expect(steps).toBeHidden()
})

test('a new customer is asked for a referral code once, and applies one or skips it', async ({
  page,
  customer,
}) => {
  const inviter = await customer.api.register('Ina Vite')
  await page.goto('/onboarding')
  const buttons = page.getByRole('main').getByRole('button')
  await expect(buttons).toHaveText(['Skip for now'])
  const code = page.getByPlaceholder('Enter referral code')
  await code.fill('no such code')
  await expect(buttons).toHaveText(['Apply Code', 'Skip for now'])
  await buttons.filter({ hasText: 'Apply Code' }).click()
  await expect(page.getByText('This referral code does not exist')).toBeVisible()

  await code.fill('')
  await expect(buttons).toHaveText(['Skip for now'])
  await code.fill(inviter.user.referralCode)
  const applied = 'Referral code applied successfully!'
  const untilSeen = await watchFor(page.locator('body'), applied, '[role="status"]')
  await buttons.filter({ hasText: 'Apply Code' }).click()
  await untilSeen()
  await expect(page).toHaveURL(/\/main\/dashboard$/)
})
