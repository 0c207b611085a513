/** The bulk page on wide and narrow screens: by keyboard alone, with files of shops, with axe, and how much is in sight. */
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { writeXlsx } from 'hucre/xlsx'
import { addSkus } from '#contract/skus.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { rows } from '#tests/support/rows.ts'
import { sellerFile } from '#tests/support/seller-files.ts'
import { createInspector } from './accessibility-checks.ts'
import {
  expectOrderEnd,
  expectPrice,
  holdOrderEnd,
  openTable,
  progressDialog,
  submitButton,
  submitTable,
  tableFigure,
} from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'
import { choose, fetchLinkedFile, tabTo } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const PHONE = { width: 390, height: 844 }
const MEASURES = { weight: 1, length: 9, width: 6, height: 3, maxQty: 9, description: '' }

const chooseFile = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page
    .getByLabel('Click or Drag & drop to upload Amazon file / CSV')
    .setInputFiles({ name, mimeType: '', buffer })

const cards = (page: Page) =>
  page.getByRole('list', { name: 'Rows of this bulk order' }).getByRole('listitem')

/** Opens the menu of the table and takes the item, by keys. */
async function takeFromMenu(page: Page, item: string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name: 'Table actions' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('menuitem', { name: item }), 'ArrowDown')
  await page.keyboard.press('Enter')
}

test.describe('in a window of a phone’s width', () => {
  test.use({ dollars: 100, viewport: PHONE })

  test('a value is set in all rows and a column is filtered by keyboard alone', async ({
    page,
  }) => {
    await openTable(page, rows(5))
    const first = cards(page).first()
    // What is still being asked about the file may stand above the rows for a moment.
    const gap = async () => {
      const [box, footer] = [await first.boundingBox(), await submitButton(page).boundingBox()]
      return footer!.y - box!.y - box!.height
    }
    await expect.poll(gap).toBeGreaterThan(0)

    await takeFromMenu(page, 'Set for all rows…')
    const setting = page.getByRole('dialog')
    const column = setting.getByRole('combobox', { name: 'Column' })
    await tabTo(page, column)
    // One key: what is typed is taken for two words when a slow machine pauses between its letters.
    await page.keyboard.press('w')
    await expect(page.getByRole('dialog', { name: 'Set Weight for all rows' })).toBeVisible()
    const { look, found } = createInspector(page, [390, 1440])
    await look('Set a value', [390, 1440], '[role="dialog"]')
    expect(found).toEqual([])
    await tabTo(page, setting.getByRole('textbox', { name: 'Weight' }))
    await page.keyboard.type('2')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Weight set in 5 rows.')
    await expect(first).toContainText('2 lb')

    await takeFromMenu(page, 'Filter…')
    const filtering = page.getByRole('dialog', { name: 'Filter To City' })
    await tabTo(page, filtering.getByRole('textbox', { name: 'Contains' }))
    await page.keyboard.type('bend')
    await page.keyboard.press('Enter')
    await expect(filtering).toBeHidden()
    await expect(cards(page)).toHaveCount(1)
    await tabTo(page, page.getByRole('button', { name: 'Show all rows' }))
    await page.keyboard.press('Enter')
    await expect(cards(page)).toHaveCount(5)
  })

  test('a workbook with unknown columns is matched by keyboard alone and bought', async ({
    page,
    customer,
  }) => {
    await saveSender(customer)
    const head = ['Klant', 'Street', 'Town', 'ST', 'Code', 'Weight', 'Length', 'Width', 'Height']
    const order = ['Ada Quill', '1 Elm St', 'Bath', 'ME', '04530', 2, 9, 6, 3]
    const sheets = [{ name: 'Orders', rows: [head, order] }]
    await page.goto('/main/bulk-order')
    await choose(page, page, 'Service', 'USPS Ground Advantage')
    await chooseFile(page, 'week.xlsx', Buffer.from(await writeXlsx({ sheets })))
    const dialog = page.getByRole('dialog', { name: 'Match columns' })
    await expect(dialog).toBeVisible()
    const { look, found } = createInspector(page, [390, 1440])
    await look('Match columns', [390, 1440], '[role="dialog"]')
    expect(found).toEqual([])
    const column = dialog.getByRole('combobox', { name: 'Klant', exact: true })
    await tabTo(page, column)
    // From one field with this letter to the next: several letters are taken for two words when a slow machine pauses between them.
    let steps = 0
    do await page.keyboard.press('t')
    while ((await column.inputValue()) !== 'ToRecipientName' && ++steps < 20)
    await expect(column).toHaveValue('ToRecipientName')
    await tabTo(page, dialog.getByRole('button', { name: 'Use these columns' }))
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(cards(page)).toContainText('Ada Quill')
    await expectPrice(page)
    await tabTo(page, submitButton(page))
    await page.keyboard.press('Enter')
    await expectOrderEnd(page, 'Order Processed Successfully!')
  })
})

