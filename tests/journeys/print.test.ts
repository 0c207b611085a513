import { expect } from '@playwright/test'
import type { APIResponse, Locator, Page } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { createInspector } from './accessibility-checks.ts'
import { test as byAdministrator } from './admin-fixture.ts'
import { expectOrderEnd, openTable, submitTable } from './bulk-page.ts'
import { buyBulkOrder, test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { fillLabel } from './label-form.ts'
import { chooseAction, clickAndDownload, listRegion } from './page-helpers.ts'

test.use({ dollars: 100 })

/** A label for June Rivera; its order id. */
async function buyOne({ api, user, token }: Customer): Promise<string> {
  const { body } = await api.call(
    placeOrder,
    { body: singleOrderBody(user._id, { receiver: { receiver_name: 'June Rivera' } }) },
    token,
  )
  return body.data.orderId
}

/** A bulk order of six labels, of which row 4 is refused. */
const buySix = (customer: Customer): Promise<string> =>
  buyBulkOrder(
    customer,
    rows(6, n => (n === 4 ? { ToStreet2: 'SANDBOX REFUSE' } : {})),
  )

const opener = (place: Page | Locator): Locator =>
  place.getByRole('button', { name: /^Print options, / })

/** Opens the print options of the only thing on the page that has some. */
async function options(page: Page, title: string | RegExp): Promise<Locator> {
  await opener(page).click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  return dialog
}

/** The same, from the menu of June's row in Orders. */
async function optionsInOrders(page: Page): Promise<Locator> {
  await chooseAction(page, listRegion(page, 'Orders List'), 'Print options', 'June Rivera')
  const dialog = page.getByRole('dialog', { name: 'Print label for June Rivera' })
  await expect(dialog).toBeVisible()
  return dialog
}

const FILE_ADDRESS = /\/api\/orders\/(download|file\/|bulk\/(packing-slips|pick-list))/

/** The pages of the PDF that `act` opens in a new tab. The server is asked for it once. */
async function openedPdf(page: Page, act: () => Promise<void>) {
  const context = page.context()
  const responses: APIResponse[] = []
  await intercept(context, FILE_ADDRESS, async route => {
    const response = await route.fetch()
    responses.push(response)
    await route.fulfill({ response })
  })
  const [tab] = await Promise.all([context.waitForEvent('page'), act()])
  expect(tab.url()).not.toContain('/api/')
  // A request of the tab would have been answered before this one.
  await page.evaluate(() => fetch('/').then(answer => answer.text()))
  await context.unroute(FILE_ADDRESS)
  expect(responses.map(response => response.headers()['content-type'])).toEqual(['application/pdf'])
  return readPdf(await responses[0]!.body())
}

test('a label prints on half a Letter sheet, as ZPL for a thermal printer, and as a picture', async ({
  page,
  customer,
}) => {
  await buyOne(customer)
  await page.goto('/main/orders')
  let tabs = 0
  page.context().on('page', () => tabs++)
  let dialog = await optionsInOrders(page)
  await dialog.getByRole('radio', { name: 'Letter PDF' }).check()
  await dialog.getByRole('radio', { name: 'Lower half' }).check()
  const [sheet] = await openedPdf(page, () =>
    dialog.getByRole('button', { name: 'Open Letter PDF' }).dblclick(),
  )
  expect({ width: sheet!.width, height: sheet!.height }).toEqual({ width: 612, height: 792 })
  expect(sheet!.text.toUpperCase()).toContain('JUNE RIVERA')
  await expect(dialog).toBeHidden()
  expect(tabs).toBe(1)

  await page.reload()
  dialog = await optionsInOrders(page)
  await expect(dialog.getByRole('radio', { name: 'Letter PDF' })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: 'Upper half' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'ZPL' }).check()
  const commands = await clickAndDownload(page, dialog.getByRole('button', { name: 'Save ZPL' }))
  expect(commands.name).toMatch(/^SAMPLE-.+\.zpl$/)
  expect(commands.bytes.toString()).toMatch(/^\s*\^XA[\s\S]*JUNE RIVERA[\s\S]*\^XZ\s*$/i)
  await expect(dialog).toBeHidden()

  await optionsInOrders(page)
  await dialog.getByRole('radio', { name: 'PNG' }).check()
  const picture = await clickAndDownload(page, dialog.getByRole('button', { name: 'Save PNG' }))
  expect(picture.name).toMatch(/^SAMPLE-.+\.png$/)
  expect(picture.bytes.toString('latin1', 1, 4)).toBe('PNG')
})

