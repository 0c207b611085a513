/** What a person does and sees on any screen: fields, tables by their heads, files behind links. */
import { expect } from '@playwright/test'
import type { APIResponse, Locator, Page } from '@playwright/test'

/** A field, or the page or part of it that holds it. */
type Scope = Page | Locator

/** Types into fields by their labels: `fill(section, { Name: 'June Rivera' })`. */
export async function fill(place: Scope, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await place.getByRole('textbox', { name: label, exact: true }).fill(value)
}

/** Chooses from a list by its label. Phones have the system's own lists; elsewhere the list may stand anywhere in the page. */
export async function choose(
  page: Page,
  place: Scope,
  label: string,
  option: string,
): Promise<void> {
  const field = place.getByRole('combobox', { name: label, exact: true })
  if (await field.evaluate(element => element instanceof HTMLSelectElement))
    return void (await field.selectOption({ label: option }))
  await field.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Goes to a screen as one does: by the sidebar. `heading` where it says something else. */
export async function goTo(page: Page, title: string, heading = title): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: title, exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}

/** The money in the header. */
export const balance = (page: Page): Locator =>
  page.getByRole('banner').getByRole('link', { name: 'Balance' })

/** The list of that title. */
export const listRegion = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: title, exact: true })

/** Chooses from the menu of a row; with one row its name may be left out. */
export async function chooseAction(
  page: Page,
  place: Locator,
  action: string,
  row = '',
): Promise<void> {
  await place.getByRole('button', { name: `More actions, ${row}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** The rows of a list's table, each by the words of its column heads. */
export async function rowsOf(place: Locator): Promise<Record<string, string>[]> {
  const heads = await place.getByRole('columnheader').allInnerTexts()
  const rows = await place.getByRole('row').all()
  const texts = await Promise.all(rows.map(row => row.getByRole('cell').allInnerTexts()))
  return texts
    .filter(cells => cells.length > 0)
    .map(cells =>
      Object.fromEntries(
        heads.map((head, at) => [head, (cells[at] ?? '').replace(/\s+/g, ' ').trim()]),
      ),
    )
}

/** Waits until the list has these rows, by their column heads; other columns do not matter. */
export async function expectRows(
  place: Locator,
  rows: Record<string, string | RegExp>[],
): Promise<void> {
  const wanted = rows.map(row =>
    expect.objectContaining(
      Object.fromEntries(
        Object.entries(row).map(([head, text]) => [
          head,
          typeof text === 'string' ? text : expect.stringMatching(text),
        ]),
      ),
    ),
  )
  await expect.poll(() => rowsOf(place)).toEqual(wanted)
}

/**
 * The file behind a download link, asked for as the link's new tab asks: by the address alone, with the browser's cookies. A busy server
 * may answer 503, which means to ask again.
 */
export async function fetchLinkedFile(
  page: Page,
  link: Locator,
): Promise<{ type: string; bytes: Buffer }> {
  await expect(link).toHaveAttribute('target', '_blank')
  const address = (await link.getAttribute('href'))!
  let answer!: APIResponse
  await expect.poll(async () => (answer = await page.request.get(address)).status()).not.toBe(503)
  expect(answer.status(), await answer.text().catch(() => '')).toBe(200)
  return { type: answer.headers()['content-type'] ?? '', bytes: await answer.body() }
}

/**
 * Starts to watch for a text, or a name, that elements of `selector` within `root` show only briefly: on a busy machine it may be
 * gone between two looks of `expect`. Call it before the action. The returned function waits until the text was visible.
 */
export async function watchFor(
  root: Locator,
  text: string,
  selector: string,
): Promise<() => Promise<void>> {
  const watch = await root.evaluateHandle(
    (place, wanted) => ({
      seen: new Promise<void>((resolve, reject) => {
        const isShown = (one: Element) =>
          one.checkVisibility()
          && (one.getAttribute('aria-label') ?? one.textContent).includes(wanted.text)
        const watcher = new MutationObserver(() => {
          if (![...place.querySelectorAll(wanted.selector)].some(isShown)) return
          watcher.disconnect()
          resolve()
        })
        watcher.observe(place, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        })
        setTimeout(() => reject(new Error(`'${wanted.text}' was not shown`)), 600_000)
      }),
    }),
    { text, selector },
  )
  return () => watch.evaluate(({ seen }) => seen)
}

/** A file that is saved by a click. */
export async function clickAndDownload(
  page: Page,
  link: Locator,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return { name: download.suggestedFilename(), bytes: Buffer.concat(chunks) }
}

/** The text of a file that is saved by a click. */
export async function clickAndDownloadText(
  page: Page,
  link: Locator,
): Promise<{ name: string; text: string }> {
  const { name, bytes } = await clickAndDownload(page, link)
  return { name, text: bytes.toString('utf8') }
}

/** A color of an element at the end of its fade, which is brought about: a browser may draw nothing for a while. */
export const colorOf = (place: Locator, property: 'backgroundColor' | 'color'): Promise<string> =>
  place.evaluate((element, name) => {
    for (const fade of element.getAnimations()) fade.finish()
    return getComputedStyle(element)[name]
  }, property)

/** Presses Tab until `target` has the focus; a page has fewer stops than this. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < 90; stops++) {
    if (await target.evaluate(element => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}
