import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { login } from '#contract/accounts.ts'
import { placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createInspector } from './accessibility-checks.ts'
import { test } from './admin-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { expectRows, listRegion } from './page-helpers.ts'

test.use({ dollars: 20 })

const audit = (page: Page) => listRegion(page, 'Audit')

/** A wrong password, a label bought and voided. Returns the label's number. */
async function live({ api, user, token }: Customer): Promise<string> {
  await api.call(login, { body: { email: user.email, password: 'not the right one' } })
  const { body } = await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await api.call(voidOrder, { params: { orderId: body.data.orderId } }, token)
  return body.data.orderId
}

test('what was done to and by a customer is listed newest first and leads to the label', async ({
  page,
  customer,
}) => {
  const order = await live(customer)
  await page.goto('/admin/audit')
  await audit(page).getByRole('combobox', { name: 'User' }).fill(customer.user.email)
  await page.getByRole('option', { name: `${customer.user.name} · ${customer.user.email}` }).click()
  await expectRows(audit(page), [
    {
      By: /^Dana Cole/,
      Action: new RegExp(`^Requested a void of label ${order}`),
      'Affected user': 'Own account',
      Kind: 'Labels',
    },
    { Action: /^Sign-in refused: wrong email or password/, Kind: 'Denials' },
    {
      By: 'System',
      Action: /^Credited a deposit of \$20\.00/,
      'Affected user': /^Dana Cole/,
      Kind: 'Money',
    },
    { Action: /^Created an account/, Kind: 'Sign-ins' },
  ])
  const entry = audit(page).getByRole('row').filter({ hasText: 'Created an account' })
  await expect(entry.getByText('Network')).toBeHidden()
  await entry.locator('summary').click()
  await expect(entry.getByText('Network')).toBeVisible()

  await audit(page).getByRole('combobox', { name: 'Kind' }).selectOption('Labels')
  await expectRows(audit(page), [{ Kind: 'Labels' }])
  await page.reload()
  await expectRows(audit(page), [{ Kind: 'Labels' }])
  await audit(page).getByRole('link', { name: 'Open label' }).click()
  await expect(page.getByText(`Label ${order}`, { exact: true })).toBeVisible()
  await page.goBack()
  await audit(page).getByRole('button', { name: 'Clear filters' }).click()
  await expect(audit(page).getByRole('combobox', { name: 'Kind' })).toHaveValue('')
  await audit(page).getByRole('searchbox', { name: 'Search' }).fill(customer.user.email)
  await expectRows(audit(page), [
    { Kind: 'Labels' },
    { Kind: 'Denials' },
    { Kind: 'Money' },
    { Kind: 'Sign-ins' },
  ])
  await audit(page).getByRole('button', { name: 'Open calendar' }).first().click()
  await page.getByRole('button', { name: 'This month' }).click()
  await expect(audit(page).getByLabel('From')).toHaveValue(/^01-/)
  await expect(audit(page).getByLabel('Until')).not.toHaveValue('')
  await audit(page).getByRole('searchbox', { name: 'Search' }).fill('refused wrong')
  await expect(audit(page).getByRole('row').nth(2)).toContainText('Sign-in refused')
  await audit(page).getByLabel('Until').fill('2020-01-01')
  await expect(audit(page).getByRole('heading', { name: 'No entries found' })).toBeVisible()
  await audit(page).getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(audit(page).getByLabel('Until')).toHaveValue('')
  // Others use the same server: the newest entries may be of any user.
  await expect(audit(page).getByRole('row').nth(2)).toBeVisible()
})

test('the audit is accessible on every screen', async ({ page, customer }) => {
  await live(customer)
  const { found, look } = createInspector(page)
  await page.goto(`/admin/audit?userId=${customer.user._id}`)
  await audit(page).locator('summary').first().click()
  await look('audit')
  expect(found).toEqual([])
})
