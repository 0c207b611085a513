import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { endSessions, logout, verifySession } from '#contract/accounts.ts'
import { listAuditEntries } from '#contract/audit.ts'
import { createInspector, resize } from './accessibility-checks.ts'
import { test } from './admin-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { balance, fill, goTo, listRegion, watchFor } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 20 })

const impersonationBar = (page: Page) =>
  page.getByRole('complementary', { name: 'Signed in as a user' })
const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem('evenpost.token'))
const statusOf = async ({ api }: Customer, token: string | null) =>
  (await api.call(verifySession, {}, token ?? undefined)).status

/** From the list of users, with a reason. */
async function logInAs(page: Page, { user }: Customer): Promise<void> {
  await page.goto(`/admin/user-management?search=${user.email}`)
  await page.getByRole('button', { name: `More actions for ${user.name}` }).click()
  await page.getByRole('menuitem', { name: 'Log in as user' }).click()
  const question = page.getByRole('dialog', { name: `Log in as ${user.name}?` })
  await fill(question, { Reason: 'Asked on the phone' })
  // It is shown until the page changes, a moment later.
  const untilSeen = await watchFor(
    page.locator('body'),
    'Successfully logged in as user. Redirecting...',
    '[role="status"]',
  )
  await question.getByRole('button', { name: 'Log in as user' }).click()
  await untilSeen()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(impersonationBar(page)).toContainText(
    `You are signed in as ${user.name} (${user.email})`,
  )
}

/** On the list of users, as oneself. */
async function expectOwnAccount(page: Page): Promise<void> {
  await expect(listRegion(page, 'User Management')).toBeVisible()
  await expect(impersonationBar(page)).toBeHidden()
}

/** Opens a page without requests of its own: a late response would report the end of the session before the user acts. */
async function goToQuietPage(page: Page): Promise<void> {
  // The app looks once for a running bulk order, on every page.
  const looked = page.waitForResponse(/\/api\/orders\/bulk\/running\//)
  await page.goto('/main/demo')
  await looked
  await page.waitForLoadState('networkidle')
}

test('an administrator is a user for a while: the bar stays, the admin area is closed, and they return', async ({
  page,
  customer,
  admin,
}) => {
  await logInAs(page, customer)
  const short = await tokenIn(page)
  expect(short).not.toBe(admin.token)
  await expect(balance(page)).toContainText('$20.00')
  await expect(page.getByRole('link', { name: 'Admin Panel' })).toBeHidden()
  await goTo(page, 'Orders')
  await page.reload()
  await expect(impersonationBar(page)).toBeVisible()
  await page.goto('/admin/user-management')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goto('/')
  await expect(impersonationBar(page)).toBeVisible()
  await page.goto('/main/account#webhooks')
  await expect(page.getByRole('button', { name: 'Add webhook' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.goto('/main/deposit')

  await impersonationBar(page).getByRole('button', { name: 'Return to admin' }).click()
  await expectOwnAccount(page)
  expect(await tokenIn(page)).toBe(admin.token)
  await expect.poll(() => statusOf(customer, short)).toBe(401)
  await goTo(page, 'Back to Dashboard', 'Dashboard')
  await expect(balance(page)).toContainText('$0.00')
  const trail = await customer.api.call(
    listAuditEntries,
    { query: { kind: 'log-in-as', userId: customer.user._id } },
    admin.token,
  )
  const sides = trail.body.entries.filter(({ action }) => action !== 'acted-as')
  expect(sides.map(({ action, actor, subject }) => [action, actor?._id, subject?._id])).toEqual(
    ['login-as-ended', 'login-as'].map(action => [action, admin.user._id, customer.user._id]),
  )
})

test('they return from the landing page too', async ({ page, customer }) => {
  await logInAs(page, customer)
  await page.goto('/')
  await impersonationBar(page).getByRole('button', { name: 'Return to admin' }).click()
  await expectOwnAccount(page)
})

test('other tabs follow, and nothing of one user appears for the other', async ({
  page,
  context,
  customer,
}) => {
  const other = await context.newPage()
  await other.goto('/admin/audit')
  await logInAs(page, customer)
  await expect(impersonationBar(other)).toBeVisible()
  await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await goTo(other, 'Order Label')
  const street = other.getByRole('textbox', { name: 'Street', exact: true }).first()
  await street.fill('100 Congress Ave')
  await impersonationBar(page).getByRole('button', { name: 'Return to admin' }).click()
  await expectOwnAccount(page)
  await expect(impersonationBar(other)).toBeHidden()
  await expect(street).toHaveValue('')
})

test('when it ends by itself no one is asked for the user’s password', async ({
  page,
  customer,
  admin,
}) => {
  await logInAs(page, customer)
  await goToQuietPage(page)
  const { api, token, user } = customer
  await api.call(endSessions, { params: { userId: user._id }, body: {} }, token)
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Orders', exact: true })
    .click()
  await expectToast(page, `You are no longer signed in as ${user.name}.`)
  await expectOwnAccount(page)
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeHidden()
  expect(await tokenIn(page)).toBe(admin.token)
})

test('when the administrator’s own session has ended as well, they sign in again', async ({
  page,
  customer,
  admin,
}) => {
  await logInAs(page, customer)
  await goToQuietPage(page)
  await customer.api.call(logout, {}, admin.token)
  await impersonationBar(page).getByRole('button', { name: 'Return to admin' }).click()
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await tokenIn(page)).toBeNull()
})

test('logging out inside ends both sessions', async ({ page, customer, admin }) => {
  await logInAs(page, customer)
  const short = await tokenIn(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect
    .poll(() => Promise.all([short, admin.token].map(token => statusOf(customer, token))))
    .toEqual([401, 401])
  expect(await page.evaluate(() => ({ ...localStorage }))).not.toHaveProperty(
    'evenpost.admin-token',
  )
})

test('a refusal of the server appears where the action started', async ({
  page,
  customer,
  admin,
}) => {
  await page.goto(`/admin/user-management?search=${customer.user.email}`)
  await page.getByRole('button', { name: 'More actions for Dana Cole' }).click()
  await intercept(page, '**/api/auth/login-as-user/**', route => route.abort())
  await page.getByRole('menuitem', { name: 'Log in as user' }).click()
  const question = page.getByRole('dialog', { name: 'Log in as Dana Cole?' })
  await question.getByRole('button', { name: 'Log in as user' }).click()
  await expect(question.getByText('Failed to login as user')).toBeVisible()
  expect(await tokenIn(page)).toBe(admin.token)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'More actions for Dana Cole' })).toBeFocused()
})

test('the bar is accessible and covers nothing, on every screen', async ({ page, customer }) => {
  const widths = [1440, 390]
  const { look, found } = createInspector(page, widths)
  await logInAs(page, customer)
  for (const route of ['/main/orders', '/main/order-label', '/main/bulk-order', '/']) {
    await page.goto(route)
    await expect(impersonationBar(page)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await look(route)
    for (const width of widths) {
      await resize(page, width)
      const below = async () => {
        const [head, over] = [
          await page.getByRole('banner').first().boundingBox(),
          await impersonationBar(page).boundingBox(),
        ]
        return head!.y - over!.y - over!.height
      }
      // The header is moved when the bar has told how high it is now.
      await expect.poll(below, `${route} at ${width} px`).toBeGreaterThanOrEqual(0)
    }
  }
  expect(found).toEqual([])
})
