/** On a server of its own: the operator's changes apply to everyone. */
import { expect, test } from '@playwright/test'
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test'
import { sql } from 'kysely'
import { defaultServices, setDefaultServicePrices } from '#contract/catalogue.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import {
  clusterPath,
  DATABASE_NAME,
  readClusterPassword,
} from '#server/platform/embedded-postgres/cluster.ts'
import { findClusterLocation } from '#server/platform/embedded-postgres/location.ts'
import { readPidFile } from '#server/platform/embedded-postgres/postmaster.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
import { intercept } from './intercept.ts'
import { openPageOf, startOwnServer } from './own-server.ts'
import type { OwnServer } from './own-server.ts'
import { choose, fill } from './page-helpers.ts'
import { expectToast } from './toasts.ts'

// In order: the tests share the server and its prices.
test.describe.configure({ mode: 'default' })

const ALERT =
  'Invalid price ranges. Please ensure ranges are continuous from 1 to max weight without gaps or overlaps.'
let app: OwnServer

test.beforeAll(async () => {
  app = await startOwnServer()
})
test.afterAll(() => app.end())

const pageOf = (
  browser: Browser,
  user: SignedInUser,
  options?: BrowserContextOptions,
): Promise<Page> => openPageOf(browser, app, user, options)

/** The default services, before the operator. */
async function operator(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await pageOf(browser, await app.admin(), options)
  await page.goto('/admin/default-services')
  return page
}

const card = (place: Page | Locator, name: string) =>
  place.getByRole('group', { name, exact: true })
/** Opens the field for the name of a service. */
async function rename(page: Page, service: Locator): Promise<void> {
  await service.getByRole('button', { name: /^More actions for / }).click()
  await page.getByRole('menuitem', { name: 'Edit name' }).click()
}
const editor = (page: Page, service: string) =>
  page.getByRole('dialog', { name: `Prices for ${service}` })
const range = (dialog: Locator, n: number) => dialog.getByRole('group', { name: `Range ${n}` })
/** The list of costs and margins follows it. */
const pricesOf = (place: Locator) => place.locator('dl').first().getByRole('definition')
const pricesOn = (place: Locator) => pricesOf(place).allInnerTexts()
const expectPrices = (place: Locator, prices: string[]) =>
  expect(pricesOf(place)).toHaveText(prices)

/** The price that a customer sees on the order page. */
async function expectPrice(
  page: Page,
  service: string,
  pounds: number,
  price: string,
): Promise<void> {
  await page.goto('/main/order-label')
  const parcel = page.getByRole('region', { name: 'Package Information' })
  await choose(page, parcel, 'Service', service)
  await fill(parcel, { 'Weight (lb)': String(pounds) })
  await expect(page.getByRole('region', { name: 'Price and order' })).toContainText(price)
}

/** The services and prices of a customer, over the list of users. */
async function servicesOf(page: Page, name: string): Promise<Locator> {
  await page.goto('/admin/user-management')
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Services and prices' }).click()
  return page.getByRole('dialog', { name: `Services for ${name}` })
}

