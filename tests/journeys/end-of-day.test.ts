import { expect } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { test } from './customer-fixture.ts'
import { chooseAction, expectRows, fetchLinkedFile, goTo, listRegion } from './page-helpers.ts'

test.use({ dollars: 50 })

test('the parcels of the day become a SCAN form to print, and a void of one of them warns', async ({
  page,
  customer: { api, user, token },
}) => {
  for (const receiver_name of ['June Rivera', 'Bo Lind'])
    await api.call(
      placeOrder,
      { body: singleOrderBody(user._id, { receiver: { receiver_name } }) },
      token,
    )
  await page.goto('/main/orders')
  await listRegion(page, 'Orders List').getByRole('link', { name: 'End of day' }).click()
  const waiting = page.getByRole('region', { name: 'Parcels without a SCAN form' })
  await expect(waiting).toContainText('2 parcels')
  await waiting.getByRole('checkbox', { name: 'On the form: Bo Lind' }).uncheck()
  await expect(waiting).toContainText('1 of 2 parcels')
  await expect(waiting.getByRole('button', { name: /^Create SCAN form/ })).toHaveAccessibleName(
    'Create SCAN form for 1 parcel of Mason Trading',
  )
  const all = waiting.getByRole('checkbox', { name: /^All .+ parcels of Mason Trading$/ })
  await expect(all).toBeChecked({ indeterminate: true })
  await all.check()
  await all.uncheck()
  await expect(waiting).toContainText('0 of 2 parcels')
  await all.check()
  await waiting
    .getByRole('button', { name: 'Create SCAN form for 2 parcels of Mason Trading' })
    .dblclick()
  await expect(waiting).toContainText('No parcels are waiting')
  const forms = listRegion(page, 'SCAN forms')
  await expectRows(forms, [{ Sender: /^Mason Trading/, Parcels: /^2 parcels/, Status: 'Ready' }])
  const print = forms.getByRole('link', { name: /^Print SCAN form/ })
  const file = await fetchLinkedFile(page, print)
  expect([file.type, file.bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])

  await page.goto('/main/batch-orders/end-of-day')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.locator('[aria-current]')).toHaveText('Batch Orders')
  await page.getByRole('main').getByRole('link', { name: 'Batch Orders' }).click()
  await expect(page).toHaveURL(/\/batch-orders$/)

  await goTo(page, 'Orders')
  const line = listRegion(page, 'Orders List').getByRole('row').filter({ hasText: 'June Rivera' })
  await chooseAction(page, line, 'Void label', 'June Rivera')
  await expect(page.getByRole('dialog', { name: 'Void this label?' })).toContainText(
    '1 label is on a SCAN form, which goes on counting it. Keep that parcel back.',
  )
})
