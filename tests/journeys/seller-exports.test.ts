import { expect } from '@playwright/test'
import { saveAddress } from '#contract/addresses.ts'
import { countText } from '#contract/format.ts'
import { SOURCE_NAMES } from '#contract/sources.ts'
import { SELLER_FILES, sellerFile, SOURCE_OF } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import { findCell, tableFigure, upload } from './bulk-page.ts'
import { test } from './customer-fixture.ts'

const SENDER = {
  address_id: 'Warehouse',
  name: 'Mason Trading',
  company: '',
  phone: '',
  street: '100 Congress Ave',
  street2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
}

test('the export of every shop is read without a question, and what is left out is named', async ({
  page,
  customer,
}) => {
  const params = { userId: customer.user._id }
  await customer.api.call(saveAddress, { params, body: { formData: SENDER } }, customer.token)
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
