import { expect } from '@playwright/test'
import type { Browser, Locator, Page } from '@playwright/test'
import { login, logout, setUserActivation } from '#contract/accounts.ts'
import { resetLinkIn, mailsTo } from '#tests/support/mail-outbox.ts'
import { clientFor, PASSWORD } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { test, visitorTest, saveSender } from './customer-fixture.ts'
import { ADMIN } from './global-setup.ts'
import { holdRequests } from './intercept.ts'
import { fill, goTo } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const NEW = 'a brand new passphrase'
const mails = (address: string) => mailsTo(process.env.JOURNEY_DATA!, address)
const sessionEndedDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Your session has ended. Please sign in again.' })

/** Goes to the account as one does: by the menu with one's letters. */
async function openAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await fill(page, { Email: email, Password: password })
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Goes to the orders, whose server then says what it says; a dialog that stands over the page already does not hinder it. */
const leaveForOrders = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Orders', exact: true })
    .dispatchEvent('click')

/**
 * Saves a form after its session was ended elsewhere. The page may have noticed the end already, so the dialog may
 * stand over the form and catch a real click.
 */
const saveAfterSessionEnd = (scope: Page | Locator, name: string | RegExp) =>
  scope.getByRole('button', { name }).dispatchEvent('click')

/** Chooses a part of the account page. */
const openPart = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('link', { name }).click()

/** Another device on which the same customer is signed in. */
async function otherDevice(browser: Browser, baseURL: string, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage()
  await page.goto('/login')
  await signIn(page, email, PASSWORD)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' }))
    .toBeVisible()
    // A report shows the first page of a journey alone.
    .catch(async (cause: unknown) => {
      const text = await page.locator('body').innerText()
      throw new Error(`After the sign-in, ${page.url()} shows: ${text}`, { cause })
    })
  return page
}

visitorTest(
  'who forgot the password gets a link by mail, sets a new one and signs in',
  async ({ page, baseURL }) => {
    const { user } = await clientFor(baseURL!).register('Dana Cole')
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByText('Email is required')).toBeVisible()
    await fill(page, { Email: user.email })
    await page.getByRole('button', { name: 'Send link' }).click()
    // Where the form was, screen readers and the keyboard go on.
    const answer = (text: string) => page.getByRole('status').filter({ hasText: text })
    await expect(answer('If this email has an account, a link is on its way.')).toBeFocused()

    await expect.poll(async () => (await mails(user.email)).length).toBe(1)
    const link = resetLinkIn((await mails(user.email))[0]!)
    expect(new URL(link).origin).toBe(baseURL)
    await page.goto(link)
    await expect(
      page.getByRole('heading', { level: 1, name: 'Choose a new password' }),
    ).toBeVisible()
    await expect(page, 'the token leaves the address').toHaveURL(/\/reset-password$/)
    await page.reload()
    await fill(page, { 'New Password': NEW, 'Confirm Password': 'something else' })
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText("Passwords don't match")).toBeVisible()
    await fill(page, { 'Confirm Password': NEW })
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(answer('Password changed. Sign in with your new password.')).toBeFocused()

    await page.getByRole('link', { name: 'Login' }).click()
    await signIn(page, user.email, PASSWORD)
    await expect(page.getByRole('alert')).toHaveText('Wrong email or password')
    await signIn(page, user.email, NEW)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

    await page.goto(link)
    await fill(page, { 'New Password': NEW, 'Confirm Password': NEW })
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(
      page.getByText('This link has been used or has expired. Request a new one.'),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await expect(
      page.getByRole('heading', { level: 1, name: 'Forgot your password?' }),
    ).toBeVisible()
  },
)

