import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { usd } from '#contract/money.ts'
import type { PageFacts } from '#contract/page-template.ts'
import { flatPriceFacts, PriceComparison } from '#contract/price-chart.ts'
import type { Context } from '#server/platform/context.ts'
import { flatOffer } from './rules.ts'
import { listDefaultServices } from './service.ts'

/** How long the pages may show an old price. Charges are always quoted afresh. */
const PRICE_CACHE_MS = 10_000

/** Below DATA_DIR: the operator's table of other prices, which may be missing. */
const COMPARISON_FILE = join('pages', 'price-comparison.json')

/**
 * The facts of public pages. While the database is slow or unreachable, they keep the last known
 * price.
 */
export function openPageFacts({
  config,
  database,
  log,
}: Pick<Context, 'config' | 'database' | 'log'>): () => Promise<
  Omit<PageFacts, 'pages' | 'refunds' | 'agreement'>
> {
  let offer: Pick<PageFacts, 'price' | 'flat'> = { price: null, flat: null }
  let loadedAt = -Infinity
  let firstLoad: Promise<void> | undefined
  const readComparison = comparisonReader(join(config.dataDir, COMPARISON_FILE), problem =>
    log.warn(problem),
  )

  const load = async (): Promise<void> => {
    const found = flatOffer(await listDefaultServices(database.db))
    offer = found
      ? { price: usd(found.price), flat: flatPriceFacts(found, await readComparison()) }
      : { price: null, flat: null }
  }
  return async () => {
    if (performance.now() - loadedAt > PRICE_CACHE_MS) {
      loadedAt = performance.now()
      const loading = load().catch(() => {})
      firstLoad ??= loading
    }
    await firstLoad
    return {
      year: String(new Date().getFullYear()),
      url: config.publicUrl,
      ...offer,
      community: config.communityUrl ?? null,
      chat: config.chatWidgetUrl ?? null,
    }
  }
}

/** Reads the table at each call; a wrong one is left out and reported once until it changes. */
export function comparisonReader(
  path: string,
  report: (problem: string) => void,
): () => Promise<PriceComparison | null> {
  let reported: string | null = null
  return async () => {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text === null) return null
    const read = PriceComparison.safeParse(parseJson(text))
    if (!read.success && text !== reported) {
      reported = text
      const [issue] = read.error.issues
      report(`${path} is not used: ${issue!.path.join('.') || 'the file'}: ${issue!.message}`)
    }
    return read.data ?? null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
