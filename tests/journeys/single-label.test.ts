import { expect } from '@playwright/test'
import { readPdf } from '#tests/support/read-pdf.ts'
import { visitorTest as test } from './customer-fixture.ts'
import { fillLabel } from './label-form.ts'
import { balance, expectRows, fetchLinkedFile, fill, goTo, listRegion } from './page-helpers.ts'

test('a new customer tops up, buys one label, prints it and finds it again', async ({ page }) => {
  await page.goto('/register')
  await fill(page, {
    Name: 'Dana Cole',
    Email: `dana-${crypto.randomUUID()}@example.com`,
    Password: 'a long enough passphrase',
    'Confirm Password': 'a long enough passphrase',
  })
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Our Platform!' })).toBeVisible()
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await expect(balance(page)).toContainText('$0.00')

  await goTo(page, 'Deposit')
  await page.getByRole('button', { name: 'Pay with Bitcoin' }).click()
  const payment = page.getByTitle('Sandbox payment').contentFrame()
  await payment.getByRole('textbox', { name: 'Amount in US dollars' }).fill('20')
  await payment.getByRole('button', { name: 'Pay $20.00' }).click()
  await expect(payment.getByText('Paid: $20.00 is in your balance.')).toBeVisible()
  await payment.getByRole('button', { name: 'Close' }).click()
  await expect(balance(page)).toContainText('$20.00')
  await expectRows(listRegion(page, 'Deposit History'), [{ Amount: '$20.00', Status: 'Settled' }])

  await goTo(page, 'Order Label')
  await fillLabel(page)
  await expect(page.getByRole('region', { name: 'Price and order' })).toContainText('$9.50')
  await expect(page.getByText('Leaves $10.50 in your balance')).toBeVisible()
  await page.getByRole('button', { name: 'Order Label' }).click()

  const bought = page.getByRole('dialog', { name: 'Label Created Successfully!' })
  await expect(
    bought.getByText('Your shipping label has been generated and is ready for download.'),
  ).toBeVisible()
  const tracking = await bought.getByRole('button', { name: /^\d{4} \d{4}/ }).innerText()
  const { type, bytes } = await fetchLinkedFile(
    page,
    bought.getByRole('link', { name: 'Download Label PDF' }),
  )
  await bought.getByRole('button', { name: 'Close' }).click()
  await expect(bought).toBeHidden()
  await expect(balance(page)).toContainText('$10.50')

  expect(type).toBe('application/pdf')
  const pages = await readPdf(bytes)
  expect(pages).toHaveLength(1)
  const [label] = pages
  expect({ width: label!.width, height: label!.height }).toEqual({ width: 288, height: 432 })
  for (const words of [
    'JUNE RIVERA',
    '2210 E OLIVE AVE',
    'FRESNO CA 93701',
    'DANA COLE',
    'SAMPLE',
    tracking,
  ]) {
    expect(label!.text.toUpperCase()).toContain(words)
  }
  expect((await label!.barcode())?.text.replace(/\D/g, '')).toContain(tracking.replaceAll(' ', ''))

  await goTo(page, 'Orders')
  await expectRows(listRegion(page, 'Orders List'), [
    {
      Service: /^USPS Priority Mail/,
      Sender: /^Dana Cole/,
      Receiver: 'June Rivera Fresno, CA',
      'Tracking Number': tracking,
    },
  ])
  await goTo(page, 'Dashboard')
  await expectRows(listRegion(page, 'Recent Orders'), [
    { To: /^June Rivera/, 'Tracking ID': tracking },
  ])
  await expectRows(listRegion(page, 'Recent Deposits'), [{ Amount: '$20.00', Status: 'Settled' }])
  const figures = page.getByRole('region', { name: 'Account overview' })
  for (const [name, value] of [
    ['Total Deposit', '$20.00'],
    ['Total Orders', '1'],
    ['Total Spent', '$9.50'],
  ] as const) {
    await expect(figures.getByRole('heading', { name }).locator('..')).toContainText(value)
  }
})
