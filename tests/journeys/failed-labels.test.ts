import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { rows } from '#tests/support/rows.ts'
import { findCell, expectOrderEnd, tableFigure, openTable, submitTable } from './bulk-page.ts'
import { test } from './customer-fixture.ts'
import { balance, chooseAction, expectRows, goTo, listRegion } from './page-helpers.ts'

test.use({ dollars: 100 })

test('refused labels cost nothing, are bought again, and edited by hand', async ({ page }) => {
  const faults: Record<number, string> = {
    2: 'SANDBOX REFUSE',
    4: 'SANDBOX REFUSE ONCE',
    5: 'SANDBOX REFUSE ONCE',
  }
  await openTable(
    page,
    rows(6, n => ({ ToStreet2: faults[n] ?? '' })),
  )
  await submitTable(page)
  let overlay = await expectOrderEnd(page, 'Order Processed With 3 Failed Label(s)')
  await expect(
    overlay.getByText('3 label(s) failed to process. Please check the error logs.'),
  ).toBeVisible()
  await expect(overlay.getByText('3 of 6 labels ready')).toBeVisible()
  const reasons = overlay.getByRole('list', { name: 'Reasons' })
  await expect(reasons.getByRole('listitem')).toHaveText([
    new RegExp(
      '^Address not deliverable Check street and ZIP. Receiver 2 2 Old Post Rd, Fresno CA 93701 Row 2 '
        + 'Receiver 4 4 Congress Ave, Bend OR 97701 Row 4 Receiver 5 5 Hillcrest Blvd, Austin TX 78701 Row 5$',
    ),
  ])
  await expect(overlay.getByText('$19.50 is back in your balance.')).toBeVisible()
  await expect(overlay.getByText('$19.50 charged, $80.50 left')).toBeVisible()
  await expect(balance(page)).toContainText('$80.50')

  await overlay.getByRole('button', { name: 'Retry 3 Failed Label(s)' }).click()
  overlay = await expectOrderEnd(page, 'Order Processed With 1 Failed Label(s)')
  await expect(overlay.getByText('2 labels recovered. 1 still failed.')).toBeVisible()
  await expect(overlay.getByText('$6.50 is back in your balance.')).toBeVisible()
  await expect(overlay.getByRole('alert')).toHaveCount(0)
  await expect(overlay.getByRole('link', { name: 'Fix rows' })).toHaveAttribute(
    'href',
    /^\/main\/bulk-order\?failed=\d+$/,
  )
  await overlay.getByRole('button', { name: 'Close' }).click()
  await expect(balance(page)).toContainText('$67.50')

  await goTo(page, 'Batch Orders')
  const batches = listRegion(page, 'Batch Orders')
  await expectRows(batches, [
    {
      Created: /^labels\.csv · #\d+/,
      Status: /^Completed with errors \(1 Failed\) 5 of 6 bought$/,
      Price: '$32.50 of $39.00 ordered',
    },
  ])
  await chooseAction(page, batches, 'Show failed labels')
  const details = page.getByRole('dialog', { name: '1 failed label' })
  await expect(details).toHaveAccessibleName(/^1 failed label labels\.csv · #\d+$/)
  await expect(details.getByRole('rowheader')).toHaveText(
    /Address not deliverable.*Check street and ZIP\./,
  )
  await expectRows(details, [
    { Row: '2', Receiver: 'Receiver 2', Address: '2 Old Post Rd, Fresno CA 93701' },
  ])
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()

  for (const [action, name, start] of [
    ['Failed rows as CSV', /^failed-rows-\d+\.csv$/, '\ufeff?FROM NAME'],
    ['Failed rows as Excel', /^failed-rows-\d+\.xlsx$/, 'PK'],
    ['Result as Excel', /\.xlsx$/, 'PK'],
    ['Packing slips', /\.pdf$/, '%PDF'],
    ['Pick list', /\.pdf$/, '%PDF'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chooseAction(page, batches, action),
    ])
    expect(download.suggestedFilename()).toMatch(name)
    expect((await readFile(await download.path())).toString()).toMatch(new RegExp(`^${start}`))
  }

  await batches.getByRole('link', { name: 'Fix rows' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('1')
  await (await findCell(page, 1, 'To', 'Street 2')).dblclick()
  await page.keyboard.type('Apt 4B')
  await page.keyboard.press('Enter')
  await expect(await findCell(page, 1, 'To', 'Street 2')).toHaveText('Apt 4B')
  await submitTable(page)
  await (
    await expectOrderEnd(page, 'Order Processed Successfully!')
  )
    .getByRole('button', { name: 'Close' })
    .click()
  await expect(balance(page)).toContainText('$61.00')

  // What was taken over into the new order is not bought again by the old one.
  await goTo(page, 'Batch Orders')
  await expectRows(batches, [
    { Status: /^Completed 1 label/, Price: '$6.50' },
    { Status: /^Completed with errors \(1 Failed\)/ },
  ])
  await expect(batches.getByRole('button', { name: /^Retry Failed/ })).toBeHidden()
  await expect(batches.getByRole('link', { name: /^Fix rows/ })).toBeHidden()
})

test('an order of only refused labels costs nothing, and its rows are put back', async ({
  page,
}) => {
  await openTable(
    page,
    rows(2, () => ({ ToStreet2: 'SANDBOX REFUSE' })),
  )
  await submitTable(page)
  const overlay = await expectOrderEnd(page, 'Order Processed With 2 Failed Label(s)')
  await expect(balance(page)).toContainText('$100.00')
  await overlay.getByRole('link', { name: 'Fix rows' }).click()
  await expect(tableFigure(page, 'Count')).toHaveText('2')
})