test('a customer changes name and password, and other devices are signed out', async ({
  page,
  customer,
  browser,
  baseURL,
}) => {
  const other = await otherDevice(browser, baseURL!, customer.user.email)
  await page.goto('/main/dashboard')
  await openAccount(page)
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAttribute('readonly')
  const saveName = page.getByRole('button', { name: 'Save', exact: true })
  await expect(saveName).toHaveAttribute('aria-disabled', 'true')
  await fill(page, { Name: '' })
  await saveName.click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await fill(page, { Name: 'Dana Maria Cole' })
  await saveName.click()
  await expectToast(page, 'Account updated successfully!')
  await expect(saveName).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Account updated successfully!')).toBeHidden()

  const password = page.getByRole('textbox', { name: 'New Password' })
  await expect(password).toBeHidden()
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('textbox', { name: 'Current Password' })).toBeFocused()
  await password.fill('a mistake')
  await page.getByRole('button', { name: 'Cancel the change of the password' }).click()
  await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(password).toHaveValue('')
  const savePassword = page.getByRole('button', { name: 'Save password' })
  await savePassword.click()
  await expect(page.getByText('New Password is required')).toBeVisible()
  await fill(page, { 'New Password': NEW })
  await savePassword.click()
  await expect(page.getByText('Current Password is required')).toBeVisible()
  await fill(page, { 'Current Password': 'not the passphrase' })
  await savePassword.click()
  await expect(page.getByText('This is not your current password')).toBeVisible()
  await fill(page, { 'Current Password': PASSWORD })
  await savePassword.click()
  await expectToast(page, 'Account updated successfully!')
  await expect(password).toBeHidden()
  await expect(
    page.getByRole('region', { name: 'Signed-in devices' }).getByRole('listitem'),
  ).toHaveCount(1)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByText('Dana Maria Cole')).toBeVisible()

  await leaveForOrders(other)
  await expect(sessionEndedDialog(other)).toBeVisible()
  await fill(sessionEndedDialog(other), { Password: NEW })
  await sessionEndedDialog(other).getByRole('button', { name: 'Login' }).click()
  await expect(sessionEndedDialog(other)).toBeHidden()
  await expect(other.getByText('No orders found')).toBeVisible()
})

