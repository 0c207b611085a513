import { expect } from '@playwright/test'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { saveParcelPageSettings } from '#contract/parcel-pages.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { test as customerTest, visitorTest as test } from './customer-fixture.ts'
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
  await fill(page, { 'Amount in US dollars': '20' })
  await expect(page.getByText('= 3 labels at $6.50')).toBeVisible()
  await page.getByRole('button', { name: 'Pay with Bitcoin' }).click()
  const payment = page.getByTitle('Sandbox payment').contentFrame()
  await expect(payment.getByText('Amount due $20.00')).toBeVisible()
  await payment.getByRole('button', { name: 'Pay $20.00' }).click()
  await expect(payment.getByText('Paid: $20.00 is in your balance.')).toBeVisible()
  await payment.getByRole('button', { name: 'Close' }).click()
  await expect(balance(page)).toContainText('$20.00')
  await expect(page.getByRole('region', { name: 'Your payment' })).toContainText(
    '$20.00 is in your balance',
  )
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

test.describe('with money', () => {
  customerTest.use({ dollars: 60 })

  customerTest(
    'a label from a pasted address and ounces, with every price in sight and updates to its receiver',
    async ({ page, customer }) => {
      const settings = { sellerName: '', contact: '', mailsReceivers: true }
      const params = { userId: customer.user._id }
      await customer.api.call(saveParcelPageSettings, { params, body: settings }, customer.token)
      await page.goto('/main/order-label')
      const parcel = page.getByRole('region', { name: 'Package Information' })
      const prices = parcel.getByRole('list', { name: 'Price with each service' })
      await expect(prices.getByRole('listitem')).toHaveText([
        /^USPS Ground AdvantageCheapest\$6\.50usually 2–5 business days$/,
        /^USPS Priority Mail\$9\.50/,
        /^USPS Priority Mail ExpressFastest\$29\.00/,
      ])
      await prices.getByRole('button', { name: /^USPS Priority Mail \$/ }).click()
      await expect(parcel.getByRole('combobox', { name: 'Service' })).toHaveValue(
        'USPS Priority Mail',
      )
      for (const [name, figure] of [
        ['Weight (lb)', '-1'],
        ['Ounces (oz)', '-4'],
        ['Quantity', '1.5'],
      ] as const) {
        const field = parcel.getByRole('textbox', { name })
        await field.fill(figure)
        await field.blur()
        await expect(field).toHaveValue(figure)
      }
      await expect(prices).toContainText('Weight must be a positive number')
      await fill(parcel, { 'Ounces (oz)': '', Quantity: '1' })
      await fill(parcel, { 'Weight (lb)': '120' })
      await expect(
        parcel.getByText(
          'USPS Priority Mail takes up to 70 lb, so we set the weight to 70. A heavier parcel cannot go with this service.',
        ),
      ).toBeVisible()
      await fill(parcel, {
        'Weight (lb)': '2',
        'Ounces (oz)': '4',
        'Length (in)': '9',
        'Width (in)': '6',
        'Height (in)': '3',
      })
      await expect(parcel.getByText('= 2.25 lb')).toBeVisible()
      await expect(parcel.getByText('so we set the weight')).toBeHidden()

      for (const [side, address] of [
        ['From Address', 'Dana Cole, 100 Congress Ave Suite 7, Austin, TX 78701'],
        ['To Address', 'June Rivera 2210 E Olive Ave Fresno CA 93701'],
      ] as const) {
        const region = page.getByRole('region', { name: side })
        await region.getByRole('button', { name: 'Paste an address' }).click()
        await region.getByRole('textbox', { name: 'Address to paste' }).fill(address)
        await region.getByRole('button', { name: 'Fill in the fields' }).click()
        await expect(
          region.getByText('Address filled in. Check it before you order.'),
        ).toBeVisible()
      }
      const email = page.getByRole('region', { name: 'To Address' }).getByLabel('Email')
      await email.fill('june@')
      await page.getByRole('button', { name: 'Order Label' }).click()
      await expect(page.getByText('Email must be an address like name@example.com')).toBeVisible()
      await email.fill('june@example.com')
      await page.getByRole('button', { name: 'Order Label' }).click()
      const bought = page.getByRole('dialog', { name: 'Label Created Successfully!' })
      await bought.getByRole('button', { name: 'Close' }).click()
      await expect(balance(page)).toContainText('$50.50')
      const { body } = await customer.api.call(
        listOrders,
        { params: { userId: customer.user._id }, query: { page: 1, limit: 7 } },
        customer.token,
      )
      expect(body.orders[0]).toMatchObject({
        sender: { sender_name: 'Dana Cole', sender_address2: 'Suite 7' },
        receiver: {
          receiver_name: 'June Rivera',
          receiver_email: 'june@example.com',
          receiver_city: expect.stringMatching(/^fresno$/i),
        },
        package: { package_weight: 2.25 },
      })

      // The bought label is in sight, and no press buys a second one by mistake.
      await expect(page.getByRole('img', { name: 'Label to June Rivera' })).toBeVisible()
      await page.getByRole('button', { name: 'New label' }).click()
      const name = page.getByRole('region', { name: 'To Address' }).getByRole('textbox', {
        name: 'Name',
        exact: true,
      })
      await expect(name).toBeFocused()
      await expect(name).toHaveValue('')
      await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Order Label' })).toBeVisible()
      await page.reload()
      await expect(parcel.getByRole('combobox', { name: 'Service' })).toHaveValue(
        'USPS Priority Mail',
      )
    },
  )
})

customerTest.describe('with a label from elsewhere', () => {
  customerTest.use({ dollars: 20 })

  customerTest(
    'the form starts with the service of the newest label',
    async ({ page, customer }) => {
      const body = singleOrderBody(customer.user._id)
      await customer.api.call(placeOrder, { body }, customer.token)
      await page.goto('/main/order-label')
      const service = page.getByRole('combobox', { name: 'Service' })
      await expect(service).toHaveValue('USPS Priority Mail')
      await expect(page.getByRole('region', { name: 'Price and order' })).toContainText('$9.50')
    },
  )
})

customerTest('a form without a service leads to the services', async ({ page }) => {
  await page.goto('/main/order-label')
  const summary = page.getByRole('region', { name: 'Price and order' })
  const cards = page.getByRole('list', { name: 'Price with each service' })
  await expect(cards.getByRole('button')).toHaveCount(3)
  await summary.getByRole('button', { name: 'Choose a service' }).click()
  const first = cards.getByRole('button').first()
  await expect(first).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(first).toHaveAttribute('aria-pressed', 'true')
  await expect(summary).toContainText('$6.50')
  await expect(summary.getByRole('button', { name: 'Choose a service' })).toBeHidden()
})
