import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { login, register, setUserRole } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import { addSkus, listSkus } from '#contract/skus.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import { createInspector, axeViolations } from './accessibility-checks.ts'
import { progressDialog } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { ADMIN } from './global-setup.ts'
import {
  clickAndDownloadText,
  expectRows,
  fill,
  goTo,
  listRegion,
  rowsOf,
  watchFor,
} from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const HEAD = 'sku,maxQty,weight,length,width,height,description'
const GOOD = [HEAD, 'MUG-1,4,1.5,8,6,4,Enamel mug', 'CUP-2,6,0.8,5,5,5,"Cup, blue"', ''].join(
  '\r\n',
)
const MEASURES = {
  'Max Quantity': '4',
  'Weight (lb)': '1.5',
  'Length (in)': '8',
  'Width (in)': '6',
  'Height (in)': '4',
}

const skus = (page: Page) => listRegion(page, 'SKU Data Management')

/** Chooses a file as one does: by the button. */
async function upload(page: Page, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload CSV File' }).click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** Records S01, S02 … */
async function stock({ api, user, token }: Customer, count: number): Promise<void> {
  const parsedData = Array.from({ length: count }, (_, n) => ({
    sku: `S${String(n + 1).padStart(2, '0')}`,
    maxQty: 1,
    weight: 1,
    length: 2,
    width: 3,
    height: 4,
    description: '',
  }))
  await api.call(addSkus, { params: { userId: user._id }, body: { parsedData } }, token)
}

/** The administrator makes the customer a friend, who has invites. */
async function befriend({ api, user }: Customer): Promise<void> {
  const { token } = (await api.call(login, { body: ADMIN })).body as SignedIn
  await api.call(
    setUserRole,
    { params: { userId: user._id }, body: { user_role: 'friend' } },
    token,
  )
}

test('a SKU is added, found on its page, changed in its row and deleted', async ({
  page,
  customer,
}) => {
  await stock(customer, 6)
  await page.goto('/main/dashboard')
  await goTo(page, 'SKU Management')
  await expect(page).toHaveTitle('SKU Management · Evenpost')
  await expect(skus(page).getByRole('row')).toHaveCount(1 + 5)

  await page.getByRole('button', { name: 'Add New SKU' }).click()
  const form = page.getByRole('dialog', { name: 'Add New SKU' })
  await form.getByRole('button', { name: 'Add New SKU' }).click()
  for (const text of [
    'SKU is required',
    'Max Quantity must be greater than 0',
    'Weight must be greater than 0',
    'Length must be greater than 0',
    'Width must be greater than 0',
    'Height must be greater than 0',
  ]) {
    await expect(form.getByText(text)).toBeVisible()
  }
  await expect(form.getByRole('textbox', { name: 'SKU' })).toBeFocused()
  await fill(form, { SKU: 'S01', ...MEASURES })
  await form.getByRole('button', { name: 'Add New SKU' }).click()
  await expect(form.getByText('This SKU already exists')).toBeVisible()
  await fill(form, { SKU: 'T-MUG', Description: 'Enamel mug' })
  await form.getByRole('textbox', { name: 'Weight (lb)' }).press('ArrowUp')
  await form.getByRole('button', { name: 'Add New SKU' }).click()
  await expectToast(page, 'New SKU Data Added')
  await expect(form).toBeHidden()
  await expectRows(skus(page), [
    { SKU: 'S06' },
    { ...MEASURES, SKU: 'T-MUG', 'Weight (lb)': '1.6', Description: 'Enamel mug' },
  ])

  const mug = skus(page).getByRole('row', { name: /T-MUG/ })
  await mug.getByRole('button', { name: 'Edit' }).click()
  await expect(skus(page).getByRole('textbox', { name: 'SKU' })).toBeFocused()
  await fill(skus(page), { SKU: 'S06', 'Height (in)': '0' })
  await skus(page).getByRole('button', { name: 'Save' }).click()
  await expect(skus(page).getByText('Height must be greater than 0')).toBeVisible()
  await fill(skus(page), { 'Height (in)': '9.5' })
  await skus(page).getByRole('button', { name: 'Save' }).click()
  await expect(skus(page).getByText('This SKU already exists')).toBeVisible()
  await fill(skus(page), { SKU: 'T-MUG' })
  await skus(page).getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Row updated successfully!')
  await expectRows(skus(page), [{ SKU: 'S06' }, { SKU: 'T-MUG', 'Height (in)': '9.5' }])

  await mug.getByRole('button', { name: 'Edit' }).click()
  await fill(skus(page), { SKU: 'T-CUP' })
  await page.getByRole('link', { name: 'Deposit', exact: true }).click()
  const discard = page.getByRole('dialog', { name: 'Discard your changes?' })
  await expect(discard).toContainText('T-MUG')
  await discard.getByRole('button', { name: 'Keep editing' }).click()
  const sku = skus(page).getByRole('textbox', { name: 'SKU' })
  await expect(sku).toHaveValue('T-CUP')
  await sku.press('Escape')
  await expect(mug.getByRole('button', { name: 'Edit' })).toBeFocused()

  await mug.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Are you sure you want to delete this item?' })
  await expect(question.getByText('SKU T-MUG will be deleted.')).toBeVisible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Row deleted successfully!')
  await expectRows(skus(page), [{ SKU: 'S06' }])
  await expect(skus(page)).toBeFocused()
})

test('a file of SKUs is uploaded whole or not at all, and exported again', async ({
  page,
  customer,
}) => {
  await page.goto('/main/sku')
  await expect(page.getByText('No SKUs yet')).toBeVisible()
  expect(
    (await clickAndDownloadText(page, page.getByRole('button', { name: 'CSV Template' }))).text,
  ).toBe(`\ufeff${HEAD}\r\n`)

  await upload(page, 'bad.csv', `${HEAD}\nMUG-1,4,0,8,6,4,Mug\nCUP-2,6,1,5,5,5,Cup\n,1,1,1,1,x,\n`)
  await expectToast(page, 'Error uploading file')
  await expect(
    page.getByText(
      'Nothing was uploaded: 2 of 3 records have errors. Fix the file and upload it again.',
    ),
  ).toBeVisible()
  await expectRows(listRegion(page, 'Errors in bad.csv'), [
    { Row: '1', Field: 'Weight', Message: 'Weight must be greater than 0' },
    { Row: '3', Field: 'SKU', Message: 'SKU is required' },
    { Row: '3', Field: 'Height', Message: 'Height must be greater than 0' },
  ])
  await expect(page.getByText('No SKUs yet')).toBeVisible()
  await upload(page, 'skus.txt', GOOD)
  await expect(page.getByText('Only .csv files are accepted here.')).toBeVisible()

  await upload(page, 'good.csv', GOOD)
  await expectToast(page, 'CSV Uploaded Successfully')
  await expect(page.getByText('good.csv: 2 SKUs added.')).toBeVisible()
  await upload(
    page,
    'more.csv',
    `Item SKU,Max Qty,Weight (lb),Length (in),Width (in),Height (in)\nMUG-1,4,2,8,6,4\nPOT,1,3,9,9,9\n`,
  )
  await expect(page.getByText('more.csv: 1 SKU added, 1 replaced.')).toBeVisible()
  await expectRows(skus(page), [
    { SKU: 'CUP-2', Description: 'Cup, blue' },
    { SKU: 'MUG-1', 'Weight (lb)': '2' },
    { SKU: 'POT', 'Weight (lb)': '3' },
  ])

  const saved = await clickAndDownloadText(page, page.getByRole('button', { name: 'Download CSV' }))
  expect(saved.name).toBe('skus.csv')
  expect(saved.text).toBe(
    `\ufeff${HEAD}\r\nCUP-2,6,0.8,5,5,5,"Cup, blue"\r\nMUG-1,4,2,8,6,4,\r\nPOT,1,3,9,9,9,\r\n`,
  )
  const kept = await customer.api.call(
    listSkus,
    { params: { userId: customer.user._id } },
    customer.token,
  )
  expect(kept.body.SkuData).toHaveLength(3)
})

test('a friend shares a link and sees who signed up with it and their deposits', async ({
  page,
  customer,
  context,
}) => {
  await befriend(customer)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { api, user } = customer
  for (let n = 1; n <= 8; n++) {
    const body = {
      name: `Guest ${n}`,
      email: `guest-${crypto.randomUUID()}@example.com`,
      password: PASSWORD,
      confirmPassword: PASSWORD,
    }
    const { body: guest } = await api.call(register, {
      body: { ...body, referralCode: user.referralCode },
    })
    if (n === 8) await api.pay(guest, 40)
  }
  await page.goto('/main/dashboard')
  await goTo(page, 'Invites')

  const link = `${new URL(page.url()).origin}/register?ref=${user.referralCode}`
  await expect(page.getByRole('textbox', { name: 'Invite link' })).toHaveValue(link)
  await expect(page.getByRole('textbox', { name: 'Referral code' })).toHaveValue(user.referralCode)
  for (const [name, text] of [
    ['Copy Invite link', link],
    ['Copy Referral code', user.referralCode],
  ] as const) {
    const untilSeen = await watchFor(page.locator('body'), 'Copied!', '[role="status"]')
    await page.getByRole('button', { name }).click()
    await untilSeen()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    await expect(page.getByRole('status').filter({ hasText: 'Copied!' })).toHaveCount(0)
  }

  const mail = await page.getByRole('link', { name: 'Email' }).getAttribute('href')
  expect(new URL(mail!).searchParams.get('body')).toContain(link)
  await expect(page.getByRole('main')).toContainText(
    '8 users have signed upDeposited by them $40.00',
  )

  const invited = listRegion(page, 'Invited Users')
  await expect
    .poll(async () => (await rowsOf(invited)).map(guest => guest.Name))
    .toEqual([8, 7, 6, 5, 4, 3, 2].map(n => `Guest ${n}`))
  expect((await rowsOf(invited))[0]).toEqual({
    Name: 'Guest 8',
    Registered: expect.stringMatching(/^\d\d-\d\d-\d{4} \d\d:\d\d$/),
    'Total Deposit': '$40.00',
  })
  await page.getByRole('button', { name: 'Next page' }).click()
  await expectRows(invited, [{ Name: 'Guest 1', 'Total Deposit': '$0.00' }])

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Create an Account' })).toBeVisible()
})

test('a user has no invites, and the page says so', async ({ page }) => {
  await page.goto('/main/invite')
  await expect(page.getByText('Invites come with a Friend account')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ask support' })).toHaveAttribute(
    'href',
    '/contact?topic=account&subject=Friend+account',
  )
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('listitem')).toHaveText([
    'Dashboard',
    'Order Label',
    'Bulk Order',
    'Orders',
    'Batch Orders',
    'Deposit',
    'Address',
    'SKU Management',
    'Modal Demo',
  ])
})