for (const viewport of [{ width: 1440, height: 900 }, PHONE]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ dollars: 100, viewport })

    test('a Shopify export becomes labels', async ({ page, customer }) => {
      await saveSender(customer)
      const { fileName, header, records, text, rows: lines } = sellerFile('shopify', 4)
      const skus = [...new Set(lines.flatMap(line => line.skuNumber ?? []))]
      const { api, token, user } = customer
      const body = { parsedData: skus.map(sku => ({ sku, ...MEASURES })) }
      await api.call(addSkus, { params: { userId: user._id }, body }, token)
      await page.goto('/main/bulk-order')
      await choose(page, page, 'Service', 'USPS Ground Advantage')
      await chooseFile(page, fileName, Buffer.from(text(header, records)))
      await expect(tableFigure(page, 'Count')).toHaveText(String(lines.length))
      await submitTable(page)
      const done = await expectOrderEnd(page, 'Order Processed Successfully!')
      const { bytes } = await fetchLinkedFile(page, done.getByRole('link', { name: 'PDF' }))
      expect(await readPdf(bytes)).toHaveLength(lines.length)
    })
  })
}

test.describe('with a late carrier', () => {
  test.use({ dollars: 100 })

  test('progress is accessible while labels are bought and at a good end', async ({ page }) => {
    const releaseEnd = await holdOrderEnd(page)
    await openTable(
      page,
      rows(3, n => (n === 1 ? { ToStreet2: 'SANDBOX LATE' } : {})),
    )
    await submitTable(page)
    await expect(progressDialog(page, 'Processing Bulk Order')).toBeVisible()
    const { look, found } = createInspector(page, [1440, 390])
    await look('progress', [1440, 390], '[role="dialog"]')
    await releaseEnd()
    await expectOrderEnd(page, 'Order Processed Successfully!')
    await look('good end', [1440, 390], '[role="dialog"]')
    expect(found).toEqual([])
  })
})

test.describe('on a wide screen', () => {
  test.use({ dollars: 100 })

  test('twelve rows are in sight below errors, warnings and files', async ({ page }) => {
    await openTable(
      page,
      rows(40, n => ({
        ...(n === 30 && { ToCity: '' }),
        ...(n === 31 && { PackageWeight: '' }),
        ...(n === 5 && { ToZipPostal: '10001', ToStateProvince: 'CA' }),
      })),
    )
    await expect(page.getByRole('region', { name: 'Warnings' })).toBeVisible()
    const row = (number: string) => page.getByRole('rowheader', { name: number, exact: true })
    const end = async (number: string) => {
      const box = (await row(number).boundingBox())!
      return box.y + box.height
    }
    const submit = async () => (await submitButton(page).boundingBox())!
    await expect.poll(async () => (await submit()).y - (await end('12'))).toBeGreaterThan(0)
    const bottom = async () => {
      const { y, height } = await submit()
      return y + height
    }
    await expect.poll(bottom).toBeLessThan(900)
  })

  test('a warning is in sight with its remedy where the errors leave the room', async ({
    page,
  }) => {
    const changes = [{ ToCity: 'Apt 4' }, { ToCity: '' }]
    await openTable(
      page,
      rows(9, n => changes[n - 1] ?? {}),
    )
    const warnings = page.getByRole('region', { name: 'Warnings' })
    await expect(warnings.getByRole('button', { name: 'Use Portland' })).toBeVisible()
    await expect(page.getByText('1 row: To City is required')).toBeVisible()
    const cut = () =>
      warnings.getByRole('list').evaluate(list => list.scrollWidth - list.clientWidth)
    await expect.poll(cut).toBe(0)
  })
})
