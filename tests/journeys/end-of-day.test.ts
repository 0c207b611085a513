import { expect } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { MAX_DESCRIBED_LABELS } from '#contract/scan-forms.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { FIRST_LABELS } from '#web/batches/end-of-day/end-of-day.ts'
import { test } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { chooseAction, expectRows, fetchLinkedFile, goTo, listRegion } from './page-helpers.ts'

test.use({ dollars: 300 })

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
  const path = await print.getAttribute('href')
  const file = await fetchLinkedFile(page, print)
  expect([file.type, file.bytes.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-'])

  await page.goto('/main/batch-orders/end-of-day')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.locator('[aria-current]')).toHaveText('Batch Orders')
  await page.getByRole('main').getByRole('link', { name: 'Batch Orders' }).click()
  await expect(page).toHaveURL(/\/batch-orders$/)

  await goTo(page, 'Orders')
  const line = listRegion(page, 'Orders List').getByRole('row').filter({ hasText: 'June Rivera' })
  await line.getByRole('link', { name: 'June Rivera' }).first().click()
  const form = page.getByRole('definition').getByRole('link', { name: /^#\d+, PDF$/ })
  await expect(form).toHaveAttribute('href', path!)
  await page.goBack()
  await chooseAction(page, line, 'Void label', 'June Rivera')
  await expect(page.getByRole('dialog', { name: 'Void this label?' })).toContainText(
    '1 label is on a SCAN form that still counts it. Don’t hand over that parcel.',
  )
})

test('no SCAN form is made of the day before while the date cannot be read', async ({
  page,
  customer: { api, user, token },
}) => {
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.goto('/main/end-of-day')
  const waiting = page.getByRole('region', { name: 'Parcels without a SCAN form' })
  const make = waiting.getByRole('button', { name: /^Create SCAN form/ })
  await expect(make).toBeEnabled()
  const day = waiting.getByRole('textbox')
  const shown = await day.inputValue()
  await day.fill('12/20/2026')
  await expect(make).toBeDisabled()
  await day.press('Tab')
  await expect(waiting.getByText('Enter a date as dd-mm-yyyy')).toBeVisible()
  await day.fill(shown)
  await expect(make).toBeEnabled()
})

test('when the other parcels cannot be loaded, the first ones stay, and so does what was left out', async ({
  page,
  customer: { api, user, token },
}) => {
  const receivers = Array.from({ length: FIRST_LABELS + 2 }, (_, n) => `Receiver ${n}`)
  for (const receiver_name of receivers) {
    const { status, body } = await api.call(
      placeOrder,
      { body: singleOrderBody(user._id, { receiver: { receiver_name } }) },
      token,
    )
    expect(status, body.message).toBe(200)
  }
  const allParcels = `**/candidates?*labels=${MAX_DESCRIBED_LABELS}`
  await intercept(page, allParcels, route => route.fulfill({ status: 500 }))
  await page.goto('/main/batch-orders/end-of-day')
  const waiting = page.getByRole('region', { name: 'Parcels without a SCAN form' })
  const parcels = waiting.getByRole('checkbox', { name: /^On the form: / })
  await expect(parcels).toHaveCount(FIRST_LABELS)
  await parcels.first().uncheck()
  await waiting.getByRole('button', { name: `Show all ${receivers.length}` }).click()
  await expect(waiting.getByRole('alert')).toContainText('We couldn’t load the other parcels')
  await expect(parcels.first()).not.toBeChecked()

  await page.unroute(allParcels)
  await waiting.getByRole('button', { name: 'Try again' }).click()
  await expect(parcels).toHaveCount(receivers.length)
  await expect(waiting.getByRole('alert')).toHaveCount(0)
  await expect(waiting).toContainText(`${receivers.length - 1} of ${receivers.length} parcels`)
  await expect(
    waiting.getByRole('checkbox', { name: /^On the form: /, checked: false }),
  ).toHaveCount(1)

  // The next visit asks again and begins with the first ones.
  await goTo(page, 'Batch Orders')
  await page.goBack()
  await expect(parcels).toHaveCount(FIRST_LABELS)
})

test('several pages back, the field shows the day of that page', async ({
  page,
  customer: { api, user, token },
}) => {
  await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  await page.goto('/main/batch-orders/end-of-day?day=2026-01-05')
  const day = page.getByRole('region', { name: 'Parcels without a SCAN form' }).getByRole('textbox')
  await expect(day).toHaveValue('05-01-2026')
  await goTo(page, 'Orders')
  await listRegion(page, 'Orders List').getByRole('link', { name: 'End of day' }).click()
  await day.fill('')
  await page.evaluate(() => history.go(-2))
  await expect(day).toHaveValue('05-01-2026')
})
