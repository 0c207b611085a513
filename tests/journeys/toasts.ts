/**
 * Toasts as a journey sees them. One is shown for 3 seconds. After a process stood still a test would look too late, so each page
 * records the toasts that it has shown.
 */
import type { BrowserContext, Page } from '@playwright/test'

/** The texts of the toasts that this document has shown and no journey has asked for yet, oldest first. */
type RecordingWindow = { shownToasts: string[] }

/** As long as any other look at a page. */
const WAIT_MS = 300_000

/** Each document of the context records its toasts from its start. */
export const recordToasts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    // Only the region of toasts (web/ui/Toasts.tsx) has both.
    const REGION = '[aria-live="polite"][aria-relevant]'
    const { shownToasts } = Object.assign(window, { shownToasts: [] as string[] })
    new MutationObserver(changes => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          const toasts = node.parentElement?.matches(REGION)
            ? [node]
            : node.querySelectorAll(`${REGION} > *`)
          for (const toast of toasts)
            if (toast.checkVisibility()) shownToasts.push(toast.querySelector('span')!.textContent)
        }
    }).observe(document, { childList: true, subtree: true })
  })

/** Waits for a toast with exactly this text, or of this pattern. Each toast counts once, and only until another document is loaded. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const take = (wanted: string | RegExp): boolean => {
    const { shownToasts } = window as unknown as RecordingWindow
    const at = shownToasts.findIndex(shown =>
      typeof wanted === 'string' ? shown === wanted : wanted.test(shown),
    )
    if (at >= 0) shownToasts.splice(at, 1)
    return at >= 0
  }
  try {
    await page.waitForFunction(take, text, { polling: 100, timeout: WAIT_MS })
  } catch (cause) {
    const others = await page.evaluate(() => (window as unknown as RecordingWindow).shownToasts)
    throw new Error(`No toast says '${text}'. Shown were: ${JSON.stringify(others)}`, { cause })
  }
}
