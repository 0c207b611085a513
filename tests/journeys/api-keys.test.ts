import { expect } from '@playwright/test'
import { listKeys } from '#contract/api-keys.ts'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { axeViolations } from './accessibility-checks.ts'
import { test } from './customer-fixture.ts'
import { expectRows, fill } from './page-helpers.ts'

test.use({ dollars: 50 })

/** The page behind it is judged in account.test.ts. */
const DIALOG = '[role=dialog]'

test('a seller makes a key, a program buys a label with it, and once it is deleted it is refused', async ({
  page,
  customer,
}) => {
  await page.goto('/main/account#api-keys')
  const section = page.getByRole('region', { name: 'API keys' })
  await expect(page.getByRole('link', { name: 'API documentation' })).toHaveAttribute(
    'href',
    '/docs/api',
  )
  await section.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await form.getByRole('button', { name: 'Create key' }).click()
  await expect(form.getByText('Name is required')).toBeVisible()
  expect(await axeViolations(page, {}, DIALOG)).toEqual([])
  await expect(form.getByText('You’ll see the key only once, so copy it right away.')).toBeVisible()
  await expect(form.getByRole('radio', { name: 'Buy labels' })).toBeChecked()
  // A choice of one's own starts from the preset before it.
  await expect(form.getByRole('checkbox')).toHaveCount(0)
  await form.getByRole('radio', { name: 'Read only' }).check()
  await form.getByRole('radio', { name: 'Custom' }).check()
  await expect(form.getByRole('checkbox', { name: 'Read the wallet' })).toBeChecked()
  for (const box of await form.getByRole('checkbox').all()) await box.uncheck()
  await form.getByRole('button', { name: 'Create key' }).click()
  await expect(form.getByText('Choose at least one')).toBeVisible()
  expect(await axeViolations(page, {}, DIALOG)).toEqual([])
  await form.getByRole('radio', { name: 'Buy labels' }).check()
  await fill(form, { Name: 'Shop plug-in', 'Daily limit in dollars': '$12' })
  await form.getByRole('button', { name: 'Create key' }).click()

  const made = page.getByRole('dialog', { name: 'Copy your new key' })
  const key = await made.getByLabel('API key', { exact: true }).inputValue()
  expect(key).toMatch(/^evp_test_[0-9A-Za-z]{36}$/)
  expect(await axeViolations(page, {}, DIALOG)).toEqual([])
  await made.getByLabel('I have saved this key').check()
  await made.getByRole('button', { name: 'Done' }).click()
  await expectRows(section, [
    {
      Name: 'Shop plug-in',
      Access: /Buy labels, Read labels/,
      'Last used': 'Never',
    },
  ])
  await expect(section.getByText('$0.00 of $12.00 used today')).toBeVisible()
  await expect(page.getByText(key)).toBeHidden()

  const buy = () => customer.api.call(placeOrder, { body: singleOrderBody(customer.user._id) }, key)
  const bought = await buy()
  expect(bought.status).toBe(200)
  expect((await buy()).body.code).toBe('daily_limit_reached')
  await page.goto(`/main/orders/${bought.body.data.orderId}`)
  await expect(page.getByText('Shop plug-in')).toBeVisible()
  await page.goto('/main/account#api-keys')
  await expect(section.getByText('$9.50 of $12.00 used today')).toBeVisible()

  await section.getByRole('button', { name: /Actions of Shop plug-in/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click()
  await expect(section.getByText('No API keys yet')).toBeVisible()
  const refused = await buy()
  expect([refused.status, refused.body.message]).toEqual([
    401,
    'This API key was deleted, by its user or when the site was restored from a backup',
  ])
})

test('a key that ends in 30 days does so on a device whose clock is a day late', async ({
  page,
  customer: { api, user, token },
}) => {
  const dayMs = 24 * 60 * 60_000
  await page.clock.setFixedTime(Date.now() - dayMs)
  await page.goto('/main/account#api-keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create an API key' })
  await fill(form, { Name: 'Shop plug-in' })
  await form.getByLabel('Expires').selectOption({ label: 'In 30 days' })
  await form.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('dialog', { name: 'Copy your new key' })).toBeVisible()
  const { keys } = (await api.call(listKeys, { params: { userId: user._id } }, token)).body
  const days = (Date.parse(keys[0]!.expiresAt!) - Date.now()) / dayMs
  expect(Math.round(days)).toBe(30)
})
