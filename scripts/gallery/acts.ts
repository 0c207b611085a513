/** What is done on a page before its picture. */
import type { Locator, Page } from '@playwright/test'
import Papa from 'papaparse'
import type { ProofMethod } from '#contract/second-factor.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { orderRows } from './order-rows.ts'

export const press =
  (name: string | RegExp, exact = false) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact }).first().click()

/** Opens the calendar of a list's filters, which are behind a button on phones. */
export async function openCalendar(page: Page): Promise<void> {
  const calendar = page.getByRole('button', { name: 'Open calendar' }).first()
  const filters = page.getByRole('button', { name: 'Filters' })
  await calendar.or(filters).first().waitFor()
  if (await filters.isVisible()) await filters.click()
  await calendar.click()
}

/** Submits an empty form. The page may still be starting, so its messages come a moment later. */
export const submitEmpty =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await press(name, true)(page)
    await page.locator('[aria-invalid="true"]').first().waitFor()
  }

/** Chooses from the menu of the first row. */
const chooseInMenu =
  (action: string) =>
  async (page: Page): Promise<void> => {
    await press(/^More actions/)(page)
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }

/** Narrow cards of a list have a menu in place of the buttons of a row. */
const NARROW_PX = 600
export const actOnRow =
  (action: string) =>
  (page: Page): Promise<void> =>
    (page.viewportSize()?.width ?? NARROW_PX) < NARROW_PX
      ? chooseInMenu(action)(page)
      : press(action)(page)

const upload = (page: Page, name: string, text: string): Promise<void> =>
  page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const ROWS = 12

/** A file of the bulk page. One row has no ZIP. */
export async function uploadRows(page: Page): Promise<void> {
  const file = orderRows(ROWS, 0, n => (n === 4 ? { ToZipPostal: '' } : {}))
  await upload(page, 'orders.csv', csvOf(file))
  await page.getByText(file[1]!.ToRecipientName).first().waitFor()
}

/** A file with columns that are not known. */
export async function uploadOwnColumns(page: Page): Promise<void> {
  const orders = [
    ['Order Ref', 'Kunde', 'Road', 'Town', 'ST', 'Code', 'Weight (oz)'],
    ['A-1', 'June Rivera', '2210 E Olive Ave', 'Fresno', 'CA', '93701', '8'],
    ['A-2', 'Otto Lindgren', '22 Huot Circle', 'Gresham', 'OR', '97030', '20'],
  ]
  await upload(page, 'week-46.csv', Papa.unparse(orders))
  await page.getByRole('dialog', { name: 'Match columns' }).waitFor()
}

/** `title`: of the dialog that is waited for; `faulty` rows have the command of the sandbox. */
type Submission = { title: string | RegExp; command: string; faulty: number }

const submit =
  ({ title, command, faulty }: Submission) =>
  async (page: Page): Promise<void> => {
    // Other parcels each time: the page asks before it orders rows that have labels already.
    const firstNumber = Date.now() % 100_000
    const file = orderRows(ROWS, 0, n => ({
      ToStreet1: `${firstNumber + n} Cedar Ln`,
      ToStreet2: n <= faulty ? command : '',
    }))
    await choose(page.getByRole('main'), 'Service', 'USPS Ground Advantage')
    await upload(page, 'orders.csv', csvOf(file))
    await press('Submit')(page)
    await page.getByRole('dialog', { name: title }).waitFor({ timeout: 60_000 })
  }

/** Orders labels and waits for the end; `refused` of them the carrier does not sell. */
export const submitRows = (refused: number) =>
  submit({
    title: refused === 0 ? 'Order Processed Successfully!' : /^Order Processed With/,
    command: 'SANDBOX REFUSE',
    faulty: refused,
  })

/** Orders labels of which some are answered after the carrier's timeout: they run while the pictures are taken. */
export async function submitLateRows(page: Page): Promise<void> {
  await submit({ title: 'Processing Bulk Order', command: 'SANDBOX LATE', faulty: 5 })(page)
  await page
    .getByRole('dialog')
    .getByText(`${ROWS - 5} of ${ROWS}`, { exact: true })
    .first()
    .waitFor()
}