test('an unknown address says so and leads back, inside and outside of the user area', async ({
  page,
}) => {
  await page.goto('/main/nowhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
  await expect(page).toHaveTitle('Welcome · Evenpost')
  await page.getByRole('main').getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeFocused()
  await page.goto('/nowhere/at/all')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveTitle('Page not found · Evenpost')
  await expect(page.getByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/')
  await expect(page.getByRole('main').getByRole('link', { name: 'Open Help' })).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Contact' })).toBeVisible()
})

for (const [screens, hasTouch, widths] of [
  ['a computer', false, [1440]],
  ['phones', true, [390, 320]],
] as const) {
  test.describe(`on ${screens}, in both themes`, () => {
    test.use({ viewport: { width: widths[0], height: 844 }, hasTouch })
    test('SKUs, invites and the demo are accessible', async ({ page, customer }) => {
      await befriend(customer)
      await stock(customer, 7)
      const { look, found } = createInspector(page, widths)

      await page.goto('/main/sku')
      await expect(page.getByText('S05')).toBeVisible()
      await look('/main/sku')
      if (hasTouch) {
        await skus(page)
          .getByRole('button', { name: /^More actions/ })
          .first()
          .click()
        await page.getByRole('menuitem', { name: 'Edit' }).click()
      } else await skus(page).getByRole('button', { name: 'Edit' }).first().click()
      await expect(page.getByRole('textbox', { name: 'SKU' })).toBeFocused()
      await look('a SKU in editing')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Add New SKU' }).click()
      const form = page.getByRole('dialog', { name: 'Add New SKU' })
      await form.getByRole('button', { name: 'Add New SKU' }).click()
      await expect(form.getByText('SKU is required')).toBeVisible()
      await look('a new SKU with errors')
      await page.keyboard.press('Escape')
      await upload(page, 'bad.csv', `${HEAD}\n,0,0,0,0,0,\n`)
      await expect(listRegion(page, 'Errors in bad.csv')).toBeVisible()
      await look('errors of a file')

      await page.goto('/main/invite')
      await expect(page.getByText('No invited users yet')).toBeVisible()
      await look('/main/invite')
      await page.goto('/main/demo')
      await page.getByRole('button', { name: 'Simulate progress' }).click()
      await expect(progressDialog(page, 'Order Processed Successfully!')).toBeVisible()
      found.push(...(await axeViolations(page)))
      await page.keyboard.press('Escape')
      await look('/main/demo')
      await page.goto('/nowhere')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await look('/nowhere')
      expect(found).toEqual([])
    })
  })
}