test('a customer signs out one device, then all others, and stays signed in here', async ({
  page,
  customer,
  browser,
  baseURL,
}) => {
  const { email } = customer.user
  await customer.api.call(login, { body: { email, password: PASSWORD } })
  await page.goto('/main/account#security')
  const devices = page.getByRole('region', { name: 'Signed-in devices' })
  await devices.getByRole('listitem').getByRole('button', { name: 'Sign out' }).click()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(devices).toBeFocused()

  const other = await otherDevice(browser, baseURL!, email)
  await page.reload()
  await expect(devices.getByRole('listitem').first()).toContainText('This device')
  await devices.getByRole('button', { name: 'Sign out other devices' }).click()
  await expectToast(page, '1 device signed out')
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(devices.getByRole('button', { name: 'Sign out other devices' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await leaveForOrders(other)
  await expect(sessionEndedDialog(other)).toBeVisible()
  await goTo(page, 'Orders')
  await expect(sessionEndedDialog(page)).toBeHidden()
})

test('a signed-in customer is told so on the sign-in page, but nothing moves once they type', async ({
  page,
  customer,
}) => {
  const notice = page.getByText(`You are signed in as ${customer.user.name}.`)
  await page.goto('/login')
  await expect(notice).toBeVisible()

  const verified = await holdRequests(page, null, '**/api/auth/verify')
  await page.reload()
  await fill(page, { Email: customer.user.email, Password: PASSWORD })
  const button = page.getByRole('button', { name: 'Login', exact: true })
  const place = await button.boundingBox()
  const known = page.waitForResponse('**/api/auth/verify')
  verified.release()
  await (await known).finished()
  // Longer than the notice would take to appear.
  await page.waitForTimeout(300)
  expect(await button.boundingBox()).toEqual(place)
  await expect(notice).toBeHidden()
  await button.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('a session that ends while a customer types loses nothing, and their changes are saved after they sign in', async ({
  page,
  customer,
}) => {
  await page.goto('/main/account')
  await fill(page, { Name: 'Dana Typed This' })
  // Another part keeps what was typed.
  await openPart(page, 'Webhooks')
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeHidden()
  await openPart(page, 'Profile')
  await customer.api.call(logout, {}, customer.token)
  await saveAfterSessionEnd(page, 'Save')
  await expect(sessionEndedDialog(page).getByRole('textbox', { name: 'Password' })).toBeFocused()
  await page.keyboard.press('Escape')
  await sessionEndedDialog(page).getByRole('button', { name: 'Login' }).click()
  await expect(sessionEndedDialog(page).getByText('Password is required')).toBeVisible()
  await fill(sessionEndedDialog(page), { Password: 'not the passphrase' })
  await sessionEndedDialog(page).getByRole('button', { name: 'Login' }).click()
  await expect(sessionEndedDialog(page).getByRole('alert')).toHaveText('Wrong email or password')
  await fill(sessionEndedDialog(page), { Password: PASSWORD })
  await page.keyboard.press('Enter')
  await expectToast(page, 'Account updated successfully!')
  await expect(sessionEndedDialog(page)).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Dana Typed This')
})

test('Escape over an open form does not close it while sign-in is requested', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  await page.goto('/main/address')
  await page.getByRole('button', { name: 'Add Address' }).click()
  const form = page.getByRole('dialog', { name: 'Add Address' })
  await fill(form, {
    Name: 'Mason Trading',
    'Address ID': 'second',
    Street: '100 Congress Ave',
    City: 'Austin',
    Zip: '78701',
  })
  await form.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'TX · Texas' }).click()
  await customer.api.call(logout, {}, customer.token)
  await saveAfterSessionEnd(form, /^(Save|Add)/)
  await expect(sessionEndedDialog(page).getByRole('textbox', { name: 'Password' })).toBeFocused()
  await page.keyboard.press('Escape')
  await fill(sessionEndedDialog(page), { Password: PASSWORD })
  await page.keyboard.press('Enter')
  await expectToast(page, 'Address added successfully!')
})

test('two windows: signing in again in one lets the other continue', async ({
  page,
  context,
  customer,
}) => {
  await page.goto('/main/account')
  await fill(page, { Name: 'Half a na' })
  const other = await context.newPage()
  await other.goto('/main/dashboard')
  // The frame and its title are there while the token is still checked.
  await expect(other.getByRole('button', { name: 'Account menu' })).toBeVisible()
  await customer.api.call(logout, {}, customer.token)
  await leaveForOrders(other)
  await fill(sessionEndedDialog(other), { Password: PASSWORD })
  await sessionEndedDialog(other).getByRole('button', { name: 'Login' }).click()
  await expect(other.getByText('No orders found')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Account updated successfully!')
})

test('another user signs in as themselves', async ({ page, customer }) => {
  await page.goto('/main/dashboard')
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  const other = await customer.api.register('Otto Lindqvist')
  await customer.api.call(logout, {}, customer.token)
  await leaveForOrders(page)
  await sessionEndedDialog(page).getByRole('button', { name: 'Sign in as someone else' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome Back!' })).toBeVisible()
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await signIn(page, other.user.email, PASSWORD)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByText('Otto Lindqvist')).toBeVisible()
})

test('a user who is blocked while working is told so', async ({ page, customer, request }) => {
  await page.goto('/main/dashboard')
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
  const { token } = await (await request.post('/api/auth/login', { data: ADMIN })).json()
  await customer.api.call(
    setUserActivation,
    { params: { userId: customer.user._id }, body: { activation: 'block' } },
    token,
  )
  await leaveForOrders(page)
  await fill(sessionEndedDialog(page), { Password: PASSWORD })
  await sessionEndedDialog(page).getByRole('button', { name: 'Login' }).click()
  await expect(sessionEndedDialog(page).getByRole('alert')).toHaveText(
    'This account is blocked. Please contact support.',
  )
})

test('password reset, account and an ended session are accessible', async ({ page, customer }) => {
  const { look, found } = createInspector(page)
  await page.goto('/forgot-password')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await look('forgot')
  await page.goto('/reset-password')
  await expect(page.getByRole('alert')).toBeVisible()
  await look('a link that is not complete')
  await page.goto('/reset-password?token=none')
  await fill(page, { 'New Password': NEW, 'Confirm Password': NEW })
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await look('a dead link')
  await page.goto('/main/account')
  await page.getByRole('button', { name: 'Change password' }).click()
  await look('account')
  for (const [part, shown] of [
    ['Tracking pages', 'Sender shown to receivers'],
    ['API keys', 'No API keys yet'],
    ['Webhooks', 'No webhooks yet'],
  ] as const) {
    await openPart(page, part)
    await expect(page.getByText(shown)).toBeVisible()
    await look(part)
  }
  await openPart(page, 'Profile')
  await fill(page, { Name: 'Dana Typed This' })
  await customer.api.call(logout, {}, customer.token)
  await saveAfterSessionEnd(page, /^Save$/)
  await expect(sessionEndedDialog(page)).toBeVisible()
  await look('an ended session')
  expect(found).toEqual([])
})
