/** Dialogs whose save is answered late. */
import { expect } from '@playwright/test'
import { createWebhook } from '#contract/webhooks.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { test } from './customer-fixture.ts'
import { holdRequests } from './intercept.ts'
import { fill } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const URLS = { old: 'https://hooks.example.com/old', next: 'https://hooks.example.com/next' }

test('the late answer about one webhook closes no dialog of another', async ({
  page,
  customer: { api, user, token },
}) => {
  const params = { userId: user._id }
  await api.call(createWebhook, { params, body: { url: URLS.old, types: ['label.bought'] } }, token)
  await page.clock.install()
  await page.goto('/main/account#webhooks')
  const section = page.getByRole('region', { name: 'Webhooks' })
  const held = await holdRequests(page, null, '**/api/webhooks/*/*')
  await section.getByRole('button', { name: `Actions of ${URLS.old}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit webhook' })
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await edited.getByRole('button', { name: 'Save' }).click()
  const cancel = edited.getByRole('button', { name: 'Cancel' })
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await expect(edited).toBeVisible()
  await page.clock.runFor(10_000)
  await cancel.click()
  await page.clock.resume()
  await expect(edited).toBeHidden()

  await section.getByRole('button', { name: 'Add webhook' }).click()
  const added = page.getByRole('dialog', { name: 'Add a webhook' })
  await fill(added, { URL: URLS.next })
  held.release()
  await expectToast(page, 'Webhook saved')
  await expect(added.getByRole('textbox', { name: 'URL' })).toHaveValue(URLS.next)
})

test('the secret of a webhook whose answer came late is shown over the next dialog', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/main/account#webhooks')
  const section = page.getByRole('region', { name: 'Webhooks' })
  const held = await holdRequests(page, 'POST', '**/api/webhooks/*')
  await section.getByRole('button', { name: 'Add webhook' }).click()
  const added = page.getByRole('dialog', { name: 'Add a webhook' })
  await fill(added, { URL: URLS.old })
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await added.getByRole('button', { name: 'Add webhook' }).click()
  const cancel = added.getByRole('button', { name: 'Cancel' })
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await page.clock.runFor(10_000)
  await cancel.click()
  await page.clock.resume()
  await expect(added).toBeHidden()

  await section.getByRole('button', { name: 'Add webhook' }).click()
  await fill(added, { URL: URLS.next })
  held.release()
  const shown = page.getByRole('dialog', { name: 'Copy the secret' })
  await expect(shown.getByLabel('Secret', { exact: true })).toHaveValue(/^whsec_/)
  await shown.getByLabel('I have saved this secret').check()
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(added.getByRole('textbox', { name: 'URL' })).toHaveValue(URLS.next)
})

test('the late answer about a new password closes no form that was opened since', async ({
  page,
}) => {
  await page.goto('/main/account')
  const { sent, release } = await holdRequests(page, 'PUT', '**/api/auth/account/*')
  const open = page.getByRole('button', { name: 'Change password', exact: true })
  const current = page.getByLabel('Current Password')
  await open.click()
  await current.fill(PASSWORD)
  await page.getByLabel('New Password').fill('another long passphrase')
  await page.getByRole('button', { name: 'Save password' }).click()
  await sent
  await page.getByRole('button', { name: 'Cancel the change of the password' }).click()
  await open.click()
  await current.fill('typed again')
  release()
  await expectToast(page, 'Account updated successfully!')
  await expect(current).toHaveValue('typed again')
})

test('an authenticator app whose set-up comes late opens no dialog over the one that is being filled in', async ({
  page,
}) => {
  await page.goto('/main/account')
  const { sent, release } = await holdRequests(page, 'POST', '**/api/auth/factors/*/totp')
  const add = page.getByRole('button', { name: 'Add an authenticator app', includeHidden: true })
  await add.click()
  await sent
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog')
  await fill(dialog, { 'New Email': 'dana@example.com' })
  release()
  await expectToast(page, /^The authenticator app was not set up/)
  await expect(add).not.toHaveAttribute('aria-busy')
  await expect(dialog).toHaveCount(1)
  await expect(dialog.getByRole('textbox', { name: 'New Email' })).toHaveValue('dana@example.com')
})
