import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { login, register, setUserDetails, verifySession } from '#contract/accounts.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { createInspector, resize } from './accessibility-checks.ts'
import { test } from './admin-fixture.ts'
import { choose, expectRows, fetchLinkedFile, fill, goTo, listRegion } from './page-helpers.ts'

test.use({ dollars: 20 })

const USERS = '/admin/user-management'
const users = (page: Page) => listRegion(page, 'User Management')

/** The list narrowed to one user by typing the address. */
async function find(page: Page, email: string): Promise<Locator> {
  await page.goto(USERS)
  await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
  await expect(users(page).getByText('1 user', { exact: true }).first()).toBeVisible()
  return page.getByRole('row', { name: email })
}

async function openMenu(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** What is said in the corner, and nowhere else. */
const toast = (page: Page, text: string) =>
  page.locator('[aria-live="polite"][role="status"]').getByText(text, { exact: true })

const saving = (page: Page) => page.getByRole('dialog', { name: 'Save these changes?' })
const discarding = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })
const discard = (page: Page) => discarding(page).getByRole('button', { name: 'Discard' }).click()

test('role, balance and code of a user are changed after confirmation, and the statement says why', async ({
  page,
  customer,
}) => {
  const code = `DANA-${customer.user._id}`
  const row = await find(page, customer.user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await expect(row.getByRole('combobox', { name: 'Role' })).toBeFocused()
  await row.getByRole('combobox', { name: 'Role' }).selectOption('Friend')
  await fill(row, { Balance: '25.5', 'Referral Code': code.toLowerCase() })
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(row.getByText('Reason is required')).toBeVisible()
  await expect(row.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await fill(row, { Reason: 'Goodwill for a late label' })
  await row.getByRole('button', { name: 'Save' }).click()

  const question = saving(page)
  await expect(question.getByText('User → Friend')).toBeVisible()
  await expect(question.getByText('$20.00 → $25.50 (+$5.50)')).toBeVisible()
  await expect(question.getByText('Goodwill for a late label')).toBeVisible()
  await expect(question.getByText(`${customer.user.referralCode} → ${code}`)).toBeVisible()
  await question.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('User details updated successfully!')).toBeVisible()
  await expectRows(users(page), [
    { Role: 'Friend', Balance: '$25.50', 'Referral code': code, Status: 'Allowed' },
  ])
  await expect(row.getByRole('button', { name: 'Edit' })).toBeFocused()

  await openMenu(page, 'Dana Cole', 'Wallet statement')
  await expect(page.getByRole('heading', { name: 'Wallet of Dana Cole' })).toBeVisible()
  await expectRows(listRegion(page, 'Movements'), [
    {
      Reason: 'Adjustment by support Goodwill for a late label',
      Amount: '+$5.50',
      Balance: '$25.50',
    },
    { Reason: 'Deposit', Amount: '+$20.00', Balance: '$20.00' },
  ])
  const file = await fetchLinkedFile(page, page.getByRole('link', { name: 'Download CSV' }))
  expect(file.bytes.toString()).toContain('Goodwill for a late label')
})

test('nothing is sent when the confirmation is cancelled, or without a change', async ({
  page,
  customer,
}) => {
  const row = await find(page, customer.user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await fill(row, { Balance: '0', Reason: 'A slip' })
  await row.getByRole('button', { name: 'Save' }).click()
  await saving(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(saving(page)).toBeHidden()
  await expect(row.getByRole('textbox', { name: 'Balance' })).toHaveValue('0')
  await row.getByRole('textbox', { name: 'Balance' }).press('Escape')
  await discard(page)
  await expectRows(users(page), [{ Balance: '$20.00' }])
  await row.getByRole('button', { name: 'Edit' }).click()
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(saving(page)).toBeHidden()
  await expect(row.getByRole('button', { name: 'Edit' })).toBeVisible()
})

test('a balance that has changed since it was read is not overwritten', async ({
  page,
  customer,
}) => {
  const { api, token, user } = customer
  const row = await find(page, user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await fill(row, { Balance: '30', Reason: 'Goodwill' })
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  const {
    body: {
      user: { balance },
    },
  } = await api.call(verifySession, {}, token)
  await row.getByRole('button', { name: 'Save' }).click()
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Failed to update user details.')).toBeVisible()
  const left = `$${balance.toFixed(2)}`
  const said = `Nothing was changed. The balance is now ${left}, not $20.00. Enter it again if you still want to change it.`
  await expect(page.getByText(said)).toBeVisible()
  await expect(row.getByRole('textbox', { name: 'Balance' })).toHaveValue(balance.toFixed(2))

  await fill(row, { Balance: '30' })
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(saving(page).getByText(`${left} → $30.00`)).toBeVisible()
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expectRows(users(page), [{ Balance: '$30.00' }])
  const { body } = await api.call(
    statement,
    { params: { userId: user._id }, query: { limit: 1 } },
    token,
  )
  expect(body.entries).toMatchObject([{ kind: 'adjust_up', note: 'Goodwill', balance: 30 }])
})

test('saved and unsaved changes are distinguished', async ({ page, customer }) => {
  const other = await customer.api.register('June Rivera')
  const row = await find(page, customer.user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await row.getByRole('combobox', { name: 'Role' }).selectOption('Friend')
  await fill(row, { 'Referral Code': other.user.referralCode })
  await row.getByRole('button', { name: 'Save' }).click()
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Failed to update user details.')).toBeVisible()
  await expect(row.getByText('This referral code is taken')).toBeVisible()
  await expect(page.getByText('Role was saved. The rest was not.')).toBeVisible()
  await row.getByRole('button', { name: 'Cancel' }).click()
  await discard(page)
  await expectRows(users(page), [{ Role: 'Friend', 'Referral code': customer.user.referralCode }])
})

test('an edit is not dropped by Edit in another row without confirmation', async ({
  page,
  customer,
}) => {
  const both = `Pair${customer.user._id}x`
  for (const name of ['Ann', 'Ben']) await customer.api.register(`${name} ${both}`)
  await page.goto(`${USERS}?search=${both}`)
  const rowOf = (name: string) => page.getByRole('row', { name: `${name} ${both}` })
  const balanceIn = (name: string) => rowOf(name).getByRole('textbox', { name: 'Balance' })
  const edit = (name: string) => rowOf(name).getByRole('button', { name: 'Edit' }).click()
  await edit('Ann')
  await edit('Ben') // nothing was typed, so nothing is asked
  await balanceIn('Ben').fill('7')
  await edit('Ann')
  const question = discarding(page)
  await expect(question).toContainText(`Ben ${both}`)
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(question).toBeHidden()
  await expect(balanceIn('Ben')).toHaveValue('7')
  const elsewhere = page.getByRole('link', { name: 'Referral Management' })
  await elsewhere.click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(balanceIn('Ben')).toHaveValue('7')
  await edit('Ann')
  await discard(page)
  await expect(balanceIn('Ann')).toHaveValue('0.00')
  await expect(rowOf('Ann').getByRole('combobox', { name: 'Role' })).toBeFocused()
  await expect(balanceIn('Ben')).toBeHidden()
  await balanceIn('Ann').fill('7')
  await elsewhere.click()
  await discard(page)
  await expect(page).toHaveURL(/referral-management/)
})

test('a list that cannot be loaded after saving offers a reload', async ({ page, customer }) => {
  const row = await find(page, customer.user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await row.getByRole('combobox', { name: 'Role' }).selectOption('Friend')
  await row.getByRole('button', { name: 'Save' }).click()
  await page.route('**/api/auth/users?**', route =>
    route.fulfill({ status: 422, json: { message: 'No' } }),
  )
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('User details updated successfully!')).toBeVisible()
  await expect(page.getByText('Error refreshing data. Please reload the page.')).toBeVisible()
  // By address: there are more users than a page shows.
  await page.goto(`${USERS}?search=${customer.user.email}`)
  await expect(toast(page, 'Failed to load users')).toBeVisible()
  const line = users(page).getByRole('alert')
  await expect(line).toContainText('Failed to load users')
  await page.unroute('**/api/auth/users?**')
  await line.getByRole('button', { name: 'Try again' }).click()
  await expectRows(users(page), [{ Role: 'Friend' }])
})

test('failed services, sign-ins and blocks are also reported in a toast', async ({
  page,
  customer,
}) => {
  const refuse = (path: string) =>
    page.route(path, route => route.fulfill({ status: 422, json: { message: 'Not today' } }))
  await refuse('**/api/userServices/**')
  await refuse('**/login-as-user/**')
  await refuse('**/users/activation/**')
  await find(page, customer.user.email)
  await openMenu(page, 'Dana Cole', 'Services and prices')
  await expect(toast(page, 'Failed to load services')).toBeVisible()
  await page.keyboard.press('Escape')
  await openMenu(page, 'Dana Cole', 'Log in as user')
  const logIn = page.getByRole('dialog', { name: 'Log in as Dana Cole?' })
  await logIn.getByRole('button', { name: 'Log in as user' }).click()
  await expect(toast(page, 'Failed to login as user')).toBeVisible()
  await expect(logIn.getByRole('alert')).toHaveText('Not today')
  await page.keyboard.press('Escape')
  await openMenu(page, 'Dana Cole', 'Block')
  const block = page.getByRole('dialog', { name: 'Block this user?' })
  await block.getByRole('button', { name: 'Block' }).click()
  await expect(toast(page, 'Failed to update user details.')).toBeVisible()
  await expect(block.getByRole('alert')).toHaveText('Not today')
})

test('the user filter says when users cannot be loaded', async ({ page }) => {
  await page.route('**/api/auth/users?**', route => route.fulfill({ status: 422, json: {} }))
  await page.goto('/admin/audit')
  await expect(toast(page, 'Failed to load users')).toBeVisible()
})

test('every entry of a menu has the type of the page', async ({ page, customer }) => {
  await find(page, customer.user.email)
  await page.getByRole('button', { name: 'More actions for Dana Cole' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  const types = await page
    .getByRole('menuitem')
    .evaluateAll(all => all.map(entry => getComputedStyle(entry).fontFamily))
  const body = await page.evaluate(() => getComputedStyle(document.body).fontFamily)
  expect(new Set(types)).toEqual(new Set([body]))
})

test('a blocked user is signed out and cannot sign in until they are allowed again', async ({
  page,
  customer,
}) => {
  const { api, token, user } = customer
  const enter = async () =>
    (await api.call(login, { body: { email: user.email, password: PASSWORD } })).status
  await find(page, user.email)
  await openMenu(page, 'Dana Cole', 'Block')
  await page
    .getByRole('dialog', { name: 'Block this user?' })
    .getByRole('button', { name: 'Block' })
    .click()
  await expectRows(users(page), [{ Status: 'Blocked' }])
  expect((await api.call(verifySession, {}, token)).status).toBe(401)
  expect(await enter()).not.toBe(200)
  await openMenu(page, 'Dana Cole', 'Allow')
  await page
    .getByRole('dialog', { name: 'Allow this user again?' })
    .getByRole('button', { name: 'Allow' })
    .click()
  await expectRows(users(page), [{ Status: 'Allowed' }])
  expect(await enter()).toBe(200)
})

test('a user is deleted after a confirmation that says what stays', async ({ page, customer }) => {
  await find(page, customer.user.email)
  await openMenu(page, 'Dana Cole', 'Delete')
  const question = page.getByRole('dialog', { name: 'Delete this user?' })
  await expect(question.getByText('Orders, statement and audit are kept.')).toBeVisible()
  await expect(
    question.getByText('The remaining balance of $20.00 stays on the books.'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(
    page.getByText('User deleted. The remaining $20.00 stays on the books.'),
  ).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all users' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

test('administrators cannot log in as, block or delete themselves, nor change their own role', async ({
  page,
  admin,
}) => {
  const row = await find(page, admin.user.email)
  await page.getByRole('button', { name: `More actions for ${admin.user.name}` }).click()
  for (const action of ['Log in as user', 'Block', 'Delete']) {
    await expect(page.getByRole('menuitem', { name: `${action} This is you` })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  }
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Edit' }).click()
  await expect(row.getByRole('combobox', { name: 'Role' })).toBeDisabled()
})

test('the list is sorted by its headers and filtered by role, and the address keeps it', async ({
  page,
  customer,
}) => {
  await customer.api.register('Aaron Aardvark')
  await page.goto(USERS)
  const head = page.getByRole('columnheader', { name: 'Name' })
  await expect(page.getByRole('columnheader', { name: 'Joined' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await head.getByRole('button').press('Enter')
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(users(page).getByRole('cell').first()).toContainText('Aaron Aardvark')
  await page.reload()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await choose(page, page, 'Role', 'Admin')
  await expect(users(page).getByText('admin@evenpost.local')).toBeVisible()
  await expect(users(page).getByText('Aaron Aardvark')).toBeHidden()
})

test('a user gets a chosen code, and users who sign up with it are listed', async ({
  page,
  customer,
}) => {
  const code = `SPRING-${customer.user._id}`
  await page.goto('/admin/dashboard')
  await goTo(page, 'Referral Management', 'Admin Panel')
  await expect(page.getByRole('heading', { name: 'No user chosen' })).toBeVisible()
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
  await expect(page.getByText('Referral code updated successfully')).toBeVisible()
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

test('a code that cannot be loaded or saved says so', async ({ page, customer, admin }) => {
  const other = await customer.api.register('June Rivera')
  await page.goto(`/admin/referral-management?userId=${customer.user._id}`)
  await fill(page, { 'Referral Code': other.user.referralCode })
  await page.getByRole('button', { name: 'Update Referral Code' }).click()
  await expect(page.getByText('This referral code is taken')).toBeVisible()
  await page.route('**/api/auth/users/details/**', route => route.abort())
  await fill(page, { 'Referral Code': `${other.user.referralCode}2` })
  await page.getByRole('button', { name: 'Update Referral Code' }).click()
  await expect(page.getByRole('alert').getByText('Failed to update referral code')).toBeVisible()
  await page.route('**/api/invite/**', route => route.fulfill({ status: 422, json: {} }))
  await page.reload()
  await expect(toast(page, 'Failed to load referral code')).toBeVisible()
  await expect(toast(page, 'Failed to load invited users')).toBeVisible()
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

test('the frame: ink line, narrow and wide sidebar, the way back, an unknown address', async ({
  page,
}) => {
  await page.goto('/admin/nowhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist.' })).toBeVisible()
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  const width = async () => (await sidebar.boundingBox())?.width
  await expect.poll(width).toBe(200)
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect.poll(width).toBe(50)
  await goTo(page, 'Audit', 'Admin Panel')
  await expect(page).toHaveTitle(/^Audit · Admin Panel · /)
  await goTo(page, 'Back to Dashboard', 'Dashboard')
})

test.describe('in a window below 1024 px', () => {
  test.use({ viewport: { width: 900, height: 800 } })
  test('the sidebar lies over the dimmed page when it is opened', async ({ page }) => {
    await page.goto(USERS)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    const drawer = page.getByRole('dialog', { name: 'Main' })
    await expect(drawer).toBeVisible()
    await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(200)
    await drawer.getByRole('link', { name: 'Referral Management' }).click()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL(/referral-management/)
  })
})

test('user management is accessible on every screen', async ({ page, customer }) => {
  const { look, found } = createInspector(page, [1440, 390])
  await page.goto(`${USERS}?search=${customer.user.email}`)
  const edit = page.getByRole('button', { name: 'Edit' })
  await expect(edit).toHaveCount(1)
  // A row and a card have each their own menu.
  for (const width of [390, 1440]) {
    await resize(page, width)
    await page.getByRole('button', { name: 'More actions for Dana Cole' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await look('menu', [width])
    await page.keyboard.press('Escape')
  }
  await openMenu(page, 'Dana Cole', 'Delete')
  await expect(page.getByRole('dialog', { name: 'Delete this user?' })).toBeVisible()
  await look('delete')
  await page.keyboard.press('Escape')
  await openMenu(page, 'Dana Cole', 'Log in as user')
  await expect(page.getByRole('dialog', { name: 'Log in as Dana Cole?' })).toBeVisible()
  await look('log in as')
  await page.keyboard.press('Escape')
  await edit.click()
  await fill(page, { Balance: '7' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Reason is required')).toBeVisible()
  await look('editing with an error')
  await fill(page, { Reason: 'Goodwill' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(saving(page)).toBeVisible()
  await look('question')
  expect(found).toEqual([])
})
