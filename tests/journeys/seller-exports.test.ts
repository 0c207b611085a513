import { expect } from '@playwright/test'
import { countText } from '#contract/format.ts'
import { SOURCE_NAMES } from '#contract/sources.ts'
import { SELLER_FILES, sellerFile, SOURCE_OF } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import { findCell, tableFigure, upload } from './bulk-page.ts'
import { saveSender, test } from './customer-fixture.ts'

test('the export of every shop is read without a question, and what is left out is named', async ({
  page,
  customer,
}) => {
  await saveSender(customer)
  await page.goto('/main/bulk-order')
  const files = page.getByRole('region', { name: 'Files of this table' })
  for (const format of Object.keys(SELLER_FILES) as SellerFormat[]) {
    const { fileName, header, records, text, rows, leftOut } = sellerFile(format, 12)
    await upload(page, fileName, text(header, records))
    const facts = `${SOURCE_NAMES[SOURCE_OF[format]]}, ${countText(rows.length, 'row')}`
    await expect(files.getByText(facts)).toBeVisible()
    await expect(tableFigure(page, 'Count')).toHaveText(String(rows.length))
    await expect(
      page.getByRole('list', { name: 'Lines left out' }).getByRole('listitem'),
    ).toHaveCount(leftOut.length)
  }
  await expect(await findCell(page, 1, 'To', 'Name')).not.toBeEmpty()
})
