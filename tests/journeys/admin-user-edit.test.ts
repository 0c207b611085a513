import { expect } from '@playwright/test'
import { verifySession } from '#contract/accounts.ts'
import { statement } from '#contract/ledger.ts'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { test } from './admin-fixture.ts'
import { discard, discarding, find, openMenu, saving, USERS, users } from './admin-users-page.ts'
import { expectRows, fetchLinkedFile, fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 20 })

test('role, balance and code of a user are changed after confirmation, and the statement says why', async ({
  page,
  customer,
}) => {
  const code = `DANA-${customer.user._id}`
  const row = await find(page, customer.user.email)
  const lastHead = users(page).getByRole('columnheader', { name: 'Joined' })
  const place = await lastHead.boundingBox()
  await row.getByRole('button', { name: 'Edit' }).click()
  await expect(row.getByRole('combobox', { name: 'Role' })).toBeFocused()
  await row.getByRole('combobox', { name: 'Role' }).selectOption('Friend')
  await fill(row, { Balance: '25.5', 'Referral code': '' })
  await row.getByRole('button', { name: 'Save' }).click()
  const room = async () => {
    const hint = (await row.getByText('Shown on the wallet statement.').boundingBox())!
    const fault = (await row.getByText('Referral code is required').boundingBox())!
    return fault.x - hint.x - hint.width
  }
  await expect.poll(room, 'the hint ends before the error beside it').toBeGreaterThan(0)
  await fill(row, { 'Referral code': code.toLowerCase() })
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(row.getByText('Reason is required')).toBeVisible()
  await expect(row.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await expect.poll(() => lastHead.boundingBox()).toEqual(place)
  await fill(row, { Reason: 'Goodwill for a late label' })
  await row.getByRole('button', { name: 'Save' }).click()

  const question = saving(page)
  await expect(question.getByText('User → Friend')).toBeVisible()
  await expect(question.getByText('$20.00 → $25.50 (+$5.50)')).toBeVisible()
  await expect(question.getByText('Goodwill for a late label')).toBeVisible()
  await expect(question.getByText(`${customer.user.referralCode} → ${code}`)).toBeVisible()
  await question.getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'User details updated successfully!')
  await expectRows(users(page), [
    { Role: 'Friend', Balance: '$25.50', 'Referral code': code, Status: 'Allowed' },
  ])
  await expect(row.getByRole('button', { name: 'Edit' })).toBeFocused()

  await openMenu(page, 'Dana Cole', 'Wallet statement')
  await expect(page.getByRole('heading', { name: 'Wallet of Dana Cole' })).toBeVisible()
  await expectRows(listRegion(page, 'Transactions'), [
    {
      Description: 'Adjustment by support Goodwill for a late label',
      Amount: '+$5.50',
      Balance: '$25.50',
    },
    { Description: 'Deposit', Amount: '+$20.00', Balance: '$20.00' },
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
  await expectToast(page, 'Failed to update user details.')
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

test('a new code that was refused first does not undo what the user bought meanwhile', async ({
  page,
  customer,
}) => {
  const { api, token, user } = customer
  const other = await api.register('June Rivera')
  const row = await find(page, user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await fill(row, { 'Referral code': other.user.referralCode })
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  const { body } = await api.call(verifySession, {}, token)
  const left = body.user.balance.toFixed(2)
  await row.getByRole('button', { name: 'Save' }).click()
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(row.getByText('This referral code is taken')).toBeVisible()
  await expect(row.getByRole('textbox', { name: 'Balance' })).toHaveValue(left)

  const code = `DANA-${user._id}`
  await fill(row, { 'Referral code': code })
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(saving(page).getByRole('definition')).toHaveText([`${user.referralCode} → ${code}`])
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expectRows(users(page), [{ Balance: `$${left}`, 'Referral code': code }])
})

test('saved and unsaved changes are distinguished', async ({ page, customer }) => {
  const other = await customer.api.register('June Rivera')
  const row = await find(page, customer.user.email)
  await row.getByRole('button', { name: 'Edit' }).click()
  await row.getByRole('combobox', { name: 'Role' }).selectOption('Friend')
  await fill(row, { 'Referral code': other.user.referralCode })
  await row.getByRole('button', { name: 'Save' }).click()
  await saving(page).getByRole('button', { name: 'Save changes' }).click()
  await expectToast(page, 'Failed to update user details.')
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
