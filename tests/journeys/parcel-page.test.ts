import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { labelDetails } from '#contract/order-details.ts'
import { placeOrder } from '#contract/orders.ts'
import { parcelPageSettings, saveParcelPageSettings } from '#contract/parcel-pages.ts'
import type { ParcelPage } from '#contract/parcel-pages.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { createInspector } from './accessibility-checks.ts'
import { test } from './customer-fixture.ts'
import type { Customer } from './customer-fixture.ts'
import { holdRequests, intercept } from './intercept.ts'
import { fill, goTo } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

test.use({ dollars: 20 })

async function buyLabel({ api, user, token }: Customer): Promise<string> {
  const { body } = await api.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  const { orderId } = body.data
  const details = await api.call(labelDetails, { params: { orderId } }, token)
  return details.body.order.trackingPage!
}

/** The page as it is days later, with the answer of a carrier. */
const answer = (page: Page, changes: Partial<ParcelPage>) =>
  intercept(page, '**/api/track/*', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...changes } })
  })

const history = (page: Page) => page.getByRole('list', { name: 'Tracking history' })

test('a receiver reads when the label was made, and whom to ask', async ({ page, customer }) => {
  await page.goto(await buyLabel(customer))
  await expect(page.getByRole('heading', { name: 'Waiting for the first scan' })).toBeVisible()
  const created = history(page).getByRole('listitem').filter({ hasText: 'Label created' }).first()
  await expect(created.locator('time')).toBeVisible()
  await expect(page.getByText('Sample numbers can’t be tracked at USPS.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Track at USPS' })).toBeHidden()
  await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText([
    'Help',
    'Privacy Policy',
    'Contact',
  ])
  await page.getByRole('link', { name: 'Contact support' }).click()
  await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue(/^Tracking page of 98/)
})

test('steps and scans are one history, and the carrier’s page is a link', async ({
  page,
  customer,
}) => {
  const scan = (hour: number, text: string) => ({
    at: `2026-11-24T${String(hour).padStart(2, '0')}:00:00Z`,
    status: 'in_transit' as const,
    text,
    place: 'Fresno, CA',
  })
  await answer(page, {
    isSample: false,
    status: 'in_transit',
    seller: { name: 'Wool & Co', contact: '+1 541 555 0100' },
    events: [6, 5, 4, 3, 2, 1].map(hour => scan(hour, `Scan ${hour}`)),
  })
  await page.goto(await buyLabel(customer))
  const moving = history(page).locator(':scope > li').nth(1)
  await expect(moving).toHaveAttribute('aria-current', 'step')
  await expect(moving.getByText('Scan 6')).toBeVisible()
  await expect(moving.getByText('Scan 3')).toBeHidden()
  await moving.getByText('3 earlier scans').click()
  await expect(moving.getByText('Scan 1')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Track at USPS' })).toHaveAttribute(
    'href',
    /^https:\/\/tools\.usps\.com\//,
  )
  await expect(page.getByRole('link', { name: '+1 541 555 0100' })).toHaveAttribute(
    'href',
    'tel:+15415550100',
  )
  await expect(page.getByRole('definition').filter({ hasText: 'Fresno, CA' })).toHaveCount(2)
  const inspector = createInspector(page)
  await inspector.look('a parcel on its way')
  expect(inspector.found).toEqual([])
})

test('from the page of an unknown parcel a pasted link leads to the parcel', async ({
  page,
  customer,
}) => {
  const path = await buyLabel(customer)
  // Unknown, and cut off inside of a character.
  for (const link of ['A'.repeat(22), '%E0%A4%A']) {
    await page.goto(`/track/${link}`)
    await expect(page.getByRole('heading', { name: 'We can’t find this parcel' })).toBeVisible()
  }
  const find = async (typed: string) => {
    await fill(page, { 'Tracking link': typed })
    await page.getByRole('button', { name: 'Find parcel' }).click()
  }
  await find('9400 1112')
  await expect(page.getByText('That isn’t a tracking link. Check that')).toBeVisible()
  await find('9400 1112 0555 5555 5555 55')
  await expect(page.getByText('Sample numbers can’t be tracked')).toBeVisible()
  const inspector = createInspector(page)
  await inspector.look('an unknown parcel')
  expect(inspector.found).toEqual([])
  await find(`https://labels.example${path}`)
  await expect(page.getByRole('heading', { name: 'Waiting for the first scan' })).toBeVisible()
})

test('on a live site numbers lead to USPS, also while the settings are still loading', async ({
  page,
}) => {
  let answerSettings = () => {}
  const asked = new Promise<void>(resolve => (answerSettings = resolve))
  await intercept(page, '**/api/house', async route => {
    await asked
    const response = await route.fetch()
    const settings = (await response.json()) as { sandbox: object }
    const json = { ...settings, sandbox: { ...settings.sandbox, carrier: false } }
    await route.fulfill({ response, json })
  })
  await intercept(page, 'https://tools.usps.com/**', route => route.fulfill({ body: 'USPS' }))
  await page.goto(`/track/${'A'.repeat(22)}`)
  await fill(page, { 'Tracking link or number': '9400 1112' })
  await page.getByRole('button', { name: 'Find parcel' }).click()
  answerSettings()
  await expect(page.getByText('That isn’t a tracking link or a USPS tracking number')).toBeVisible()
  await fill(page, { 'Tracking link or number': '9400 1112 0555 5555 5555 55' })
  await page.getByRole('button', { name: 'Find parcel' }).click()
  await expect(page).toHaveURL(/^https:\/\/tools\.usps\.com\/.*9400111205555555555555$/)
})

test('settings of tracking pages keep what another tab saved, and what is typed meanwhile', async ({
  page,
  customer: { api, user, token },
}) => {
  const params = { userId: user._id }
  await page.clock.install()
  await page.goto('/main/account#tracking-pages')
  const seller = page.getByRole('textbox', { name: 'Sender shown to receivers' })
  const contact = page.getByRole('textbox', { name: 'Contact for receivers' })
  const save = page
    .getByRole('region', { name: 'Tracking pages' })
    .getByRole('button', { name: 'Save' })
  await expect(contact).toHaveValue('')
  await goTo(page, 'Orders')
  const elsewhere = { sellerName: '', contact: 'help@mason.example', mailsReceivers: true }
  await api.call(saveParcelPageSettings, { params, body: elsewhere }, token)
  // The page shows what it knows, and asks again.
  await page.clock.fastForward('10:00')
  await page.goBack()
  await expect(contact).toHaveValue('help@mason.example')
  await expect(save).toBeDisabled()

  const held = await holdRequests(page, 'PUT', '**/api/track/settings/**')
  await seller.fill(' Mason Mugs ')
  await save.click()
  await contact.fill('555-0110')
  held.release()
  await expectToast(page, 'Tracking pages saved')
  await expect(seller).toHaveValue('Mason Mugs')
  await expect(contact).toHaveValue('555-0110')
  const { body } = await api.call(parcelPageSettings, { params }, token)
  expect(body).toMatchObject({ ...elsewhere, sellerName: 'Mason Mugs' })
})
