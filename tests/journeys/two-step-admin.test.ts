/** Where every user needs a second factor: setting it up, proofs of administrators, and the second administrator. */
import { expect } from '@playwright/test'
import { setUserRole } from '#contract/accounts.ts'
import { beginTotp, confirmTotp } from '#contract/second-factor.ts'
import { authenticatorApp } from '#tests/support/authenticator.ts'
import type { AuthenticatorApp } from '#tests/support/authenticator.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { find, saving, users } from './admin-users-page.ts'
import { expectRows, fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'
import {
  ageProof,
  ageRoles,
  beginApp,
  enterPassword,
  forgetUsedCodes,
  pageOf,
  proofDialog,
  saveRecoveryCodes,
  siteTest,
} from './two-step-site.ts'
import type { Site } from './two-step-site.ts'

type Administrator = SignedInUser & { phone: AuthenticatorApp }

async function withApp(site: Site, { user, token }: SignedInUser): Promise<Administrator> {
  const params = { userId: user._id }
  const { body } = await site.call(beginTotp, { params }, token)
  const phone = authenticatorApp(body.secret)
  // The next code: it counts for 60 seconds at least, and a process may stand still before it arrives.
  const { status } = await site.call(confirmTotp, { params, body: { code: phone.code(1) } }, token)
  expect(status).toBe(200)
  return { user, token, phone }
}

const test = siteTest({
  REQUIRE_TWO_FACTOR: 'all',
  REQUIRE_PROOF: 'yes',
  ADJUSTMENT_DAILY_LIMIT: '100',
}).extend<object, { chief: Administrator; deputy: Administrator }>({
  chief: [
    async ({ site }, give) => give(await withApp(site, await site.admin())),
    { scope: 'worker' },
  ],
  deputy: [
    async ({ site, chief }, give) => {
      const deputy = await withApp(site, await site.register('Bea Lund'))
      const { status } = await site.call(
        setUserRole,
        { params: { userId: deputy.user._id }, body: { user_role: 'admin' } },
        chief.token,
      )
      expect(status).toBe(200)
      await ageRoles(site)
      await give(deputy)
    },
    { scope: 'worker' },
  ],
})
// In order: one server for all.
test.describe.configure({ mode: 'default' })

test('a site that requires two-step sign-in leads there first, and then to where the customer was going', async ({
  page,
  site,
}) => {
  const dana = await site.register('Dana Cole')
  await page.goto('/main/orders')
  await enterPassword(page, dana.user.email)
  const title = page.getByRole('heading', { level: 1, name: 'Secure your account' })
  await expect(title).toBeVisible()
  await expect(page.getByText('This site requires two-step sign-in.')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Help', 'Logout'])
  await page.keyboard.press('Escape')
  await page.goto('/main/wallet')
  await expect(title).toBeVisible()
  const { look, found } = createInspector(page, [1440, 320])
  await look('set-up')
  expect(found).toEqual([])

  const { dialog, phone } = await beginApp(page)
  await fill(dialog, { Code: phone.code(1) })
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await saveRecoveryCodes(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet statement' })).toBeVisible()
  await page.goto('/main/two-step')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('an administrator confirms that it is them before money moves, and loses nothing they typed', async ({
  site,
  browser,
  chief,
}) => {
  const june = await site.register('June Rivera')
  const page = await pageOf(browser, site, chief, '/admin/user-management')
  const row = await find(page, june.user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await fill(row, { Balance: '5', Reason: 'Goodwill' })
  await ageProof(site, chief)
  await row.getByRole('button', { name: 'Save' }).click()
  const save = saving(page).getByRole('button', { name: 'Save changes' })
  await save.click()
  const code = proofDialog(page).getByRole('textbox', { name: 'Code' })
  await expect(code).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(proofDialog(page)).toBeHidden()
  await expect(
    page.getByText('Nothing was changed, because you didn’t confirm that it’s you.'),
  ).toBeVisible()
  await expect(row.getByRole('textbox', { name: 'Balance' })).toHaveValue('5')
  await expect(row.getByRole('textbox', { name: 'Reason' })).toHaveValue('Goodwill')

  await row.getByRole('button', { name: 'Save' }).click()
  await save.click()
  await code.fill(chief.phone.wrongCode())
  await page.keyboard.press('Enter')
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await forgetUsedCodes(site, chief)
  await code.fill(chief.phone.code(1))
  await page.keyboard.press('Enter')
  await expectToast(page, 'User details updated successfully!')
  await expectRows(users(page), [{ Balance: '$5.00' }])
  await expect(row.getByRole('button', { name: 'Edit' })).toBeFocused()
  await page.context().close()
})

test('an adjustment beyond the daily limit waits for a second administrator, and can be withdrawn', async ({
  site,
  browser,
  chief,
  deputy,
}) => {
  const otto = await site.register('Otto Lindqvist')
  await ageProof(site, deputy)
  const page = await pageOf(browser, site, chief, '/admin/user-management')
  const own = await find(page, chief.user.email)
  await own.getByRole('button', { name: 'Edit' }).click()
  await expect(own.getByRole('textbox', { name: 'Balance' })).toBeDisabled()
  await expect(own.getByRole('textbox', { name: 'Balance' })).toHaveAttribute(
    'title',
    'You can’t adjust your own balance. Another administrator can.',
  )
  await own.getByRole('button', { name: 'Cancel' }).click()

  const adjust = async (balance: string, reason: string) => {
    const row = await find(page, otto.user.email)
    await row.getByRole('button', { name: 'Edit' }).click()
    await fill(row, { Balance: balance, Reason: reason })
    await row.getByRole('button', { name: 'Save' }).click()
    await saving(page).getByRole('button', { name: 'Save changes' }).click()
    await expect(saving(page)).toBeHidden()
    await expectToast(page, /second administrator|another administrator/)
  }
  await adjust('500', 'Wire of October')
  await expectRows(users(page), [{ Balance: '$0.00' }])
  await page.goto('/admin/dashboard')
  const work = listRegion(page, 'Needs your attention')
  await expect(work.getByText('Waiting for another administrator')).toBeVisible()
  await expect(work.getByRole('button', { name: /^Confirm/ })).toHaveCount(0)

  const other = await pageOf(browser, site, deputy, '/admin/dashboard')
  const tasks = listRegion(other, 'Needs your attention')
  await expect(tasks.getByText('$0.00 → $500.00 (+$500.00)')).toBeVisible()
  await expect(tasks.getByText(/^Requested by .*: Wire of October$/)).toBeVisible()
  const { look, found } = createInspector(other, [1440, 320])
  await look('an adjustment that waits')
  const edited = await find(other, otto.user.email)
  await edited.getByRole('button', { name: 'Edit' }).click()
  const waits = /^\+\$500\.00, requested by .* is already waiting for a second administrator/
  await expect(edited.getByText(waits)).toBeVisible()
  await edited.getByRole('link', { name: 'Open the dashboard' }).click()
  expect(found).toEqual([])
  await tasks.getByRole('button', { name: 'Confirm: +$500.00 for Otto Lindqvist' }).click()
  const asking = other.getByRole('dialog', { name: 'Confirm this adjustment?' })
  await asking.getByRole('button', { name: 'Confirm' }).click()
  await forgetUsedCodes(site, deputy)
  await fill(proofDialog(other), { Code: deputy.phone.code(1) })
  await other.keyboard.press('Enter')
  await expect(asking).toBeHidden()
  await expect(tasks.getByText('All clear')).toBeVisible()
  await find(page, otto.user.email)
  await expectRows(users(page), [{ Balance: '$500.00' }])

  await adjust('0', 'Wrong customer')
  await other.reload()
  await tasks.getByRole('button', { name: 'Decline: −$500.00 for Otto Lindqvist' }).click()
  const declining = other.getByRole('dialog', { name: 'Decline this adjustment?' })
  await fill(declining, { Reason: 'It was the right one' })
  await declining.getByRole('button', { name: 'Decline' }).click()
  await expect(tasks.getByText('All clear')).toBeVisible()
  await find(page, otto.user.email)
  await expectRows(users(page), [{ Balance: '$500.00' }])

  await adjust('900', 'Typed wrong')
  await page.goto('/admin/dashboard')
  const withdraw = work.getByRole('button', { name: 'Withdraw: +$400.00 for Otto Lindqvist' })
  await expect(withdraw).toBeVisible()
  const asker = createInspector(page, [1440, 390])
  await asker.look('a request of one’s own')
  expect(asker.found).toEqual([])
  await withdraw.click()
  const withdrawing = page.getByRole('dialog', { name: 'Withdraw this request?' })
  await withdrawing.getByRole('button', { name: 'Withdraw' }).click()
  await expectToast(page, 'The change was withdrawn. The balance stays the same.')
  await expect(work.getByText('All clear')).toBeVisible()
  await page.context().close()
  await other.context().close()
})
