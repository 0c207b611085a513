import { expect } from '@playwright/test'
import { placeOrder } from '#contract/orders.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import {
  expectOrderEnd,
  expectPrice,
  findCell,
  openTable,
  progressDialog,
  submitButton,
  tableFigure,
} from './bulk-page.ts'
import { labelsOf, test } from './customer-fixture.ts'
import { fillLabel } from './label-form.ts'
import { balance, expectRows, goTo, listRegion } from './page-helpers.ts'

test.describe('with too little money', () => {
  test.use({ dollars: 8 })

  test('a label is refused in words, and nothing is charged', async ({ page, customer }) => {
    await page.goto('/main/order-label')
    await fillLabel(page)
    await expect(page.getByText('$1.50 short.')).toBeVisible()
    await page.getByRole('button', { name: 'Order Label' }).click()
    await expect(page.getByRole('alert').filter({ hasText: '$9.50' })).toContainText('$8.00')
    await page.getByRole('link', { name: 'Top up' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Deposit' })).toBeVisible()
    await expect(balance(page)).toContainText('$8.00')
    expect(await labelsOf(customer)).toBe(0)
  })

  test('a table says what is missing before anything is sent, and stays', async ({
    page,
    customer,
  }) => {
    await openTable(page, rows(2))
    await expect(page.getByText('$5.00 short. Top up to submit.')).toBeVisible()
    await submitButton(page).click()
    const short = page.getByRole('dialog', { name: 'Your balance is too low' })
    await expect(short).toContainText('2 labels cost $13.00. Your balance is $8.00')
    await expect(short.getByRole('link', { name: 'Top up' })).toBeVisible()
    await short.getByRole('button', { name: 'Cancel' }).click()
    expect(await labelsOf(customer)).toBe(0)
    await customer.api.pay(customer, 5)
    await page.reload()
    await expect(tableFigure(page, 'Price')).toHaveText('$13.00')
    await submitButton(page).click()
    await expect(progressDialog(page, 'Order Processed Successfully!')).toBeVisible()
    expect(await labelsOf(customer)).toBe(2)
  })

  test('a table is submitted as far as the balance goes, and the rest stays', async ({
    page,
    customer,
  }) => {
    await openTable(page, rows(3))
    await expect(page.getByText('$11.50 short. Top up to submit.')).toBeVisible()
    await submitButton(page).click()
    const short = page.getByRole('dialog', { name: 'Your balance is too low' })
    await expect(short).toContainText('the first row of the table for $6.50')
    await short.getByRole('button', { name: 'Submit what the balance covers' }).click()
    const done = await expectOrderEnd(page, 'Order Processed Successfully!')
    await done.getByRole('button', { name: 'Close' }).click()
    await expect(balance(page)).toContainText('$1.50')
    await expect(tableFigure(page, 'Count')).toHaveText('2')
    await expect(await findCell(page, 1, 'To', 'Name')).toHaveText('Receiver 2')
    await page.reload()
    await expect(tableFigure(page, 'Count')).toHaveText('2')
    expect(await labelsOf(customer)).toBe(1)
  })
})

test.describe('with money that is spent elsewhere', () => {
  test.use({ dollars: 18 })

  test('a table is refused whole, stays, and is bought as far as the money goes', async ({
    page,
    customer,
  }) => {
    await openTable(page, rows(2))
    await expect(page.getByText('Balance afterwards')).toBeVisible()
    const { token, user } = customer
    await customer.api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
    await submitButton(page).click()
    const short = page.getByRole('dialog', { name: 'Your balance is too low' })
    await expect(short).toContainText('2 labels cost $13.00. Your balance is $8.50')
    await expect(balance(page)).toContainText('$8.50')
    await expect(tableFigure(page, 'Count')).toHaveText('2')
    expect(await labelsOf(customer)).toBe(1)
    await short.getByRole('button', { name: 'Submit what the balance covers' }).click()
    await expectOrderEnd(page, 'Order Processed Successfully!')
    expect(await labelsOf(customer)).toBe(2)
  })
})

test.describe('a double click', () => {
  test.use({ dollars: 60 })

  test('on Order Label buys one label', async ({ page, customer }) => {
    await page.goto('/main/order-label')
    await fillLabel(page)
    await expect(page.getByText('Leaves $50.50 in your balance')).toBeVisible()
    await page.getByRole('button', { name: 'Order Label' }).dblclick()
    await page
      .getByRole('dialog', { name: 'Label Created Successfully!' })
      .getByRole('button', { name: 'Close' })
      .click()
    await expect(balance(page)).toContainText('$50.50')
    expect(await labelsOf(customer)).toBe(1)
  })

  test('on Submit buys the table once', async ({ page, customer }) => {
    await openTable(page, rows(3))
    await expectPrice(page)
    await submitButton(page).dblclick()
    await progressDialog(page, 'Order Processed Successfully!')
      .getByRole('button', { name: 'Close' })
      .click()
    await expect(balance(page)).toContainText('$40.50')
    expect(await labelsOf(customer)).toBe(3)
    await goTo(page, 'Batch Orders')
    await expectRows(listRegion(page, 'Batch Orders'), [{ Price: '$19.50' }])
  })
})
