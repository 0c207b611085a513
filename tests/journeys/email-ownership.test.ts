import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { linkIn, mailsTo, verifyLinksTo } from '#tests/support/mail-outbox.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { test } from './admin-fixture.ts'
import { find, openMenu } from './admin-users-page.ts'
import { test as customerTest } from './customer-fixture.ts'
import { holdRequests } from './intercept.ts'
import { fill } from './page-helpers.ts'
import { expectToast } from './toasts.ts'
import { onDashboard, pageOf, siteTest } from './two-step-site.ts'

const mailedTo = async (address: string, data = process.env.JOURNEY_DATA!) => {
  await expect.poll(async () => (await mailsTo(data, address)).length).toBeGreaterThan(0)
  return (await mailsTo(data, address)).at(-1)!
}
async function lookAt(page: Page, place: string): Promise<void> {
  const { look, found } = createInspector(page)
  await look(place)
  expect(found).toEqual([])
}
const verifyButton = (page: Page) => page.getByRole('button', { name: 'Verify email address' })

customerTest(
  'a customer changes the address by a link in the new mailbox, and the old mailbox can undo it',
  async ({ page, customer }) => {
    const fresh = `fresh-${customer.user._id}@example.com`
    await expect
      .poll(() => verifyLinksTo(process.env.JOURNEY_DATA!, customer.user.email))
      .toHaveLength(1)
    const [verify] = await verifyLinksTo(process.env.JOURNEY_DATA!, customer.user.email)
    await page.goto('/main/account')
    await expect(page.getByText('We sent you a link to verify it.')).toBeVisible()
    await page.goto('/verify-email')
    await expect(page.getByText('This link is incomplete.')).toBeVisible()
    // In the same document, as when the rest of the link is pasted.
    await page.goto(verify!)
    await expect(page, 'the token leaves the address').toHaveURL(/\/verify-email$/)
    await verifyButton(page).click()
    await expect(page.getByText('Your email address is verified.')).toBeVisible()
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
    await expect(page.getByText('Verify your email address.')).toBeHidden()

    await page.getByRole('button', { name: 'Change email' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change your email' })
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await expect(dialog.getByText('New Email is required')).toBeVisible()
    await dialog.getByLabel('New Email').fill(fresh)
    await dialog.getByLabel('Current Password').fill('not the passphrase')
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await expect(dialog.getByText('This is not your current password')).toBeVisible()
    await lookAt(page, 'Change email')
    await dialog.getByLabel('Current Password').fill(PASSWORD)
    // A slip that is corrected while the link to the wrong address is sent.
    const asking = await holdRequests(page, 'POST', '**/api/auth/email/*')
    await dialog.getByLabel('New Email').fill(`slip-${fresh}`)
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await asking.sent
    await dialog.getByLabel('New Email').fill(fresh)
    asking.release()
    await expect(page.getByText(`We sent a link to slip-${fresh}.`)).toBeAttached()
    await expect(dialog.getByLabel('New Email')).toHaveValue(fresh)
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(`We sent a link to ${fresh}.`)).toBeVisible()

    await page.goto(linkIn(await mailedTo(fresh)))
    await verifyButton(page).click()
    await expect(page.getByText('Your email address is changed.')).toBeVisible()
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(fresh)

    await expect
      .poll(async () => (await mailedTo(customer.user.email)).subject)
      .toContain('was changed')
    await page.goto(linkIn(await mailedTo(customer.user.email)))
    await page.getByRole('button', { name: 'Secure my account' }).click()
    await expect(page.getByText('all devices are signed out')).toBeVisible()
    await page.getByRole('link', { name: 'Go to the login page' }).click()
    await fill(page, { Email: customer.user.email, Password: PASSWORD })
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText('Wrong email or password')
  },
)

const strictTest = siteTest({ REQUIRE_VERIFIED_EMAIL: 'yes' })

strictTest(
  'where addresses must be verified, Deposit says so and opens once the link was clicked',
  async ({ site, browser }) => {
    const customer = await site.register('Dana Cole')
    const page = await pageOf(browser, site, customer, '/main/deposit')
    await expect(page.getByText('Verify your email address to add money.')).toBeVisible()
    const pay = page.getByRole('button', { name: 'Pay with Bitcoin' })
    await expect(pay).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: 'Resend email' }).click()
    await expect(
      page.getByText('The link is on its way. Check your spam folder too.'),
    ).toBeVisible()
    await lookAt(page, 'Deposit without a verified address')
    await page.getByRole('link', { name: 'Change your email' }).click()
    await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible()

    await expect.poll(() => verifyLinksTo(site.folder, customer.user.email)).toHaveLength(2)
    const [link] = await verifyLinksTo(site.folder, customer.user.email)
    await page.goto(link!)
    await verifyButton(page).click()
    await expect(page.getByText('Your email address is verified.')).toBeVisible()
    await page.goto('/main/deposit')
    await expect(pay).not.toHaveAttribute('aria-disabled', 'true')
  },
)

test('an administrator invites a user, who chooses a password and signs in', async ({
  page,
  admin,
  browser,
  baseURL,
}) => {
  const address = `invited-${Date.now()}@example.com`
  await page.goto('/admin/user-management')
  await page.getByRole('button', { name: 'Invite user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a user' })
  await dialog.getByLabel('Name').fill('Ivy Lane')
  await dialog.getByLabel('Email').fill(admin.user.email)
  await dialog.getByLabel('Role').selectOption('Friend')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(dialog.getByText('An account with this email already exists')).toBeVisible()
  await lookAt(page, 'Invite a user')
  await dialog.getByLabel('Email').fill(address)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expectToast(page, 'Invitation sent. It is valid for 3 days.')
  await expect(await find(page, address)).toContainText('Invited')

  const corrected = `right-${address}`
  await openMenu(page, 'Ivy Lane', 'Correct email')
  const correct = page.getByRole('dialog', { name: 'Correct email' })
  await correct.getByLabel('New Email').fill(corrected)
  await correct.getByRole('button', { name: 'Correct email' }).click()
  await expect(correct.getByText('Reason is required')).toBeVisible()
  await correct.getByLabel('Reason').fill('Mistyped')
  await correct.getByRole('button', { name: 'Correct email' }).click()
  await expect(correct).toBeHidden()

  const guest = await (await browser.newContext({ baseURL: baseURL! })).newPage()
  await guest.goto(linkIn(await mailedTo(corrected)))
  await expect(guest.getByRole('heading', { level: 1, name: 'Choose a password' })).toBeVisible()
  await expect(guest).toHaveURL(/\/reset-password$/)
  await fill(guest, { Password: PASSWORD, 'Confirm Password': PASSWORD })
  await guest.getByRole('button', { name: 'Create password' }).click()
  await expect(guest.getByText('Your account is ready.')).toBeVisible()
  await guest.getByRole('link', { name: 'Login' }).click()
  await fill(guest, { Email: corrected, Password: PASSWORD })
  await guest.getByRole('button', { name: 'Login', exact: true }).click()
  await onDashboard(guest)

  await expect(await find(page, corrected)).toContainText('Allowed')
  await openMenu(page, 'Ivy Lane', 'Send reset link')
  await page.getByRole('dialog').getByRole('button', { name: 'Send link' }).click()
  await expectToast(page, 'A link to choose a new password is on its way to the user.')
})