test('some rows of a bulk order print alone, and a row number that does not exist is refused at once', async ({
  page,
  customer,
}) => {
  await buySix(customer)
  await page.goto('/main/batch-orders')
  const dialog = await options(page, /^Print bulk order #/)
  await expect(dialog.getByRole('radio', { name: 'PNG' })).toHaveCount(0)
  const packing = dialog.getByRole('group', { name: 'For packing' })
  const [list] = await openedPdf(page, () =>
    packing.getByRole('button', { name: 'Pick list' }).click(),
  )
  expect(list!.text).toContain('5 labels')
  const slips = await openedPdf(page, () =>
    packing.getByRole('button', { name: 'Packing slips' }).click(),
  )
  expect(slips).toHaveLength(5)
  const field = dialog.getByRole('textbox', { name: 'Only rows' })
  await field.fill('2-3, 9')
  await field.press('Enter')
  await expect(
    dialog.getByText('“9”: row 9 does not exist. This bulk order has rows 1 to 6.'),
  ).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill('5, 2-3')
  const pages = await openedPdf(page, () => field.press('Enter'))
  expect(pages.map(({ text }) => /RECEIVER (\d+)/.exec(text.toUpperCase())?.[1])).toEqual([
    '2',
    '3',
    '5',
  ])
  await expect(dialog).toBeHidden()
})

test('a refusal of the server appears on the page, and no tab opens', async ({
  page,
  customer,
}) => {
  const orderId = await buyOne(customer)
  await page.goto('/main/orders')
  const dialog = await optionsInOrders(page)
  await customer.api.call(voidOrder, { params: { orderId } }, customer.token)
  await dialog.getByRole('button', { name: 'Open 4x6 PDF' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'This label was voided and cannot be printed anymore',
  )
  expect(page.context().pages()).toHaveLength(1)
  await dialog.getByRole('radio', { name: 'ZPL' }).check()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('a user without a mouse prints a test page and a label', async ({ page, customer }) => {
  await page.goto(`/main/orders/${await buyOne(customer)}`)
  await opener(page).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Print label for June Rivera' })
  await expect(dialog.getByRole('button', { name: 'Open 4x6 PDF' })).toBeFocused()
  // Around the dialog's end to its first field.
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('radio', { name: '4x6 PDF' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Letter PDF' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Test page' }).focus()
  const [trial] = await openedPdf(page, () => page.keyboard.press('Enter'))
  expect({ width: trial!.width, height: trial!.height }).toEqual({ width: 612, height: 792 })
  expect(trial!.text.toUpperCase()).toContain('NOT A LABEL')
  await page.bringToFront()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener(page)).toBeFocused()
})

test('a page that the browser prints has its title and its list, and nothing of the frame', async ({
  page,
  customer,
}) => {
  await buyOne(customer)
  await page.goto('/main/orders')
  await expect(page.getByText('June Rivera').first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await expect(page.getByText('June Rivera').first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  for (const button of await page.getByRole('button', { name: /menu|Print|Filters/ }).all())
    await expect(button).toBeHidden()
})

test('print options are accessible on every page that has labels', async ({ page, customer }) => {
  const { found, look } = createInspector(page)
  await buySix(customer)
  await page.goto('/main/batch-orders')
  const ofBulk = await options(page, /^Print bulk order #/)
  await ofBulk.getByRole('radio', { name: 'Letter PDF' }).check()
  await ofBulk.getByRole('textbox', { name: 'Only rows' }).fill('5-3')
  await page.keyboard.press('Enter')
  await expect(ofBulk.getByText('is backwards')).toBeVisible()
  await look('options of a bulk order')

  await page.goto('/main/order-label')
  await fillLabel(page)
  await page.getByRole('button', { name: 'Order Label' }).click()
  const bought = page.getByRole('dialog', { name: 'Label Created Successfully!' })
  await opener(bought).click()
  const ofLabel = page.getByRole('dialog', { name: 'Print this label' })
  await expect(ofLabel).toBeVisible()
  await look('options of a label')
  await page.keyboard.press('Escape')
  await expect(ofLabel).toBeHidden()
  await expect(opener(bought)).toBeFocused()

  await openTable(page, rows(2))
  await submitTable(page)
  const overlay = await expectOrderEnd(page, 'Order Processed Successfully!')
  await opener(overlay).click()
  const ofOverlay = page.getByRole('dialog', { name: 'Print this bulk order' })
  await expect(ofOverlay).toContainText('Leave blank for all 2.')
  await page.keyboard.press('Escape')
  await expect(ofOverlay).toBeHidden()
  await expect(overlay).toBeVisible()
  await expect(opener(overlay)).toBeFocused()
  await expect(overlay).toContainText('2 labels ready')
  const open = overlay.getByRole('link', { name: 'PDF' })
  const [tab] = await Promise.all([page.context().waitForEvent('page'), open.click()])
  await tab.close()
  expect(found).toEqual([])
})

byAdministrator.describe('the administrator', () => {
  byAdministrator.use({ dollars: 100 })

  byAdministrator('prints the label on the details page', async ({ page, customer }) => {
    await page.goto(`/admin/order-label-management/${await buyOne(customer)}`)
    const dialog = await options(page, 'Print label for June Rivera')
    await dialog.getByRole('radio', { name: 'Letter PDF' }).check()
    const pages = await openedPdf(page, () =>
      dialog.getByRole('button', { name: 'Open Letter PDF' }).click(),
    )
    expect(pages).toHaveLength(1)
  })
})
