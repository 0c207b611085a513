import { usd } from '#contract/money.ts'
import type { PageFacts } from '#contract/page-template.ts'
import type { Context } from '#server/platform/context.ts'
import { flatPrice } from './rules.ts'
import { listDefaultServices } from './service.ts'

/** How long the pages may show an old price. Charges are always quoted afresh. */
const PRICE_CACHE_MS = 10_000

/**
 * The facts of public pages. While the database is slow or unreachable, they keep the last known
 * price.
 */
export function openPageFacts({ config, database }: Context): () => Promise<PageFacts> {
  let price: string | null = null
  let loadedAt = -Infinity
  let firstLoad: Promise<void> | undefined

  const load = async (): Promise<void> => {
    const cents = flatPrice(await listDefaultServices(database.db))
    price = cents === null ? null : usd(cents)
  }
  return async () => {
    if (Date.now() - loadedAt > PRICE_CACHE_MS) {
      loadedAt = Date.now()
      const loading = load().catch(() => {})
      firstLoad ??= loading
    }
    await firstLoad
    return {
      year: String(new Date().getFullYear()),
      url: config.publicUrl,
      price,
      community: config.communityUrl ?? null,
      chat: config.chatWidgetUrl ?? null,
    }
  }
}
