/**
 * Single labels of buyers at the same time: each buyer orders a label, downloads its PDF and orders
 * the next one. Labels a second, and times from the request until the PDF.
 */
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'

/** Times in ms. */
export type SingleLabelBench = { buyers: number; perSecond: number; p50: number; p99: number }

const WARM_UP_LABELS = 100

/** One run for each number of `buyers`, of `labels` in all. */
export async function* benchSingleLabels(
  dataDir: string,
  databaseUrl: string,
  buyers: number[],
  labels: number,
): AsyncGenerator<SingleLabelBench> {
  const ctx = await startServer(dataDir, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    CALLS_PER_MINUTE: '1000000',
  })
  try {
    const users = await Promise.all(
      Array.from({ length: Math.max(...buyers) }, (_, n) => ctx.register(`Buyer ${n + 1}`)),
    )
    for (const user of users) await ctx.pay(user, 50_000)
    await buyLabels(ctx, users, WARM_UP_LABELS)
    for (const count of buyers) {
      const began = performance.now()
      const times = await buyLabels(ctx, users.slice(0, count), labels)
      const seconds = (performance.now() - began) / 1000
      const sorted = times.toSorted((a, b) => a - b)
      const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!
      yield { buyers: count, perSecond: labels / seconds, p50: at(0.5), p99: at(0.99) }
    }
  } finally {
    await ctx.stop('SIGTERM')
  }
}

/** Returns the time of each label. */
async function buyLabels(
  ctx: ServerProcess,
  buyers: SignedInUser[],
  labels: number,
): Promise<number[]> {
  const times: number[] = []
  let left = labels
  const buy = async (buyer: SignedInUser): Promise<void> => {
    while (left-- > 0) times.push(await buyOneLabel(ctx, buyer))
  }
  await Promise.all(buyers.map(buy))
  return times
}

async function buyOneLabel(ctx: ServerProcess, { token, user }: SignedInUser): Promise<number> {
  const began = performance.now()
  const { status, body } = await ctx.call(placeOrder, { body: singleOrderBody(user._id) }, token)
  if (!body.data?.pdfName) throw new Error(`one label: ${status} ${body.message}`)
  const pdf = await ctx.file(`/api/orders/download/v2/${body.data.pdfName}`, token)
  if (pdf.status !== 200) throw new Error(`its PDF: ${pdf.status}`)
  return performance.now() - began
}
