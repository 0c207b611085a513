/** Requests of the browser that a journey answers itself. */
import { expect } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'

/** An address that the product does not ask for. */
const PROBE = /\/\?is-intercepted$/
const INTERCEPTED = 204

const statusOfProbe = (page: Page): Promise<number> =>
  page.evaluate(() => fetch('/?is-intercepted', { cache: 'no-store' }).then(({ status }) => status))

/**
 * `route` of Playwright may return before a page that is already loaded sends its requests to the journey: on a busy machine 8 of 600
 * clicks after it reached the server. This waits until the page does.
 */
export async function intercept(
  place: Page | BrowserContext,
  ...rule: Parameters<Page['route']>
): Promise<void> {
  await place.route(...rule)
  const pages = 'pages' in place ? place.pages() : [place]
  // Neither an empty tab nor one with an opened file asks the server for anything.
  const loaded = pages.filter(page => page.url().startsWith('http'))
  if (loaded.length === 0) return
  await place.route(PROBE, route => route.fulfill({ status: INTERCEPTED }))
  for (const page of loaded)
    await expect(async () => expect(await statusOfProbe(page)).toBe(INTERCEPTED)).toPass()
  await place.unroute(PROBE)
}

/** Holds requests of this method, or of any, and address until `release`. `sent`: the page has made one. */
export async function holdRequests(
  page: Page,
  method: string | null,
  address: string,
): Promise<{ sent: Promise<void>; release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: sent, resolve: onSent } = Promise.withResolvers<void>()
  await intercept(page, address, async route => {
    if (method === null || route.request().method() === method) {
      onSent()
      await released
    }
    await route.continue()
  })
  return { sent, release }
}
