/** Asks axe-core about a page as it stands, in words that lead to the offending place. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import type { Frame, Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Each violation as 'rule: what is wrong: where: html', of a page or of a frame in it. Waits for what is still moving. */
export async function violations(page: Page | Frame, options: RunOptions = {}): Promise<string[]> {
  await page.evaluate(stillness)
  // Not as a script element: the content policy of the pages would refuse it.
  await page.evaluate(SOURCE)
  const { violations: found } = await page.evaluate(run, { resultTypes: ['violations'], ...options } satisfies RunOptions)
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) => [id, help, target.join(' '), html.slice(0, 200), any[0]?.message ?? ''].join(': ')))
}

/** Looks at places of one page in both themes and collects what is found; in the dark only the colours are different. */
export function inspector(page: Page) {
  const found: string[] = []
  return {
    found,
    async look(place: string): Promise<void> {
      const light = await violations(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
      const dark = await violations(page, { runOnly: ['color-contrast'] })
      await page.emulateMedia({ colorScheme: 'light' })
      found.push(...light.map(text => `${place}: ${text}`), ...dark.map(text => `${place}, dark: ${text}`))
    },
  }
}

/** How far the page can be moved sideways, in px; none should be. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

async function run(options: RunOptions): Promise<AxeResults> {
  const { axe } = window as unknown as { axe: { run(what: Document, options: RunOptions): Promise<AxeResults> } }
  return axe.run(document, options)
}

/** A dialog that is fading in has paler letters; a spinner never ends and is not waited for. */
async function stillness(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))
}
