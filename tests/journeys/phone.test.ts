import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { row, singleOrderBody } from '#tests/support/rows.ts'
import { expectOrderEnd, expectPrice, tableFigure, openTable, submitButton } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { openPageOf } from './own-server.ts'
import { fetchLinkedFile, fill, listRegion } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 50, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** As the clipboard of a phone, which a test cannot write, would. */
const pasteCells = (field: Locator, text: string): Promise<void> =>
  field.evaluate((element, cells) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', cells)
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)

test('on a phone a file is uploaded, fixed in a sheet, ordered and printed', async ({ page }) => {
  await openTable(page, [row(1), row(2, { ToZipPostal: '', PackageWeight: '0' })])
  const cards = page.getByRole('list', { name: 'Rows of this bulk order' }).getByRole('listitem')
  await expect(cards).toHaveCount(2)
  await expect(cards.nth(1)).toContainText('2 errors To Zip is required')
  await cards.nth(1).getByRole('button', { name: 'Edit' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Edit row 2' })
  await expect(sheet.getByText('Zip is required')).toBeVisible()
  await fill(sheet.getByRole('group', { name: 'To' }), { Zip: '93701' })
  await sheet.getByRole('button', { name: 'Save' }).tap()
  await expect(sheet.getByText('Weight must be greater than 0')).toBeVisible()
  await fill(sheet.getByRole('group', { name: 'Package' }), { Weight: '2' })
  await sheet.getByRole('button', { name: 'Save' }).tap()
  await expectToast(page, 'Row updated successfully!')
  await expect(sheet).toBeHidden()
  await expect(tableFigure(page, 'Price')).toHaveText('$13.00')

  // Cells of a spreadsheet fill the next fields of the card and the card below.
  await cards.nth(0).getByRole('button', { name: 'Edit' }).tap()
  const first = page.getByRole('dialog', { name: 'Edit row 1' })
  const city = first.getByRole('group', { name: 'To' }).getByLabel('City')
  await pasteCells(city, 'Bend\tOR\t97701\nReno\tNV\t89501\n')
  await expectToast(page, 'Pasted into 2 rows.')
  await expect(first).toBeHidden()
  await expect(cards.nth(1)).toContainText('Reno NV 89501')
  await page.getByRole('button', { name: 'Undo paste of 6 cells' }).tap()
  await expect(cards.nth(1)).toContainText('Fresno CA 93701')

  await page.getByRole('button', { name: 'Table actions' }).tap()
  await page.getByRole('menuitem', { name: 'Select rows' }).tap()
  await page.getByRole('button', { name: 'Select all 2' }).tap()
  await page.getByRole('button', { name: 'Actions for 2 rows' }).tap()
  await page.getByRole('menuitem', { name: 'Duplicate' }).tap()
  await expect(cards).toHaveCount(4)
  await page.getByRole('button', { name: 'Undo' }).tap()
  await page.getByRole('button', { name: 'Done' }).tap()
  await expect(cards).toHaveCount(2)

  await expectPrice(page)
  await submitButton(page).tap()
  const done = await expectOrderEnd(page, 'Order Processed Successfully!')
  const { bytes } = await fetchLinkedFile(page, done.getByRole('link', { name: 'PDF' }))
  expect(await readPdf(bytes)).toHaveLength(2)
  await done.getByRole('button', { name: 'Close' }).tap()

  await page.getByRole('button', { name: 'Toggle sidebar' }).tap()
  const menu = page.getByRole('dialog', { name: 'Main' })
  await menu.getByRole('link', { name: 'Batch Orders' }).tap()
  await expect(menu).toBeHidden()
  const card = listRegion(page, 'Batch Orders').getByRole('listitem').first()
  await expect(card).toContainText('Completed')
  const again = await fetchLinkedFile(page, card.getByRole('link', { name: 'PDF' }))
  expect(again.bytes.equals(bytes)).toBe(true)
})

test('on a phone the bar of selected labels hides the rows below it, and its buttons share a line', async ({
  page,
  customer: { api, user, token },
}) => {
  const body = singleOrderBody(user._id, { service_name: 'usps:GROUND_ADVANTAGE' })
  for (let n = 1; n <= 7; n++) await api.call(placeOrder, { body }, token)
  await page.goto('/main/orders')
  const orders = listRegion(page, 'Orders List')
  await orders.getByRole('checkbox').first().check()
  await expect(orders.getByText('1 label selected, $6.50')).toBeVisible()
  const bar = orders.getByRole('button', { name: 'Clear selection' }).locator('xpath=../..')
  const seenThrough = (place: HTMLElement | SVGElement) => {
    const { left, right, top, bottom } = place.getBoundingClientRect()
    const seen = new Set<string>()
    for (let y = top + 1; y < bottom; y += 4)
      for (let x = left + 1; x < right; x += 4) {
        const found = document.elementFromPoint(x, y)
        if (!place.contains(found)) seen.add(found?.textContent ?? '')
      }
    return [...seen]
  }
  await expect.poll(() => bar.evaluate(seenThrough)).toEqual([])

  await page.setViewportSize({ width: 700, height: 844 })
  const topOf = async (name: string) => (await bar.getByRole('button', { name }).boundingBox())!.y
  await expect
    .poll(async () => (await topOf('Void 1 label')) - (await topOf('Print 1 label')))
    .toBe(0)
})

test('on a phone a long city leaves room for the name of the receiver at the end of the day', async ({
  page,
  customer: { api, user, token },
}) => {
  const receiver = {
    receiver_name: 'Ana Wolfeschlegelstein',
    receiver_city: 'Lake Chargoggagoggmanchauggagogg',
    receiver_state_province: 'MA',
    receiver_zip_postal: '01570',
  }
  await api.call(placeOrder, { body: singleOrderBody(user._id, { receiver }) }, token)
  await page.goto('/main/end-of-day')
  const name = page.getByRole('link', { name: 'Ana Wolfeschlegelstein' })
  await expect(name).toBeVisible()
  await expect.poll(async () => (await name.boundingBox())!.width).toBeGreaterThan(100)
})

test('on the narrowest phone a tracking number stands clear of the date', async ({
  page,
  customer: { api, user, token },
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.goto('/main/orders')
  const label = listRegion(page, 'Orders List').getByRole('listitem').first()
  const room = async () => {
    const number = (await label.getByText('…').boundingBox())!
    const date = (await label.getByRole('time').boundingBox())!
    return date.x - number.x - number.width
  }
  await expect.poll(room).toBeGreaterThan(0)
})

test('on a phone a long name leaves the balance in view on the welcome page', async ({
  browser,
  baseURL,
  customer: { api },
}) => {
  const seller = await api.register('Margaret Wolfeschlegelsteinhaus')
  for (const width of [390, 320]) {
    const page = await openPageOf(browser, { url: baseURL! }, seller, {
      viewport: { width, height: 640 },
      hasTouch: true,
      isMobile: true,
    })
    await page.goto('/onboarding')
    await expect(page.getByText('Balance $0.00')).toBeInViewport({ ratio: 1 })
    await page.context().close()
  }
})

test('on the narrowest phone the search of rows and the menu of the table share a line', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openTable(page, [row(1)])
  const middleOf = async (place: Locator) => {
    const { y, height } = (await place.boundingBox())!
    return y + height / 2
  }
  const menu = page.getByRole('button', { name: 'Table actions' })
  const search = page.getByRole('searchbox', { name: 'Search the rows' })
  await expect
    .poll(async () => Math.abs((await middleOf(menu)) - (await middleOf(search))))
    .toBeLessThan(3)
})