test('prices by weight: a gap is shown and refused, then everyone pays the new price, and its author is recorded', async ({
  browser,
}) => {
  const service = 'USPS Priority Mail'
  const customer = await pageOf(browser, await app.register('Dana Cole'))
  await expectPrice(customer, service, 25, '$9.50')

  const page = await operator(browser)
  await card(page, service).getByRole('button', { name: 'Edit prices' }).click()
  const dialog = editor(page, service)
  await expect(dialog.getByText('Every pound from 1 to 70 has one price.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add range' }).click()
  await expect(dialog.getByText('The ranges already go up to 70 lb.')).toBeVisible()
  await fill(range(dialog, 1), { 'To (lb)': '20' })
  await dialog.getByRole('button', { name: 'Add range' }).click()
  await range(dialog, 2).getByRole('button').press('Enter')
  await expect(range(dialog, 2)).toBeHidden()
  await expect(dialog.getByRole('button', { name: 'Add range' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(range(dialog, 2).getByRole('textbox', { name: 'From (lb)' })).toHaveValue('21')
  await expect(range(dialog, 2).getByRole('textbox', { name: 'To (lb)' })).toHaveValue('70')
  await expect(dialog.getByText('Labels for 21 to 70 lb will be free.')).toBeVisible()
  await fill(range(dialog, 2), { 'From (lb)': '25', 'Price ($)': '12.5' })
  await expect(dialog.getByText('No price: 21 to 24 lb')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save prices' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(ALERT)
  await expect(range(dialog, 2).getByRole('textbox', { name: 'From (lb)' })).toBeFocused()
  await expectPrice(customer, service, 25, '$9.50')

  await fill(range(dialog, 2), { 'From (lb)': '20' })
  await expect(dialog.getByText('More than one price: 20 lb')).toBeVisible()
  await fill(range(dialog, 2), { 'From (lb)': '21' })
  await expect(dialog.getByRole('alert')).toBeHidden()
  await expect(dialog.getByRole('row', { name: '70 lb' })).toHaveText(
    /\$9\.50\s*\$12\.50\s*\+\$3\.00/,
  )
  await expect(dialog.getByRole('row', { name: '20 lb' })).toHaveText(/\$9\.50\s*\$9\.50\s*Same/)
  await dialog.getByRole('button', { name: 'Save prices' }).click()
  await expectToast(page, 'Service prices updated successfully')
  await expect(dialog).toBeHidden()
  await expect(card(page, service).getByRole('button', { name: 'Edit prices' })).toBeFocused()
  await expectPrices(card(page, service), ['$9.50', '$12.50'])
  await expectPrice(customer, service, 25, '$12.50')

  await card(page, service).getByRole('button', { name: 'Edit prices' }).click()
  await dialog.getByText('Price history').click()
  const versions = dialog.getByRole('listitem')
  const { name } = (await app.admin()).user
  await expect(versions).toContainText([
    new RegExp(`Version 2.*${name}.*1 to 20 lb \\$9.50, 21 to 70 lb \\$12.50`),
    /Version 1.*initial setup.*1 to 70 lb \$9.50/,
  ])
  await versions.last().getByRole('button', { name: 'Use these' }).click()
  await expect(range(dialog, 1).getByRole('textbox', { name: 'To (lb)' })).toHaveValue('70')

  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expectPrices(card(page, service), ['$9.50', '$12.50'])
})

test('a customer’s own price, name and switch apply only to them, and no default overrides them', async ({
  browser,
}) => {
  const ground = 'USPS Ground Advantage'
  const [erin, finn] = await Promise.all([app.register('Erin Vance'), app.register('Finn Moss')])
  const [ofErin, ofFinn] = await Promise.all([pageOf(browser, erin), pageOf(browser, finn)])
  const page = await operator(browser)
  const overlay = await servicesOf(page, 'Erin Vance')
  await expect(overlay.getByText(erin.user.email)).toBeVisible()
  await expectPrices(card(overlay, ground), ['$6.50'])

  await card(overlay, ground).getByRole('button', { name: 'Edit prices' }).click()
  await fill(range(editor(page, ground), 1), { 'Price ($)': '4.25' })
  // The defaults are copied for the customer before the price is refused; what was typed stays.
  const prices = `**/api/userServices/${erin.user._id}/*/prices`
  await intercept(page, prices, route => route.abort())
  await editor(page, ground).getByRole('button', { name: 'Save prices' }).click()
  await expect(overlay.getByText('The default services apply to this user.')).toBeHidden()
  await page.unroute(prices)
  await editor(page, ground).getByRole('button', { name: 'Save prices' }).click()
  await expectToast(page, 'Service prices updated successfully')
  await expect(overlay).toBeVisible()
  await expectPrices(card(overlay, ground), ['$4.25'])

  await rename(page, card(overlay, ground))
  await overlay.getByRole('textbox', { name: 'Service name' }).fill('Erin’s Ground')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Service name updated successfully')
  await overlay.getByRole('switch', { name: 'Enabled: USPS Priority Mail Express' }).click()
  await expectToast(page, 'Service disabled successfully')
  await page.keyboard.press('Escape')
  await expect(overlay).toBeHidden()

  await page.goto('/admin/default-services')
  await card(page, ground).getByRole('button', { name: 'Edit prices' }).click()
  await fill(range(editor(page, ground), 1), { 'Price ($)': '7' })
  await editor(page, ground).getByRole('button', { name: 'Save prices' }).click()
  await expectToast(page, 'Service prices updated successfully')
  await expectPrice(ofErin, 'Erin’s Ground', 3, '$4.25')
  await expectPrice(ofFinn, ground, 3, '$7.00')
  await ofErin.getByRole('combobox', { name: 'Service' }).click()
  await expect(ofErin.getByRole('option')).toHaveText([/^Erin’s Ground/, /^USPS Priority Mail/])

  await servicesOf(page, 'Erin Vance')
  await overlay.getByRole('button', { name: 'Return to the defaults' }).click()
  const question = page.getByRole('dialog', { name: 'Return to the default services?' })
  const answer = question.getByRole('button', { name: 'Return to the defaults' })
  const ofErinOnly = `**/api/userServices/${erin.user._id}`
  await intercept(page, ofErinOnly, route =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
  await answer.click()
  await expect(question.getByRole('alert')).toHaveText('Something went wrong. Please try again.')
  await page.unroute(ofErinOnly)
  await answer.click()
  await expect(overlay.getByText('The default services apply to this user.')).toBeVisible()
  await expectPrice(ofErin, ground, 3, '$7.00')
})

test('a service is renamed and switched off and on; a refused change stays open and says why', async ({
  browser,
}) => {
  const page = await operator(browser)
  const express = card(page, 'USPS Priority Mail Express')
  await rename(page, express)
  // While it is renamed the card is known by its old name.
  const field = page.getByRole('textbox', { name: 'Service name' })
  const save = page.locator('form', { has: field }).getByRole('button', { name: 'Save' })
  await field.fill('  ')
  await save.click()
  await expect(page.getByText('Service name cannot be empty')).toBeVisible()
  await field.fill('usps priority mail')
  await save.click()
  await expectToast(page, 'Failed to update service name: Another service already has this name')
  await expect(field).toBeFocused()
  await field.fill('Overnight')
  await save.click()
  await expectToast(page, 'Service name updated successfully')
  await expect(
    card(page, 'Overnight').getByRole('button', { name: 'More actions for Overnight' }),
  ).toBeFocused()

  const onOff = page.getByRole('switch', { name: 'Enabled: Overnight' })
  await expect(onOff).toBeChecked()
  await onOff.click()
  await expectToast(page, 'Service disabled successfully')
  await expect(onOff).not.toBeChecked()
  const customer = await pageOf(browser, await app.register('Gail Ito'))
  await customer.goto('/main/order-label')
  await customer.getByRole('combobox', { name: 'Service' }).click()
  await expect(customer.getByRole('option')).toHaveText([
    /^USPS Ground Advantage/,
    /^USPS Priority Mail/,
  ])
  await onOff.click()
  await expectToast(page, 'Service enabled successfully')
  // The tests after this one know the service by its first name.
  await rename(page, card(page, 'Overnight'))
  await field.fill('USPS Priority Mail Express')
  await save.click()
  await expect(card(page, 'USPS Priority Mail Express')).toBeVisible()
})

test('sync says what has changed at the carrier, and that nothing has', async ({ browser }) => {
  const page = await operator(browser)
  const sync = page.getByRole('button', { name: 'Sync with Raw Services' })
  await sync.hover()
  await expect(page.getByRole('tooltip', { name: 'Sync with Raw Services' })).toBeVisible()
  await sync.click()
  await expectToast(page, 'Services synchronized successfully')
  await expect(
    page.getByText('No changes. The catalog already has everything the carrier offers.'),
  ).toBeVisible()

  // As if the carrier had offered another list until now.
  await inDatabase(
    sql`update default_service set offered = false, max_weight = 50 where uid = 'usps:PRIORITY_MAIL'`,
  )
  await inDatabase(
    sql`insert into default_service (uid, name, enabled, position) values ('usps:MEDIA_MAIL', 'Media Mail', false, 9)`,
  )
  await page.reload()
  await expect(
    card(page, 'USPS Priority Mail').getByText('No longer offered by the carrier'),
  ).toBeVisible()
  await expect(
    card(page, 'USPS Priority Mail').getByText('The carrier now takes only up to 50 lb'),
  ).toBeVisible()
  const prices = await pricesOn(card(page, 'USPS Priority Mail'))
  await sync.click()
  for (const text of [
    'No longer offered: Media Mail.',
    'Offered again: USPS Priority Mail.',
    'New limit for USPS Priority Mail: 70 lb',
  ]) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(card(page, 'Media Mail').getByText('No longer offered by the carrier')).toBeVisible()
  await expectPrices(card(page, 'USPS Priority Mail'), prices)
  await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('No longer offered: Media Mail.')).toBeHidden()
})

test('while services load there are four skeletons, and a failed load can be repeated', async ({
  browser,
}) => {
  const page = await pageOf(browser, await app.admin())
  const asked = Promise.withResolvers<void>()
  await intercept(page, '**/api/rawServices', async route => {
    await asked.promise
    await route.abort()
  })
  await page.goto('/admin/default-services')
  await expect(page.locator('[aria-busy="true"] section')).toHaveCount(4)
  asked.resolve()
  await expect(page.getByText('Failed to load services data. Please try again.')).toBeVisible()
  await page.unroute('**/api/rawServices')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Original Service Data' })).toBeVisible()
})

test('the carrier’s services are scrolled by dragging, twice as far as the mouse, and by the arrow keys', async ({
  browser,
}) => {
  const page = await operator(browser, { viewport: { width: 700, height: 800 } })
  const row = page.getByRole('region', { name: 'Services offered by the carrier' })
  await expect(row).toContainText('usps:PRIORITY_MAIL_EXPRESS')
  const left = () => row.evaluate(box => box.scrollLeft)
  await row.scrollIntoViewIfNeeded()
  const { x, y } = (await row.boundingBox())!
  await page.mouse.move(x + 300, y + 40)
  await page.mouse.down()
  await page.mouse.move(x + 260, y + 40, { steps: 4 })
  await expect.poll(left).toBe(80)
  await page.mouse.up()
  await page.mouse.move(x + 200, y + 40)
  expect(await left()).toBe(80)
  await row.focus()
  await page.keyboard.press('Home')
  await expect.poll(left).toBe(0)
  await page.keyboard.press('ArrowRight')
  await expect.poll(left).toBeGreaterThan(100)
})

test('services and prices are accessible on every screen', async ({ browser }) => {
  const page = await operator(browser)
  const { look, found } = createInspector(page, [1440, 390])
  await page.getByRole('button', { name: 'Sync with Raw Services' }).click()
  await expectToast(page, 'Services synchronized successfully')
  await look('services')
  await card(page, 'USPS Priority Mail').getByRole('button', { name: 'Edit prices' }).click()
  const dialog = editor(page, 'USPS Priority Mail')
  await fill(range(dialog, 1), { 'From (lb)': '3', 'To (lb)': '80', 'Price ($)': '0' })
  await dialog.getByText('Price history').click()
  await expect(dialog.getByText('Version 1')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save prices' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await look('prices with errors')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await app.register('Hana Everywhere')
  const overlay = await servicesOf(page, 'Hana Everywhere')
  await expect(card(overlay, 'USPS Priority Mail')).toBeVisible()
  await look('services of a user')
  expect(found).toEqual([])
})

/** Directly in the server's database. */
async function inDatabase(statement: ReturnType<typeof sql>): Promise<void> {
  const place = await findClusterLocation(app.dataPath, () => {})
  const address = `127.0.0.1:${readPidFile(clusterPath(place))!.port}`
  const database = openDatabase(
    `postgres://${DATABASE_NAME}:${encodeURIComponent(await readClusterPassword(place))}@${address}/${DATABASE_NAME}`,
    { max: 1 },
  )
  try {
    await statement.execute(database.db)
  } finally {
    await database.close()
  }
}

test('an editor that stayed open does not replace the newer price of another administrator', async ({
  browser,
}) => {
  const name = 'USPS Priority Mail Express'
  const { token } = await app.admin()
  const { body: services } = await app.call(defaultServices, {}, token)
  const { _id: id, prices: seenPrices } = services.find(one => one.name === name)!
  const page = await operator(browser)
  await page.clock.install()
  await card(page, name).getByRole('button', { name: 'Edit prices' }).click()
  await fill(range(editor(page, name), 1), { 'Price ($)': '11' })
  const prices = [{ ...seenPrices[0]!, toWeight: 70, price: 44 }]
  await app.call(setDefaultServicePrices, { params: { id }, body: { prices, seenPrices } }, token)
  const loaded = page.waitForResponse('**/api/defaultServices')
  await page.clock.fastForward(20_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await loaded
  const save = page.getByRole('button', { name: 'Save prices' })
  await save.click()
  await expect(editor(page, name).getByRole('alert')).toContainText('44')
  await save.click()
  await expect(save).toBeHidden()
})
