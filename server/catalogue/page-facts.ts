/** What the public pages say and only the running house knows. */
import { usd } from '#contract/money.ts'
import type { PageFacts } from '#contract/page-template.ts'
import type { Context } from '#server/platform/context.ts'
import { flatPrice } from './rules.ts'
import { listDefaultServices } from './service.ts'

/** How long a price may be told after it has changed. It binds nobody: what is charged is quoted anew. */
const PRICE_CACHE_MS = 10_000

/** Asked at each page. While the database is slow or away the page stands, with the price it last knew. */
export function openPageFacts({ config, database }: Context): () => Promise<PageFacts> {
  let price: string | null = null
  let askedAt = -Infinity
  let first: Promise<void> | undefined

  const ask = async (): Promise<void> => {
    const cents = flatPrice(await listDefaultServices(database.db))
    price = cents === null ? null : usd(cents)
  }
  return async () => {
    if (Date.now() - askedAt > PRICE_CACHE_MS) {
      askedAt = Date.now()
      const asking = ask().catch(() => {})
      first ??= asking
    }
    await first
    return {
      year: String(new Date().getFullYear()),
      url: config.publicUrl,
      price,
      community: config.communityUrl ?? null,
      chat: config.chatWidgetUrl ?? null,
    }
  }
}
