/** Journeys run in a browser that saves data: the code of all pages, loaded in advance, takes as long as a page itself. */
import type { BrowserContext } from '@playwright/test'

/** The pages of this browser load only what they show (web/shell/load-page.ts). */
export const saveData = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) })
  })
