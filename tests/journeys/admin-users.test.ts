import { expect } from '@playwright/test'
import { login, verifySession } from '#contract/accounts.ts'
import type { ConfiguredService, PriceVersion } from '#contract/catalogue.ts'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { createInspector, resize } from './accessibility-checks.ts'
import { test } from './admin-fixture.ts'
import { find, openMenu, saving, USERS, users } from './admin-users-page.ts'
import { holdRequests, intercept } from './intercept.ts'
import { choose, expectRows, fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 20 })

test('a list that cannot be loaded after saving offers a reload', async ({ page, customer }) => {
  const row = await find(page, customer.user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await row.getByRole('combobox', { name: 'Role' }).selectOption('Friend')
  await row.getByRole('button', { name: 'Save' }).click()
  await intercept(page, '**/api/auth/users?**', route =>
    route.fulfill({ status: 422, json: { message: 'No' } }),
  )
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'User details updated successfully!')
  await expectToast(page, 'Error refreshing data. Please reload the page.')
  // By address: there are more users than a page shows.
  await page.goto(`${USERS}?search=${customer.user.email}`)
  await expectToast(page, 'Failed to load users')
  const line = users(page).getByRole('alert')
  await expect(line).toContainText('Failed to load users')
  await page.unroute('**/api/auth/users?**')
  await line.getByRole('button', { name: 'Try again' }).click()
  await expectRows(users(page), [{ Role: 'Friend' }])
})

test('text typed just before the filters are cleared is not searched for', async ({ page }) => {
  await page.clock.install()
  await page.goto(`${USERS}?role=admin`)
  const search = page.getByRole('searchbox', { name: 'Search users' })
  const clear = page.getByRole('button', { name: 'Clear filters' })
  await expect(clear).toBeVisible()
  // A search runs after a pause in typing: none passes between the text and the click.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await search.fill('Ida Holm')
  await clear.click()
  await expect(clear).toBeHidden()
  await expect(search).toHaveValue('')
  await page.clock.runFor(10_000)
  await expect(search).toHaveValue('')
  await expect(users(page)).toBeFocused()
  await expect(page).toHaveURL(USERS)
  await search.fill('Dana Cole')
  await page.clock.runFor(10_000)
  await expect(page).toHaveURL(`${USERS}?search=Dana+Cole`)
})

test('failed services, sign-ins and blocks are also reported in a toast', async ({
  page,
  customer,
}) => {
  const refuse = (path: string) =>
    intercept(page, path, route => route.fulfill({ status: 422, json: { message: 'Not today' } }))
  await refuse('**/api/userServices/**')
  await refuse('**/login-as-user/**')
  await refuse('**/users/activation/**')
  await find(page, customer.user.email)
  await openMenu(page, 'Dana Cole', 'Services and prices')
  await expectToast(page, 'Failed to load services')
  await page.keyboard.press('Escape')
  await openMenu(page, 'Dana Cole', 'Log in as user')
  const logIn = page.getByRole('dialog', { name: 'Log in as Dana Cole?' })
  await logIn.getByRole('button', { name: 'Log in as user' }).click()
  await expectToast(page, 'Failed to login as user')
  await expect(logIn.getByRole('alert')).toHaveText('Not today')
  await page.keyboard.press('Escape')
  await openMenu(page, 'Dana Cole', 'Block')
  const block = page.getByRole('dialog', { name: 'Block this user?' })
  await block.getByRole('button', { name: 'Block' }).click()
  await expectToast(page, 'Failed to update user details.')
  await expect(block.getByRole('alert')).toHaveText('Not today')
})

