/** Asks axe-core about a page as it stands, in words that lead to the offending place. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import type { Frame, Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Each violation as 'rule: what is wrong: where: html', of a page or of a frame in it. Waits for what is still moving. `within`: a
 * selector of the only part to judge, such as a dialog over a page that was judged before.
 */
export async function axeViolations(
  page: Page | Frame,
  options: RunOptions = {},
  within = 'html',
): Promise<string[]> {
  // Once for a document. Not as a script element: the content policy of the pages would refuse it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  // The sheets are not read as texts: no rule that is asked needs them.
  const all: RunOptions = {
    resultTypes: ['violations'],
    preload: { assets: ['media'] },
    ...options,
  }
  const { violations: found } = await page.evaluate(runAxe, { options: all, within })
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) =>
      [id, help, target.join(' '), html.slice(0, 200), any[0]?.message ?? ''].join(': '),
    ),
  )
}

/** A dialog keeps its width for a moment when the window gets smaller. */
const fits = (page: Page): Promise<boolean> =>
  expect
    .poll(() => horizontalOverflow(page))
    .toBeLessThanOrEqual(0)
    .then(
      () => true,
      () => false,
    )

/** Desktop, phone, and the narrowest supported screen. */
export const WIDTHS = [1440, 390, 320]

/**
 * Looks at places of one page, in windows of these widths and in both themes, and collects what is wrong; the window is left as wide as
 * the first. In the dark only the colors are different.
 */
export function createInspector(page: Page, widths: readonly number[] = WIDTHS) {
  const found: string[] = []
  const add = (place: string, faults: string[]) =>
    void found.push(...faults.map(text => `${place}: ${text}`))
  return {
    found,
    async look(place: string, at = widths, within?: string): Promise<void> {
      for (const width of at) {
        await resize(page, width)
        add(`${place} at ${width} px`, await axeViolations(page, rulesAt(width), within))
        if (!(await fits(page))) add(`${place} at ${width} px`, ['moves sideways'])
        if (width === 320) continue
        await page.emulateMedia({ colorScheme: 'dark' })
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
        add(
          `${place} at ${width} px, dark`,
          await axeViolations(page, { runOnly: ['color-contrast'] }, within),
        )
        await page.emulateMedia({ colorScheme: 'light' })
      }
      await resize(page, widths[0]!)
    },
  }
}

/** No style below 390 px changes a color, so contrast is judged at 1440 and 390 px. */
const rulesAt = (width: number): RunOptions =>
  width < 390 ? { rules: { 'color-contrast': { enabled: false } } } : {}

/** Frames until a page has its new layout: one for media queries, one for boxes that observe their size, and one that shows both. */
const LAYOUT_FRAMES = 3
/** A browser may stop drawing for a while. */
const MAX_FRAME_MS = 1_000

/**
 * Sets the width of the window and keeps its height. Returns when the page is laid out for that width: a click on a button that is just
 * being replaced, as when the fields of a side panel move into a table row, would be lost.
 */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: page.viewportSize()!.height })
  await page.evaluate(
    async ([frames, maxMs]) => {
      for (let frame = 0; frame < frames; frame++) {
        await Promise.race([
          new Promise(requestAnimationFrame),
          new Promise(resolve => setTimeout(resolve, maxMs)),
        ])
        // React renders in a task of its own.
        await new Promise(resolve => setTimeout(resolve))
      }
    },
    [LAYOUT_FRAMES, MAX_FRAME_MS] as const,
  )
}

/** How far the page can be moved sideways, in px; none should be. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Judges the page at the end of all that moves: what is fading has paler letters. It is brought to its end rather than waited for, since
 * what the browser does not draw never gets there. A toast may begin to leave at any moment, so between the last look for what moves and
 * axe's own there is no other turn of the page. A spinner has no end.
 */
async function runAxe({
  options,
  within,
}: {
  options: RunOptions
  within: string
}): Promise<AxeResults> {
  const { axe } = window as unknown as {
    axe: { run(within: string, options: RunOptions): Promise<AxeResults> }
  }
  const ending = () =>
    document
      .getAnimations()
      .filter(({ playState }) => playState !== 'finished')
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  for (let moving = ending(); moving.length > 0; moving = ending()) {
    for (const one of moving) one.finish()
    await new Promise(requestAnimationFrame)
  }
  return axe.run(within, options)
}