/** Phones have the system's own lists. */
async function choose(place: Locator, label: string, option: string): Promise<void> {
  const field = place.getByRole('combobox', { name: label, exact: true }).first()
  if ((await field.evaluate('field => field.tagName')) === 'SELECT')
    return void (await field.selectOption({ label: option }))
  await field.click()
  await place.page().getByRole('option', { name: option, exact: true }).click()
}

/** The form of a label, as far as the prices of the services need it. */
export async function fillForm(page: Page): Promise<void> {
  const fields = {
    'Package Information': {
      'Weight (lb)': '12',
      'Length (in)': '9',
      'Width (in)': '6',
      'Height (in)': '3',
    },
    'To Address': {
      Name: 'June Rivera',
      Street: '2210 E Olive Ave',
      City: 'Fresno',
      Zip: '93701',
    },
  }
  for (const [name, values] of Object.entries(fields)) {
    const section = page.getByRole('region', { name })
    for (const [label, value] of Object.entries(values))
      await section.getByRole('textbox', { name: label, exact: true }).fill(value)
  }
}

/** Half an address, sent: the fields that are missing say so. */
export async function typeFirstAddress(page: Page): Promise<void> {
  const form = page.getByRole('region', { name: 'Add Address' })
  const fields = { Name: 'Cole Ceramics', Street: '2210 E Olive Ave', City: 'Fresno' }
  for (const [label, value] of Object.entries(fields))
    await form.getByRole('textbox', { name: label, exact: true }).fill(value)
  await submitEmpty('Add Address')(page)
}

export async function payInvoice(page: Page): Promise<void> {
  await press('Pay with Bitcoin')(page)
  await page.locator('iframe').first().waitFor()
}

export async function addAnApp(page: Page): Promise<void> {
  await press('Add an authenticator app')(page)
  await page.getByRole('dialog').waitFor()
}

/** Waits for what a link of the list leads to. */
const openLink =
  (start: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(`a[href^="${start}"]`).first().click()
    await page.waitForURL(url => url.pathname.startsWith(start))
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle')
  }

export async function openLabel(page: Page): Promise<void> {
  await openLink('/main/orders/')(page)
  await page.getByRole('heading', { name: /^Label for/ }).waitFor()
}

export async function openTrackingPage(page: Page): Promise<void> {
  await openLabel(page)
  await openLink('/track/')(page)
  await page.getByRole('heading', { name: 'Parcel', exact: true }).waitFor()
}

export const openAdminLabel = openLink('/admin/order-label-management/')

export const viewAccount =
  (part?: string) =>
  async (page: Page): Promise<void> => {
    await chooseInMenu('View account')(page)
    const parts = page.getByRole('navigation', { name: 'Parts of the account' })
    await parts.waitFor()
    if (part) await parts.getByRole('link', { name: part, exact: true }).click()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  }

export async function actAsUser(page: Page): Promise<void> {
  await chooseInMenu('Log in as user')(page)
  const question = page.getByRole('dialog')
  await question.getByRole('textbox', { name: 'Reason' }).fill('Asked on the phone')
  await question.getByRole('button', { name: 'Log in as user' }).click()
  await page.getByRole('complementary', { name: 'Signed in as a user' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
}

export const showFailedLabels = chooseInMenu('Show failed labels')

export const openPrintOptions = chooseInMenu('Print options')

/** Two of the list, as a seller picks labels to print. */
export async function selectLabels(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Select label for/ })
  await boxes.nth(0).click()
  await boxes.nth(1).click()
}

/** As more than half an hour after the sign-in. */
export const askWhoItIs =
  (...methods: ProofMethod[]) =>
  async (page: Page): Promise<void> => {
    const json = {
      code: 'proof_required',
      message: 'Please confirm first that it is you.',
      methods,
    }
    await page.route(
      url => url.pathname.endsWith('/totp'),
      route => route.fulfill({ status: 403, json }),
    )
    await press('Add an authenticator app')(page)
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
  }