test('the user filter says when users cannot be loaded', async ({ page }) => {
  await intercept(page, '**/api/auth/users?**', route => route.fulfill({ status: 422, json: {} }))
  await page.goto('/admin/audit')
  await expectToast(page, 'Failed to load users')
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

test('an account is seen without signing in as its user, and that is in the audit', async ({
  page,
  customer,
}) => {
  const { api, token, user } = customer
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await find(page, user.email)
  await openMenu(page, 'Dana Cole', 'View account')
  const bar = page.getByRole('region', { name: 'Viewing Dana Cole’s account' })
  await expect(bar).toContainText(user.email)
  const main = page.getByRole('main')
  await expect(main).toContainText('Total Orders')
  await expect(main).toContainText('$10.50')
  await expect(main.getByRole('link', { name: 'Top up' })).toHaveCount(0)

  const parts = bar.getByRole('navigation', { name: 'Parts of the account' })
  await parts.getByRole('link', { name: 'Orders', exact: true }).click()
  await expectRows(listRegion(page, 'Orders'), [{ Status: 'Completed', Price: '$9.50' }])
  await expect(listRegion(page, 'Orders').getByRole('checkbox')).toHaveCount(0)
  await parts.getByRole('link', { name: 'Services and prices' }).click()
  await expect(listRegion(page, 'Services and prices')).toContainText('USPS Ground Advantage')
  // The prices of the setup have no history.
  await expect(listRegion(page, 'Price history')).toHaveCount(0)
  await page.getByRole('button', { name: 'Change prices' }).click()
  const prices = page.getByRole('dialog', { name: /Dana Cole/ })
  await expect(prices.getByRole('button', { name: 'Edit prices' }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(prices).toBeHidden()
  await parts.getByRole('link', { name: 'Addresses' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()

  await bar.getByRole('button', { name: 'Log in as user' }).click()
  await expect(page.getByRole('dialog', { name: 'Log in as Dana Cole?' })).toBeVisible()
  await page.goto(`/admin/audit?userId=${user._id}`)
  await expect(page.getByText('Viewed orders', { exact: true })).toBeVisible()
  await expect(page.getByText('Viewed the address book', { exact: true })).toBeVisible()
})

test('the pages of a user’s services and of their price history are turned one by one', async ({
  page,
  customer,
}) => {
  // A carrier with more services than fit on a page, of which the first had many prices.
  await intercept(page, '**/api/defaultServices', async route => {
    const response = await route.fetch()
    const [one] = (await response.json()) as [ConfiguredService]
    const services = Array.from({ length: 11 }, (_, at) => ({
      ...one,
      _id: String(at + 1),
      uid: `sandbox:${at + 1}`,
      name: `Service ${at + 1}`,
    }))
    await route.fulfill({ response, json: services })
  })
  await intercept(page, '**/api/defaultServices/*/versions', route => {
    const isFirst = route.request().url().endsWith('/1/versions')
    const version: Omit<PriceVersion, 'version'> = {
      prices: [{ fromWeight: 1, toWeight: 70, price: 9.5 }],
      table: null,
      rule: null,
      reason: null,
      setBy: null,
      createdAt: new Date().toISOString(),
    }
    const count = isFirst ? 11 : 1
    const json = Array.from({ length: count }, (_, at) => ({ ...version, version: count - at }))
    return route.fulfill({ json })
  })
  await page.goto(`/admin/user-management/${customer.user._id}/account/services`)
  const history = listRegion(page, 'Price history')
  await expect(history).toContainText('Version 11')
  await history.getByRole('button', { name: 'Next page' }).click()
  await expect(history).toContainText('Version 1')
  await expect(history).not.toContainText('Version 11')
  await expect(listRegion(page, 'Services and prices')).toContainText('Service 10')
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
  await expectToast(page, 'User deleted. The remaining $20.00 stays on the books.')
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await expect(users(page)).toBeFocused()
  await page.getByRole('button', { name: 'Show all users' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(users(page)).toBeFocused()
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
  await expect(users(page).getByRole('row').nth(1)).toContainText('Aaron Aardvark')
  await page.reload()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await choose(page, page, 'Role', 'Admin')
  await expect(users(page).getByText('admin@evenpost.local')).toBeVisible()
  await expect(users(page).getByText('Aaron Aardvark')).toBeHidden()
})

test('that there are no users is not said of a list that is still loading', async ({ page }) => {
  await page.goto(`${USERS}?search=no-match@example.com`)
  await expect(users(page).getByText('No users found')).toBeVisible()
  const { sent, release } = await holdRequests(page, 'GET', '**/api/auth/users?*')
  await users(page).getByRole('button', { name: 'Show all users' }).click()
  await sent
  await expect(users(page)).toContainText('Loading users...')
  await expect(users(page).getByText(/^No users/)).toBeHidden()
  release()
  await expect(users(page).getByText('@').first()).toBeVisible()
})

test('on a phone the filters of users open by a button that counts them', async ({
  page,
  customer,
}) => {
  await resize(page, 390)
  await page.goto(`${USERS}?search=${customer.user.email}`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(users(page).getByText('Dana Cole')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeHidden()
  await button('Filters').click()
  await expect(button('Filters')).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeVisible()
  await choose(page, page, 'Role', 'Admin')
  await expect(button('Filters (1)')).toBeVisible()
  await expect(users(page).getByText('Dana Cole')).toBeHidden()
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

test('several users are blocked and allowed again at once', async ({ page, customer }) => {
  const name = `Twin ${crypto.randomUUID().slice(0, 8)}`
  for (const _ of [1, 2]) await customer.api.register(name)
  await page.goto(`${USERS}?search=${encodeURIComponent(name)}`)
  const both = users(page).getByRole('checkbox', { name: 'Select all users on this page' })
  for (const [act, status] of [
    ['Block', 'Blocked'],
    ['Allow', 'Allowed'],
  ] as const) {
    await both.check()
    await users(page)
      .getByRole('button', { name: `${act} 2 users` })
      .click()
    const dialog = page.getByRole('dialog', { name: new RegExp(`^${act} 2 users`) })
    await expect(dialog.getByRole('listitem')).toHaveText([new RegExp(name), new RegExp(name)])
    await dialog.getByRole('button', { name: act, exact: true }).click()
    await expect(dialog).toBeHidden()
    await expectRows(users(page), [{ Status: status }, { Status: status }])
  }
  await both.check()
  await users(page)
    .getByRole('button', { name: `More actions for ${name}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this user?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectRows(users(page), [{ Status: 'Allowed' }])
  await expect(users(page).getByText('1 user selected')).toBeVisible()
})

test('a page of the list has seven users, and a role is Admin, Friend or User', async ({
  page,
  customer,
}) => {
  const name = `Octet ${crypto.randomUUID().slice(0, 8)}`
  for (let n = 0; n < 8; n++) await customer.api.register(name)
  await page.goto(`${USERS}?search=${encodeURIComponent(name)}`)
  const edits = users(page).getByRole('button', { name: 'Edit', exact: true })
  await expect(edits).toHaveCount(7)
  await edits.first().click()
  await expect(
    users(page).getByRole('row').getByRole('combobox', { name: 'Role' }).getByRole('option'),
  ).toHaveText(['Admin', 'Friend', 'User'])
  await users(page).getByRole('button', { name: 'Cancel' }).click()
  await users(page).getByRole('button', { name: 'Next page' }).click()
  await expect(edits).toHaveCount(1)
})
