// The way of a new seller in the installed Firefox, driven over WebDriver BiDi: register, top up,
// one label, a file of 30 rows, the retry of a refused one, the files. `npm test` runs it where
// there is a Firefox. FIREFOX_PATH names another one.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer from 'puppeteer-core'
import startJourneyServer from '#tests/journeys/global-setup.ts'
import { keepTestDataInMemory } from '#tests/support/memory-folder.ts'
import { rows } from '#tests/support/rows.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { createWalker } from './walker.ts'
import type { Walker } from './walker.ts'

const PASSWORD = 'a long enough passphrase'
/** Above the time of the slowest step on a slow machine. */
const STEP_TIMEOUT_MS = 120_000

keepTestDataInMemory()
const stopServer = await startJourneyServer()
const folder = await mkdtemp(join(tmpdir(), 'evenpost-firefox-'))
/** What Firefox shows when a step fails. */
const pictures = join(import.meta.dirname, '..', '..', 'test-results')
const downloads = join(folder, 'downloads')
await mkdir(downloads)
try {
  await walk()
} finally {
  await stopServer()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function walk(): Promise<void> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX_PATH!,
    headless: true,
    timeout: STEP_TIMEOUT_MS,
    userDataDir: join(folder, 'profile'),
    defaultViewport: { width: 1440, height: 900 },
    extraPrefsFirefox: {
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
      'browser.download.always_ask_before_handling_new_types': false,
      'browser.download.alwaysOpenPanel': false,
    },
  })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(STEP_TIMEOUT_MS)
    const faults: string[] = []
    page.on('pageerror', error => faults.push(String(error)))
    const walker = createWalker(page, process.env.JOURNEY_URL!)
    for (const step of [register, topUp, buyOneLabel, buyFile, retryFailed, downloadFiles]) {
      process.stdout.write(`Firefox: ${step.name}\n`)
      await step(walker).catch(async (error: unknown) => {
        await mkdir(pictures, { recursive: true })
        await page.screenshot({ path: join(pictures, 'firefox.png') })
        throw error
      })
    }
    assert.deepEqual(faults, [], 'errors that Firefox reports')
    process.stdout.write('Firefox: the walk has no fault\n')
  } finally {
    await browser.close()
  }
}

async function register(walker: Walker): Promise<void> {
  await walker.open('/register')
  await walker.fill({
    Name: 'Dana Cole',
    Email: `dana-${crypto.randomUUID()}@example.com`,
    Password: PASSWORD,
    'Confirm Password': PASSWORD,
  })
  await walker.press('button', 'Register')
  await walker.see('Welcome to Our Platform!')
  await walker.press('button', 'Skip for now')
  await walker.see('$0.00')
}

async function topUp(walker: Walker): Promise<void> {
  await walker.open('/main/deposit')
  await walker.press('button', 'Pay with Bitcoin')
  const payment = await walker.frame('Sandbox payment')
  await payment.press('button', 'Change amount')
  await payment.fill({ 'Amount in US dollars': '300' })
  await payment.press('button', 'Pay $300.00')
  await payment.see('Paid: $300.00 is in your balance.')
  await payment.press('button', 'Close')
  await walker.seeBalance('$300.00')
}

async function buyOneLabel(walker: Walker): Promise<void> {
  await walker.open('/main/order-label')
  await walker.choose('Service', 'USPS Priority Mail')
  await walker.fill({
    'Weight (lb)': '2.5',
    'Length (in)': '9',
    'Width (in)': '6',
    'Height (in)': '3',
  })
  await walker.within('From Address', async from => {
    await from.fill({
      Name: 'Dana Cole',
      Street: '100 Congress Ave',
      City: 'Austin',
      Zip: '78701',
    })
    await from.choose('State', 'TX · Texas')
  })
  await walker.within('To Address', to =>
    to.fill({ Name: 'June Rivera', Street: '2210 E Olive Ave', City: 'Fresno', Zip: '93701' }),
  )
  await walker.see('Leaves $290.50 in your balance')
  await walker.press('button', 'Order Label')
  await walker.see('Label Created Successfully!')
  const label = await walker.fetchLink('Download Label PDF')
  assert.equal(label.type, 'application/pdf')
  assert.equal(label.start, '%PDF')
  await walker.press('button', 'Close')
  await walker.seeBalance('$290.50')
}

async function buyFile(walker: Walker): Promise<void> {
  const file = join(folder, 'orders of Monday.csv')
  const faults: Record<number, string> = { 7: 'SANDBOX REFUSE ONCE', 11: 'SANDBOX REFUSE' }
  await writeFile(file, csvOf(rows(30, n => ({ ToStreet2: faults[n] ?? '' }))))
  await walker.open('/main/bulk-order')
  await walker.choose('Service', 'USPS Ground Advantage')
  await walker.upload('Click or Drag & drop to upload Amazon file / CSV', file)
  await walker.see('File Uploaded successfully.')
  await walker.see('Receiver 1')
  await walker.press('button', 'Submit')
  await walker.see('Order Processed With 2 Failed Label(s)')
  await walker.seeBalance('$108.50')
}

async function retryFailed(walker: Walker): Promise<void> {
  await walker.press('button', 'Retry 2 Failed Label(s)')
  await walker.see('Order Processed With 1 Failed Label(s)')
  await walker.press('button', 'Close')
  await walker.seeBalance('$102.00')
}

async function downloadFiles(walker: Walker): Promise<void> {
  await walker.open('/main/batch-orders')
  await walker.pressStarting('button', 'More actions')
  await walker.press('menuitem', 'Failed rows as CSV')
  const saved = await walker.until('the downloaded file', async () => {
    const [name] = (await readdir(downloads)).filter(one => one.endsWith('.csv'))
    const text = name ? await readFile(join(downloads, name), 'utf8') : ''
    return text.length > 0 ? text : undefined
  })
  assert.match(saved, /^\ufeff?FROM NAME/)
  assert.match(saved, /Receiver 11/)
  assert.doesNotMatch(saved, /Receiver 7\b/)
}
