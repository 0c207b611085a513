/** Two-step sign-in, passkeys and the proof before powerful changes, in a browser. */
import { expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { logout } from '#contract/accounts.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { holdRequests } from './intercept.ts'
import { clickAndDownloadText, fill } from './page-helpers.ts'
import { expectToast } from './toasts.ts'
import {
  addAuthenticator,
  ageProof,
  beginApp,
  enterPassword,
  forgetUsedCodes,
  methods,
  onDashboard,
  pageOf,
  proofDialog,
  readApp,
  saveRecoveryCodes,
  signOut,
  siteTest,
  suggestPasskeys,
} from './two-step-site.ts'
import type { Site } from './two-step-site.ts'

const test = siteTest({ REQUIRE_PROOF: 'yes' })
// In order: one server for all.
test.describe.configure({ mode: 'default' })

test('a customer adds an authenticator app, saves the recovery codes and signs in with both', async ({
  site,
  browser,
}) => {
  const dana = await site.register('Dana Cole')
  const page = await pageOf(browser, site, dana, '/main/account#security')
  await expect(methods(page).getByText('Off', { exact: true })).toBeVisible()
  const { dialog, phone } = await beginApp(page)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('Code is required')).toBeVisible()
  await fill(dialog, { Code: phone.wrongCode() })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  // The next code: it counts for 60 seconds at least, and a process may stand still before it arrives.
  await fill(dialog, { Code: phone.code(1) })
  await dialog.getByRole('button', { name: 'Turn on' }).click()

  const codesDialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(codesDialog.getByRole('listitem')).toHaveCount(10)
  await page.keyboard.press('Escape')
  await expect(codesDialog.getByRole('button', { name: 'Done' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const download = codesDialog.getByRole('button', { name: 'Download .txt' })
  const { name, text } = await clickAndDownloadText(page, download)
  expect(name).toBe('evenpost-recovery-codes.txt')
  const codes = await saveRecoveryCodes(page)
  for (const code of codes) expect(text).toContain(code)
  await expect(methods(page).getByText('On', { exact: true })).toBeVisible()
  await expect(methods(page).getByRole('listitem')).toContainText('Authenticator app')
  await expect(methods(page).getByText('10 recovery codes left')).toBeVisible()

  await signOut(page)
  await enterPassword(page, dana.user.email)
  const code = page.getByRole('textbox', { name: 'Code' })
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await code.fill(phone.wrongCode())
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('This code is wrong or was used already.')).toBeVisible()
  await expect(code).toBeFocused()
  await forgetUsedCodes(site, dana)
  // As an app copies it.
  await code.fill(phone.code(1).replace(/^.../, '$& '))
  await page.keyboard.press('Enter')
  await onDashboard(page)

  await signOut(page)
  await enterPassword(page, dana.user.email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeFocused()
  await fill(page, { 'Recovery code': codes[0]!.toLowerCase() })
  await page.getByRole('button', { name: 'Verify' }).click()
  await onDashboard(page)
  await page.goto('/main/account#security')
  await expect(methods(page).getByText('9 recovery codes left')).toBeVisible()
  await page.context().close()
})

test('a second step that takes too long returns to the first, and a session that ended asks for both steps', async ({
  site,
  browser,
}) => {
  const june = await site.register('June Rivera')
  const page = await pageOf(browser, site, june, '/main/account#security')
  const { dialog, phone } = await beginApp(page)
  await fill(dialog, { Code: phone.code(1) })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = await saveRecoveryCodes(page)

  await signOut(page)
  await enterPassword(page, june.user.email)
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await site.runSql("update login_challenge set expires_at = now() - interval '1 second'")
  await fill(page, { Code: phone.code(1) })
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This sign-in has expired. Enter your email and password again.',
  )
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(june.user.email)
  await enterPassword(page, june.user.email)
  await page.getByRole('button', { name: 'Back to sign-in' }).click()
  await enterPassword(page, june.user.email)
  await forgetUsedCodes(site, june)
  await fill(page, { Code: phone.code(1) })
  await page.getByRole('button', { name: 'Verify' }).click()
  await onDashboard(page)

  await page.goto('/main/account')
  await fill(page, { Name: 'June Typed This' })
  const token = await page.evaluate(() => localStorage.getItem('evenpost.token'))
  await site.call(logout, {}, token!)
  // The page may know of the end already, and its dialog would catch a real click.
  await page.getByRole('button', { name: 'Save' }).dispatchEvent('click')
  const ended = page.getByRole('dialog', { name: 'Your session has ended.' })
  await fill(ended, { Password: PASSWORD })
  await page.keyboard.press('Enter')
  await expect(ended.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await ended.getByRole('button', { name: 'Use a recovery code' }).click()
  await fill(ended, { 'Recovery code': codes[1]! })
  await page.keyboard.press('Enter')
  await expectToast(page, 'Account updated successfully!')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('June Typed This')
  await page.context().close()
})

test('a passkey is added, is a second step, signs in alone, confirms a change and is removed', async ({
  site,
  browser,
}) => {
  const otto = await site.register('Otto Lindqvist')
  const page = await pageOf(browser, site, otto, '/login')
  await addAuthenticator(page)
  await page.goto('/main/account#security')
  await methods(page).getByRole('button', { name: 'Add a passkey' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  // As the list of devices calls this browser.
  const device = page.getByRole('region', { name: 'Signed-in devices' }).getByRole('listitem')
  const suggested = await adding.getByRole('textbox', { name: 'Name' }).inputValue()
  await expect(device).toContainText(suggested)
  await fill(adding, { Name: 'Work laptop' })
  await adding.getByRole('button', { name: 'Create passkey' }).click()
  await saveRecoveryCodes(page)
  const row = methods(page).getByRole('listitem').filter({ hasText: 'Work laptop' })
  await expect(row).toContainText('Synced')
  await expect(row).toContainText('Not used yet')
  await methods(page).getByRole('button', { name: 'Add a passkey' }).click()
  await adding.getByRole('button', { name: 'Create passkey' }).click()
  await expect(adding.getByRole('alert')).toHaveText(
    'This device already has a passkey for your account.',
  )
  await adding.getByRole('button', { name: 'Cancel' }).click()

  await signOut(page)
  await enterPassword(page, otto.user.email)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
  await page.keyboard.press('Enter')
  await onDashboard(page)
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await onDashboard(page)
  await suggestPasskeys(page)
  // The dashboard is also shown before the logout.
  const signedIn = page.waitForResponse('**/api/auth/passkey/login')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  // The user picks the suggestion of the email field.
  await signedIn
  await onDashboard(page)

  await page.goto('/main/account#security')
  await page.getByRole('button', { name: 'Actions for Work laptop' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await ageProof(site, otto)
  await fill(page.getByRole('dialog', { name: 'Rename this method' }), { Name: 'Old laptop' })
  await page.keyboard.press('Enter')
  await expect(proofDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(
    page.getByRole('dialog', { name: 'Rename this method' }).getByRole('alert'),
  ).toHaveText('Nothing was changed, because you didn’t confirm that it’s you.')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await proofDialog(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(row).toBeHidden()
  await expect(methods(page).getByText('Old laptop')).toBeVisible()

  // A name that is typed while another one is saved stays.
  await page.getByRole('button', { name: 'Actions for Old laptop' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename this method' })
  const saving = await holdRequests(page, 'PUT', '**/api/auth/factors/**')
  await fill(renaming, { Name: 'Old laptpo' })
  await page.keyboard.press('Enter')
  await saving.sent
  await fill(renaming, { Name: 'Oldest laptop' })
  saving.release()
  await expect(methods(page).getByText('Old laptpo')).toBeAttached()
  await expect(renaming.getByRole('textbox', { name: 'Name' })).toHaveValue('Oldest laptop')
  await renaming.getByRole('button', { name: 'Save' }).click()
  await expect(renaming).toBeHidden()

  await page.getByRole('button', { name: 'Actions for Oldest laptop' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const removing = page.getByRole('dialog', { name: 'Remove this method?' })
  await expect(removing).toContainText('It’s your only method.')
  await removing.getByRole('button', { name: 'Remove' }).click()
  await expect(methods(page).getByText('Off', { exact: true })).toBeVisible()
  await signOut(page)
  await expect(page.getByRole('alert')).toHaveText('Unknown passkey. Sign in another way.')
  await enterPassword(page, otto.user.email)
  await onDashboard(page)
  await page.context().close()
})

/** A new customer on the Account page, with a passkey of this browser and a recovery code. */
async function withPasskey(site: Site, browser: Browser, name: string) {
  const user = await site.register(name)
  const page = await pageOf(browser, site, user, '/login')
  await addAuthenticator(page)
  await page.goto('/main/account#security')
  await methods(page).getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Create passkey' }).click()
  const [code] = await saveRecoveryCodes(page)
  return { user, page, code: code! }
}

test('a customer whose passkey is of an earlier address confirms a change by a recovery code', async ({
  site,
  browser,
}) => {
  const { user: rosa, page, code } = await withPasskey(site, browser, 'Rosa Marin')
  await site.runSql("update second_factor set host = 'old.example.com' where user_id = $1", [
    rosa.user._id,
  ])
  await ageProof(site, rosa)
  await methods(page).getByRole('button', { name: 'Add an authenticator app' }).click()
  await proofDialog(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(proofDialog(page).getByRole('alert')).toHaveText(
    'None of your passkeys works at this web address. Use another way.',
  )
  await proveByRecoveryCode(page, code)
  await expect(page.getByRole('dialog', { name: 'Add an authenticator app' })).toBeVisible()
  await page.goBack()
  await page.context().close()
})

/** A customer with a passkey is asked for a proof in a tab; a second tab is open. */
async function beginChange(site: Site, browser: Browser, name: string) {
  const { user, page, code } = await withPasskey(site, browser, name)
  await ageProof(site, user)
  await methods(page).getByRole('button', { name: 'Add an authenticator app' }).click()
  await expect(proofDialog(page).getByRole('button', { name: 'Use a recovery code' })).toBeVisible()
  const second = await page.context().newPage()
  await second.goto('/main/account#security')
  return { page, second, code }
}

async function proveByRecoveryCode(page: Page, code: string): Promise<void> {
  await proofDialog(page).getByRole('button', { name: 'Use a recovery code' }).click()
  await fill(proofDialog(page), { 'Recovery code': code })
  await proofDialog(page).getByRole('button', { name: 'Confirm' }).click()
}

test('a wrong recovery code is told, also once another tab has added an authenticator app', async ({
  site,
  browser,
}) => {
  const { page, second, code } = await beginChange(site, browser, 'Olga Brandt')
  await methods(second).getByRole('button', { name: 'Add an authenticator app' }).click()
  await proveByRecoveryCode(second, code)
  const { dialog, phone } = await readApp(second)
  await fill(dialog, { Code: phone.code(1) })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog).toBeHidden()

  await proveByRecoveryCode(page, code)
  const field = proofDialog(page).getByRole('textbox', { name: 'Recovery code' })
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await page.context().close()
})

test('once the last passkey is removed in another tab, the password confirms a change, and no recovery code is left', async ({
  site,
  browser,
}) => {
  const { page, second, code } = await beginChange(site, browser, 'Ines Duarte')
  // A page that is open for long asks for the methods again by itself.
  const { release } = await holdRequests(page, 'GET', '**/api/auth/factors/*')
  await methods(second)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await second.getByRole('menuitem', { name: 'Remove' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await proveByRecoveryCode(second, code)
  await expect(methods(second).getByText('Off', { exact: true })).toBeVisible()

  await proofDialog(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(proofDialog(page).getByRole('textbox', { name: 'Password' })).toBeFocused()
  await expect(proofDialog(page).getByRole('button', { name: 'Use a recovery code' })).toBeHidden()
  await fill(proofDialog(page), { Password: PASSWORD })
  await page.keyboard.press('Enter')
  const adding = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(adding).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(adding).toBeHidden()
  await methods(page).getByRole('button', { name: 'Create new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  release()
  await expect(methods(page).getByText('Off', { exact: true })).toBeVisible()
  await expect(methods(page).getByText(/recovery codes? left/)).toBeHidden()
  await page.context().close()
})

test('without a second factor, a change is confirmed by the password, once for all that wait', async ({
  site,
  browser,
}) => {
  const { user, token } = await site.register('Hana Okafor')
  const page = await pageOf(browser, site, { user, token }, '/main/account#security')
  await expect(methods(page).getByText('Off', { exact: true })).toBeVisible()
  await ageProof(site, { user, token })
  const opener = methods(page).getByRole('button', { name: 'Add an authenticator app' })
  await opener.click()
  await expect(proofDialog(page).getByRole('textbox', { name: 'Password' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Nothing was changed, because you didn’t confirm')).toBeVisible()
  await expect(opener).toBeFocused()
  await opener.click()
  await fill(proofDialog(page), { Password: 'not the passphrase' })
  await page.keyboard.press('Enter')
  await expect(proofDialog(page).getByText('This is not your current password')).toBeVisible()
  await fill(proofDialog(page), { Password: PASSWORD })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add an authenticator app' })).toBeVisible()
  await page.goBack()
  await page.context().close()
})

test('a site opened by its IP address says why it has no passkeys', async ({ site, browser }) => {
  const dana = await site.register('Dana Cole')
  const page = await pageOf(browser, { ...site, pages: site.url }, dana, '/main/account#security')
  await expect(methods(page).getByRole('button', { name: 'Add a passkey' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await expect(methods(page).getByRole('status')).toContainText('IP address')
  await signOut(page)
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden()
  await page.context().close()
})

test('two-step sign-in is accessible at every step', async ({ site, browser }) => {
  const lena = await site.register('Lena Fischer')
  const page = await pageOf(browser, site, lena, '/main/account#security')
  const { look, found } = createInspector(page, [1440, 320])
  const { dialog, phone } = await beginApp(page)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await look('a new authenticator app')
  await fill(dialog, { Code: phone.code(1) })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible()
  await look('recovery codes')
  await saveRecoveryCodes(page)
  await expect(methods(page).getByText('10 recovery codes left')).toBeVisible()
  await look('factors')
  await ageProof(site, lena)
  await methods(page).getByRole('button', { name: 'Add a passkey' }).click()
  await look('a new passkey')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await expect(proofDialog(page)).toBeVisible()
  await look('a proof')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await signOut(page)
  await look('sign-in')
  await enterPassword(page, lena.user.email)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('Code is required')).toBeVisible()
  await look('second step')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await look('second step by recovery code')
  expect(found).toEqual([])
  await page.context().close()
})
