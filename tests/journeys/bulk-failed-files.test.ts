/** Rows that failed are saved as a file, corrected there and bought from it. */
import { expect } from '@playwright/test'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { faultyRowLine, faultyRowsHead } from '#contract/faulty-rows.ts'
import { row } from '#tests/support/rows.ts'
import {
  expectOrderEnd,
  expectPrice,
  findCell,
  submitButton,
  submitTable,
  tableFigure,
  upload,
} from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { clickAndDownload, goTo, listRegion } from './page-helpers.ts'

const PRIORITY = 'USPS Priority Mail'
const REFUSED = 'SANDBOX REFUSE'
const ROWS = [
  row(1),
  row(2, { ServiceName: PRIORITY, ToStreet2: REFUSED }),
  row(3, { ToStreet2: REFUSED }),
]

const correctCsv = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('utf8').replaceAll(REFUSED, 'Apt 4B'))

async function correctWorkbook(bytes: Buffer): Promise<Buffer> {
  const { sheets } = await readXlsx(bytes)
  const [{ name, rows }] = sheets as [(typeof sheets)[number]]
  const corrected = rows.map(cells => cells.map(cell => (cell === REFUSED ? 'Apt 4B' : cell)))
  return Buffer.from(await writeXlsx({ sheets: [{ name, rows: corrected }] }))
}

test.use({ dollars: 100 })

for (const [action, extension, correct] of [
  ['Failed rows as CSV', 'csv', correctCsv],
  ['Failed rows as Excel', 'xlsx', correctWorkbook],
] as const) {
  test(`failed rows are corrected in their .${extension} file and bought, each with its service`, async ({
    page,
  }) => {
    await page.goto('/main/bulk-order')
    await upload(
      page,
      'labels.csv',
      faultyRowsHead() + ROWS.map(one => faultyRowLine(one, '')).join(''),
    )
    await submitTable(page)
    const failed = await expectOrderEnd(page, 'Order Processed With 2 Failed Label(s)')
    await failed.getByRole('button', { name: 'Close' }).click()

    await goTo(page, 'Batch Orders')
    const batches = listRegion(page, 'Batch Orders')
    await batches.getByRole('button', { name: /^More actions/ }).click()
    const { name, bytes } = await clickAndDownload(
      page,
      page.getByRole('menuitem', { name: action }),
    )
    expect(name).toMatch(new RegExp(`^failed-rows-\\d+\\.${extension}$`))

    await goTo(page, 'Bulk Order')
    const buffer = await correct(bytes)
    const outcome = page.waitForResponse(/\/api\/orders\/bulk\/status\//)
    const choosing = page.getByLabel('Click or Drag & drop to upload Amazon file / CSV')
    await choosing.setInputFiles({ name, mimeType: '', buffer })
    await outcome
    await expect(tableFigure(page, 'Count')).toHaveText('2')
    await expect(await findCell(page, 1, 'Order', 'Service')).toContainText('Priority Mail')
    await expect(await findCell(page, 2, 'Order', 'Service')).toContainText('Ground Advantage')
    await expectPrice(page)
    const boughtBefore = page.getByText('same label ordered here in the last 24 hours')
    await expect(boughtBefore).toBeHidden()
    await submitButton(page).click()
    const done = await expectOrderEnd(page, 'Order Processed Successfully!')
    await done.getByRole('button', { name: 'Close' }).click()

    // Now they are bought.
    await choosing.setInputFiles({ name: `again.${extension}`, mimeType: '', buffer })
    await expect(boughtBefore).toBeVisible()
  })
}
