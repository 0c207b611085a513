/** Walks the places in a browser and takes their pictures. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { findChromium } from '#scripts/chromium.ts'
import type { Place } from './places.ts'
import type { Site, Viewer } from './site.ts'

/** Phone, tablet, laptop, large screen. */
export const WIDTHS = [390, 820, 1440, 1920] as const
/** Where axe looks; the others differ from these in their layout alone. */
const AXE_WIDTHS: readonly number[] = [390, 1440]
/** The narrowest supported screen. Only measured. */
export const NARROWEST = 320
const TOUCH_UP_TO = 820
/** A taller page is cut. */
const MOST_HEIGHT = 6_000
const THEME_TIMEOUT_MS = 2_000
const SETTLED_TIMEOUT_MS = 20_000
const AT_ONCE = 2
/** Longer than a skeleton's delay and the fade of a dialog, in so many checks. */
const STILL_MS = 500
const STILL_CHECKS = 4
const BUSY_COUNT = `document.querySelectorAll('[aria-busy="true"], [data-loading]').length
  + (document.fonts.status === 'loaded' ? 0 : 1)
  + [...document.images].filter(image => image.loading !== 'lazy' && !image.complete).length`

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Picture = {
  place: string
  width: number
  theme: string
  /** Its file; null where nothing was drawn: at 320 px and after a failure. */
  file: string | null
  faults: string[]
}

type WalkOptions = {
  places: readonly Place[]
  widths: readonly number[]
  themes: readonly string[]
  out: string
  say: (line: string) => void
}

/** A place that cannot be reached is a fault of its pictures, not the end of the walk. */
export async function walk(site: Site, options: WalkOptions): Promise<Picture[]> {
  const browser = await chromium.launch({ executablePath: await findChromium(options.say) })
  const jobs = options.widths.flatMap(width => options.places.map(place => ({ place, width })))
  const pictures: Picture[] = []
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const taken = await takePictures(browser, site, job, options)
      // A busy machine may miss a place once.
      pictures.push(...(isMissed(taken) ? await takePictures(browser, site, job, options) : taken))
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    await browser.close()
  }
  return pictures
}

const isMissed = (pictures: readonly Picture[]): boolean =>
  pictures.some(
    ({ file, width, faults }) => file === null && width !== NARROWEST && faults.length > 0,
  )

type Job = { place: Place; width: number }

async function takePictures(
  browser: Browser,
  site: Site,
  { place, width }: Job,
  { themes, out, say }: WalkOptions,
): Promise<Picture[]> {
  const context = await openContext(browser, site, place.as ?? 'seller', width)
  const pictures: Picture[] = []
  try {
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(`the page threw ${error.message}`))
    await visit(page, place)
    if (width === NARROWEST)
      return [
        { place: place.name, width, theme: 'light', file: null, faults: await overflow(page) },
      ]
    for (const theme of themes) {
      const faults = [
        ...(await followTheme(page, theme)),
        ...complaints.splice(0),
        ...(await overflow(page)),
      ]
      if (AXE_WIDTHS.includes(width)) faults.push(...(await axeViolations(page)))
      const file = `${slugOf(place.name)}-${width}-${theme}.png`
      await growTo(page, width)
      await page.screenshot({ path: join(out, file), animations: 'disabled' })
      pictures.push({ place: place.name, width, theme, file, faults })
    }
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    pictures.push({ place: place.name, width, theme: themes[0]!, file: null, faults: [message] })
  } finally {
    await context.close()
  }
  say(`${place.name} at ${width} px`)
  return pictures
}

/** The address of each visit: its empty cache loads some 120 files, of which an address may load 6,000 a minute. */
let visits = 0
const nextAddress = (): string => {
  visits += 1
  return `10.0.${visits >> 8}.${visits & 255}`
}

const heightFor = (width: number): number => (width < 768 ? 844 : width < 1200 ? 1180 : 900)

async function openContext(
  browser: Browser,
  { url, users }: Site,
  viewer: Viewer,
  width: number,
): Promise<BrowserContext> {
  const localStorage =
    viewer === 'visitor' ? [] : [{ name: 'evenpost.token', value: users[viewer].token }]
  return browser.newContext({
    baseURL: url,
    viewport: { width, height: heightFor(width) },
    hasTouch: width <= TOUCH_UP_TO,
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': nextAddress() },
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  })
}

/** Opens the page, waits until its lists have come, and does what the place asks for. */
async function visit(page: Page, { path, act, failing, pending, busy }: Place): Promise<void> {
  if (failing !== undefined)
    await page.route(
      url => url.pathname.startsWith(failing),
      route => route.fulfill({ status: 503, json: { message: 'The database does not answer' } }),
    )
  if (pending !== undefined)
    await page.route(
      url => url.pathname.startsWith(pending),
      () => {},
    )
  await page.goto(path)
  await page.locator('h1').first().waitFor({ timeout: SETTLED_TIMEOUT_MS })
  // A failed call is made twice more before the page says so.
  if (failing !== undefined)
    await page
      .getByRole('button', { name: 'Try again' })
      .first()
      .waitFor({ timeout: SETTLED_TIMEOUT_MS })
  if (pending === undefined) await settle(page)
  await act?.(page)
  if (pending === undefined && !busy) await settle(page)
  else await page.waitForTimeout(STILL_MS)
}

/**
 * Waits for data, charts, pictures and fonts. A skeleton comes a moment after its request, so the page
 * must be still for a while, not at one moment alone.
 */
async function settle(page: Page): Promise<void> {
  const end = Date.now() + SETTLED_TIMEOUT_MS
  for (let still = 0; still < STILL_CHECKS;) {
    const busy = Number(await page.evaluate(BUSY_COUNT))
    still = busy === 0 ? still + 1 : 0
    if (Date.now() > end) throw new Error(`the page is not settled: ${busy} parts are busy`)
    if (still < STILL_CHECKS) await page.waitForTimeout(STILL_MS / STILL_CHECKS)
  }
  await page.waitForLoadState('networkidle', { timeout: SETTLED_TIMEOUT_MS }).catch(() => {})
  await page.evaluate('document.fonts.ready.then(() => true)')
}

/** As high as the page, so that what is docked at the window's edges is drawn once and in its place. */
async function growTo(page: Page, width: number): Promise<void> {
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({
    width,
    height: Math.min(MOST_HEIGHT, Math.max(heightFor(width), height)),
  })
}

async function followTheme(page: Page, theme: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' })
  const html = page.locator(`html[data-mantine-color-scheme='${theme}']`)
  return html.waitFor({ state: 'attached', timeout: THEME_TIMEOUT_MS }).then(
    () => [],
    () => ['does not follow a change of the theme'],
  )
}

async function overflow(page: Page): Promise<string[]> {
  const pixels = Number(
    await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  )
  return pixels > 0 ? [`scrolls sideways by ${pixels} px`] : []
}

type Violation = { id: string; help: string; nodes: { target: unknown[] }[] }

async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated, not added as an element: the content policy of the pages would refuse that.
  await page.evaluate(AXE)
  const run = `axe.run(document, { resultTypes: ['violations'], preload: { assets: ['media'] } }).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target }) => ({ target })) })))`
  const violations = (await page.evaluate(run)) as Violation[]
  return violations.map(
    ({ id, help, nodes }) =>
      `axe ${id}: ${help} (${nodes.length} × ${nodes[0]?.target.join(' ') ?? ''})`,
  )
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
