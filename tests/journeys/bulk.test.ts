import { expect } from '@playwright/test'
import { openPdf } from '#tests/support/read-pdf.ts'
import { row, rows } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import {
  chooseTableAction,
  findCell,
  progressFigure,
  expectOrderEnd,
  tableFigure,
  grid,
  openTable,
  progressDialog,
  resultsOf,
  submitButton,
  upload,
} from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import {
  balance,
  fetchLinkedFile,
  goTo,
  listRegion,
  rowsOf,
  clickAndDownloadText,
} from './page-helpers.ts'
import { expectToast } from './toasts.ts'

const FAULTS: Record<number, object> = {
  17: { ToZipPostal: '7870' },
  400: { PackageWeight: '' },
  999: { ToCity: '' },
}

test.describe('a thousand rows', () => {
  test.use({ dollars: 7000 })

  test('are fixed, ordered, followed on another page and printed in the order of the table', async ({
    page,
  }) => {
    // One answer of the carrier is late, so that the order is still at work when one looks at it.
    await openTable(
      page,
      rows(1000, n => FAULTS[n] ?? (n === 1 ? { ToStreet2: 'SANDBOX LATE' } : {})),
    )
    const warning = (count: number) =>
      page.getByText(`${count} row(s) have validation errors. Please check the table and fix them.`)
    const nextError = page.getByRole('button', { name: 'Next error' })
    await expect(warning(3)).toBeVisible()

    await nextError.click()
    await expect(await findCell(page, 17, 'To', 'Zip')).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('55802')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Row updated successfully!')
    await expect(warning(2)).toBeVisible()
    await nextError.click()
    await expect(await findCell(page, 400, 'Package', 'Weight')).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('0')
    await expect(grid(page).getByText('Weight must be greater than 0')).toBeVisible()
    await page.keyboard.type('.75')
    await grid(page).getByRole('button', { name: 'Save' }).click()
    await expect(warning(1)).toBeVisible()
    await nextError.click()
    await expect(await findCell(page, 999, 'To', 'City')).toBeFocused()
    await page.keyboard.press('Delete')
    const sure = page.getByRole('dialog', { name: 'Are you sure you want to delete this item?' })
    await sure.getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Row deleted successfully!')
    await expect(nextError).toBeHidden()

    await expect(tableFigure(page, 'Count')).toHaveText('999')
    await expect(tableFigure(page, 'Price')).toHaveText('$6,493.50')
    await submitButton(page).click()
    // Already at its end, perhaps.
    const working = progressDialog(page, /^(Processing Bulk Order|Order Processed Successfully!)$/)
    await expect(progressFigure(working, 'Processed')).toHaveText(/^[1-9]\d* of 999$/)
    await working.getByRole('button', { name: 'Minimise' }).click()
    await goTo(page, 'Orders')
    await page.getByRole('button', { name: /^Expand: / }).click()
    const done = await expectOrderEnd(page, 'Order Processed Successfully!')
    await expect(done).toContainText('999 labels ready')
    await expect(balance(page)).toContainText('$506.50')

    const { text } = await clickAndDownloadText(
      page,
      done.getByRole('link', { name: 'Results CSV' }),
    )
    const results = resultsOf(text)
    const bought = [...rows(998).map(one => one.ToRecipientName), 'Receiver 1000']
    expect(results.map(result => result['TO NAME'])).toEqual(bought)
    expect(
      results.filter(({ status, price }) => status !== 'completed' || price !== '6.50'),
    ).toEqual([])
    expect(new Set(results.map(result => result.tracking_number)).size).toBe(999)
    const { bytes } = await fetchLinkedFile(page, done.getByRole('link', { name: 'PDF' }))
    const pdf = await openPdf(bytes)
    expect(pdf.count).toBe(999)
    for (const [at, result] of results.entries()) {
      // Every page would take half a minute to read; the mended rows, both ends and each fiftieth tell of a row in a wrong place.
      if (![0, 16, 399, 997, 998].includes(at) && at % 50 !== 0) continue
      const { text: printed } = await pdf.page(at + 1)
      expect(printed).toContain(result.tracking_number)
      expect(printed.toUpperCase()).toContain(`${result['TO NAME']}\n`.toUpperCase())
    }
    await done.getByRole('button', { name: 'Close' }).click()
    await goTo(page, 'Batch Orders')
    await expect
      .poll(() => rowsOf(listRegion(page, 'Batch Orders')))
      .toEqual([
        expect.objectContaining({
          Price: '$6,493.50',
          Status: expect.stringMatching(/^Completed 999 labels$/),
          Downloads: 'PDF Result CSV',
        }),
      ])
  })
})

test.describe('a table', () => {
  test.use({ dollars: 50 })

  test('with invalid rows is not sent: every error is named', async ({ page }) => {
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await openTable(page, [
      row(1),
      row(2, { ToZipPostal: '4101' }),
      row(3, { ToCity: '', PackageHeight: 'tall' }),
    ])
    await submitButton(page).click()
    const dialog = page.getByRole('dialog', { name: 'Validation Errors' })
    await expect(dialog.getByText('2 rows have validation errors')).toBeVisible()
    await expect(dialog.getByRole('listitem')).toHaveText([
      /^To Zip /,
      'To City is required',
      'Height must be a positive number',
    ])
    await dialog.getByRole('button', { name: 'Go to the first error' }).click()
    await expect(dialog).toBeHidden()
    await expect(await findCell(page, 2, 'To', 'Zip')).toBeFocused()
    expect(
      asked.filter(path => path.includes('/bulk/init') || path.includes('/bulk/process')),
    ).toEqual([])
    await expect(balance(page)).toContainText('$50.00')
  })

  test('is still there after a reload, until it is reset', async ({ page }) => {
    await openTable(page, [row(1), row(2, { ToCity: '' })])
    await (await findCell(page, 2, 'To', 'City')).dblclick()
    await page.keyboard.type('Bangor')
    await page.keyboard.press('Enter')
    await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Bangor')
    await page.reload()
    await expect(tableFigure(page, 'Count')).toHaveText('2')
    await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Bangor')
    await goTo(page, 'Orders')
    await goTo(page, 'Bulk Order')
    await expect(await findCell(page, 2, 'To', 'City')).toHaveText('Bangor')
    await chooseTableAction(page, 'Reset')
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await expectToast(page, 'File reset successfully.')
    await expect(tableFigure(page, 'Count')).toHaveText('0')
    await expect(page.locator('input[type=file]')).toBeFocused()
  })

  test('stays as it is when a file cannot be read', async ({ page }) => {
    await openTable(page, [row(1)])
    await upload(page, 'photo.csv', '\u0089PNG\r\n\u001a\n\0\0\0')
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(tableFigure(page, 'Count')).toHaveText('1')
    await upload(page, 'labels.docx', csvOf([row(2)]))
    await expect(
      page.getByText('labels.docx is not accepted: only .csv, .txt, .tsv and .xlsx files are.'),
    ).toBeVisible()
    await expect(await findCell(page, 1, 'To', 'Name')).toHaveText('Receiver 1')
  })
})
