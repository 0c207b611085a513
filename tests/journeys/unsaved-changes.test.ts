import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { recentOrders } from '#contract/orders.ts'
import { test } from './admin-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { fill, goTo, listRegion } from './page-helpers.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })
const answer = (page: Page, name: 'Keep editing' | 'Discard') =>
  question(page).getByRole('button', { name }).click()

/** From the audit to the customer's row with a changed balance, so that Back leads to the audit. */
async function changeBalance(page: Page, { user }: Customer) {
  await page.goto('/admin/audit')
  await goTo(page, 'User Management', 'Admin Panel')
  await page.getByRole('searchbox', { name: 'Search users' }).fill(user.email)
  const list = listRegion(page, 'User Management')
  await expect(list.getByText('1 user', { exact: true }).first()).toBeVisible()
  const row = page.getByRole('row', { name: user.email })
  await row.getByRole('button', { name: 'Edit' }).click()
  await fill(row, { Balance: '7' })
  return row.getByRole('textbox', { name: 'Balance' })
}

test('Back asks before the changes to a user are lost', async ({ page, customer }) => {
  const balance = await changeBalance(page, customer)
  await page.goBack()
  await expect(question(page)).toContainText(customer.user.email)
  await answer(page, 'Keep editing')
  await expect(question(page)).toBeHidden()
  await expect(page).toHaveURL(/user-management/)
  await expect(balance).toHaveValue('7')

  await page.goBack()
  await answer(page, 'Discard')
  await expect(page).toHaveURL(/\/admin\/audit$/)
  await goTo(page, 'User Management', 'Admin Panel')
  await expect(page.getByRole('textbox', { name: 'Balance' })).toBeHidden()
})

test('after Keep editing, Back and Forward still lead to the right pages', async ({
  page,
  customer,
}) => {
  const balance = await changeBalance(page, customer)
  await page.goBack()
  await answer(page, 'Keep editing')
  await balance.press('Escape')
  await answer(page, 'Discard')
  await page.goBack()
  await expect(page).toHaveURL(/\/admin\/audit$/)
  await page.goForward()
  await expect(page).toHaveURL(/user-management/)
})

test('Logout asks before the changes to a user are lost', async ({ page, customer }) => {
  const balance = await changeBalance(page, customer)
  const logOut = async () => {
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
  }
  await logOut()
  await answer(page, 'Keep editing')
  await expect(balance).toHaveValue('7')
  await page.reload() // the user is still signed in
  await expect(listRegion(page, 'User Management')).toBeVisible()

  await changeBalance(page, customer)
  await logOut()
  await answer(page, 'Discard')
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test('signing in as another user asks before the changes to a user are lost', async ({
  page,
  customer,
}) => {
  const both = `Pair${customer.user._id}x`
  for (const name of ['Ann', 'Ben']) await customer.api.register(`${name} ${both}`)
  await page.goto(`/admin/user-management?search=${both}`)
  const ann = page.getByRole('row', { name: `Ann ${both}` })
  await ann.getByRole('button', { name: 'Edit' }).click()
  await fill(ann, { Balance: '7' })
  const logInAsBen = async () => {
    await page.getByRole('button', { name: `More actions for Ben ${both}` }).click()
    await page.getByRole('menuitem', { name: 'Log in as user' }).click()
  }
  await logInAsBen()
  await answer(page, 'Keep editing')
  await expect(ann.getByRole('textbox', { name: 'Balance' })).toHaveValue('7')
  await logInAsBen()
  await answer(page, 'Discard')
  await expect(page.getByRole('dialog', { name: `Log in as Ben ${both}?` })).toBeVisible()
})

test('a reason in a small dialog is not lost by Escape', async ({ page, customer }) => {
  const { name, email } = customer.user
  await page.goto(`/admin/user-management?search=${email}`)
  const open = async () => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Log in as user' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: `Log in as ${name}?` })
  const reason = dialog.getByRole('textbox', { name: 'Reason' })
  await reason.fill('Asked about a label')
  await reason.press('Escape')
  await answer(page, 'Keep editing')
  await expect(reason).toHaveValue('Asked about a label')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await answer(page, 'Discard')
  await expect(dialog).toBeHidden()
  await open()
  await reason.fill(' ')
  await reason.press('Escape')
  await expect(dialog).toBeHidden()
})

test('Back asks before changed prices are lost', async ({ page }) => {
  await page.goto('/admin/audit')
  await goTo(page, 'Default Services', 'Admin Panel')
  await page.getByRole('button', { name: 'Edit prices' }).first().click()
  const prices = page.getByRole('dialog', { name: /^Prices for/ })
  const first = prices.getByRole('group', { name: 'Range 1' })
  await fill(first, { 'Price ($)': '3.21' })
  await page.goBack()
  await answer(page, 'Keep editing')
  await expect(first.getByRole('textbox', { name: 'Price ($)' })).toHaveValue('3.21')
  await page.goBack()
  await answer(page, 'Discard')
  await expect(page).toHaveURL(/\/admin\/audit$/)
  await expect(prices).toBeHidden()
})

test('without changes Back asks nothing', async ({ page, customer }) => {
  const balance = await changeBalance(page, customer)
  await balance.fill('0.00')
  await page.goBack()
  await expect(page).toHaveURL(/\/admin\/audit$/)
})

test('a page that fails says so inside the frame, and the rest of the product works', async ({
  browser,
  storageState,
  baseURL,
}) => {
  // A page of its own: the shared one takes every message in the console for a fault.
  const page = await browser.newPage({ storageState, baseURL })
  await intercept(page, `**${recentOrders.path.replace(/:\w+/, '*')}*`, route =>
    route.fulfill({ json: { recentOrders: [{ _id: '1' }] } }),
  )
  await page.goto('/main/dashboard')
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert.getByRole('heading', { level: 2 })).toHaveText(
    'Something went wrong on this page',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await goTo(page, 'Orders')
  await expect(page.getByText('No orders found')).toBeVisible()
  await expect(alert).toBeHidden()
  await page.close()
})
