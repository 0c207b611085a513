import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { rows } from '#tests/support/rows.ts'
import { axeViolations } from './accessibility-checks.ts'
import {
  chooseTableAction,
  expectOrderEnd,
  openTable,
  submitTable,
  tableFigure,
} from './bulk-page.ts'
import { labelsOf, test } from './customer-fixture.ts'
import { intercept } from './intercept.ts'
import { fillLabel } from './label-form.ts'
import { balance } from './page-helpers.ts'

/** The server accepts the order, but its response does not arrive. */
async function loseOneAnswer(page: Page, address = '**/api/orders/bulk/process/**'): Promise<void> {
  await intercept(
    page,
    address,
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
}

/** The server accepts the order, but the page is closed before the response. */
async function holdOneAnswer(page: Page): Promise<{ accepted: Promise<void> }> {
  const { promise: accepted, resolve } = Promise.withResolvers<void>()
  await intercept(
    page,
    '**/api/orders/bulk/process/**',
    async route => {
      await route.fetch()
      resolve()
    },
    { times: 1 },
  )
  return { accepted }
}

async function saveDraft(page: Page, name: string): Promise<Locator> {
  await chooseTableAction(page, 'Save draft as…')
  const drafts = page.getByRole('dialog', { name: 'Drafts' })
  await drafts.getByRole('textbox', { name: 'Name of this draft' }).fill(name)
  await drafts.getByRole('button', { name: 'Save draft' }).click()
  await expect(drafts.getByRole('button', { name: `Open ${name}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drafts).toBeHidden()
  return drafts
}

test.describe('a part of a table', () => {
  test.use({ dollars: 14 })

  test('is bought once if the page is closed before the answer, and the rest can be bought', async ({
    page,
    customer,
  }) => {
    await openTable(page, rows(3))
    const drafts = await saveDraft(page, 'All')
    await submitTable(page)
    await expect(page.getByRole('dialog', { name: 'Your balance is too low' })).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    const { accepted } = await holdOneAnswer(page)
    await page.getByRole('button', { name: 'Submit what the balance covers' }).click()
    await accepted
    await customer.api.pay(customer, 6)
    await page.reload()
    await expect(page.getByText('We got no answer to your last Submit.')).toBeVisible()
    await expect(tableFigure(page, 'Count')).toHaveText('3')
    await submitTable(page)
    const done = await expectOrderEnd(page, 'Order Processed Successfully!')
    await done.getByRole('button', { name: 'Close' }).click()
    await expect(tableFigure(page, 'Count')).toHaveText('1')
    expect(await labelsOf(customer)).toBe(2)
    await chooseTableAction(page, 'Save draft as…')
    await expect(drafts.getByRole('listitem')).toContainText('1 row,')
    await page.keyboard.press('Escape')
    await submitTable(page)
    await expectOrderEnd(page, 'Order Processed Successfully!')
    await expect(balance(page)).toContainText('$0.50')
    expect(await labelsOf(customer)).toBe(3)
  })
})

test.describe('a saved draft', () => {
  test.use({ dollars: 40 })

  test('is not bought again after its order was accepted without an answer', async ({
    page,
    customer,
  }) => {
    await openTable(page, rows(2))
    const drafts = await saveDraft(page, 'Mon')
    await loseOneAnswer(page)
    await submitTable(page)
    await expect(page.getByText('You won’t be charged twice.')).toBeVisible()
    await chooseTableAction(page, 'Save draft as…')
    await drafts.getByRole('button', { name: 'Open Mon' }).click()
    await page
      .getByRole('dialog', { name: 'Replace the rows in the table?' })
      .getByRole('button', { name: 'Replace' })
      .click()
    await submitTable(page)
    await expectOrderEnd(page, 'Order Processed Successfully!')
    await expect(balance(page)).toContainText('$27.00')
    expect(await labelsOf(customer)).toBe(2)
  })
})

test.describe('a balance for one table', () => {
  test.use({ dollars: 14 })

  test('a customer whose labels may be paid already is not told to top up for them', async ({
    page,
  }) => {
    await openTable(page, rows(2))
    await expect(page.getByText('Balance afterwards')).toBeVisible()
    await loseOneAnswer(page)
    await submitTable(page)
    await expect(page.getByText(/No answer from the server/)).toBeVisible()
    await page.reload()
    await expect(page.getByText(/We got no answer to your last Submit/)).toBeVisible()
    await expect(tableFigure(page, 'Price')).toHaveText('$13.00')
    await expect(balance(page)).toContainText('$1.00')
    await expect(page.getByText('Balance afterwards')).toBeHidden()
    await expect(page.getByText('Top up to submit.')).toBeHidden()
    await submitTable(page)
    await expectOrderEnd(page, 'Order Processed Successfully!')
  })
})

test.describe('one label', () => {
  test.use({ dollars: 60 })

  test('is bought once when its answer is lost and the page is loaded again', async ({
    page,
    customer,
  }) => {
    await page.goto('/main/order-label')
    await fillLabel(page)
    await loseOneAnswer(page, '**/api/orders/v2')
    const order = page.getByRole('button', { name: 'Order Label' })
    await order.click()
    const unclear = page.getByText('We couldn’t confirm this purchase.')
    await expect(unclear).toBeVisible()
    expect(await labelsOf(customer)).toBe(1)
    await page.reload()
    await expect(unclear).toBeVisible()
    await expect(
      page.getByRole('region', { name: 'To Address' }).getByRole('textbox', { name: 'Name' }),
    ).toHaveValue('June Rivera')
    await expect(page.getByText('Leaves $41.00 in your balance')).toBeVisible()
    await order.click()
    await expect(page.getByRole('dialog', { name: 'Label Created Successfully!' })).toBeVisible()
    expect(await labelsOf(customer)).toBe(1)
    await page.reload()
    await expect(order).toBeVisible()
    await expect(unclear).toBeHidden()
    await expect(balance(page)).toContainText('$50.50')
  })
})
