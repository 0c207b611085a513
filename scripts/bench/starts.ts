/** How soon a house serves: in an empty folder, again, and after it was killed with a bulk order half-way. It has its own database. */
import { setTimeout as wait } from 'node:timers/promises'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { invariants } from '#contract/ledger.ts'
import { isTerminal } from '#contract/progress.ts'
import { startHouse } from '#tests/support/house-process.ts'
import type { HouseProcess, SignedIn } from '#tests/support/house-process.ts'
import { rows } from '#tests/support/rows.ts'

/** ms. `onMs`: from the kill until a label is bought again; `whole`: everything is bought in the end, and the books balance. */
export type Starts = { firstMs: number; laterMs: number; onMs: number; whole: boolean }

/** The first start, a later one, and a death after about half of so many labels. */
export async function startTimes(dataDir: string, labels: number): Promise<Starts> {
  const env = { LOG_LEVEL: 'error', SANDBOX_CARRIER_LATENCY_MS: '50' }
  const timed = async (): Promise<{ house: HouseProcess; ms: number }> => {
    const began = performance.now()
    const house = await startHouse(dataDir, env)
    return { house, ms: performance.now() - began }
  }
  const first = await timed()
  await first.house.end('SIGTERM')
  const later = await timed()
  let { house } = later
  try {
    const seller = await house.register('Seller')
    await house.pay(seller, labels * 6.5)
    const orderId = await submit(house, seller, labels)
    while ((await processed(house, seller, orderId)) < labels / 2) await wait(20)
    await house.end('SIGKILL')
    const killed = performance.now()
    house = await startHouse(dataDir, env)
    const before = await processed(house, seller, orderId)
    while ((await processed(house, seller, orderId)) === before) await wait(20)
    const onMs = performance.now() - killed
    return {
      firstMs: first.ms,
      laterMs: later.ms,
      onMs,
      whole: before < labels && (await allThere(house, seller, orderId, labels)),
    }
  } finally {
    await house.end('SIGTERM')
  }
}

async function submit(
  house: HouseProcess,
  { token, user }: SignedIn,
  labels: number,
): Promise<string> {
  const {
    body: { orderId },
  } = await house.call(initBatch, { body: { userId: user._id } }, token)
  const sent = await house.call(
    processBatch,
    { params: { userId: user._id }, body: { orderId, orderData: rows(labels) } },
    token,
  )
  if (sent.status !== 202) throw new Error(`submit: ${sent.status} ${sent.body.message}`)
  return orderId
}

const now = async (house: HouseProcess, { token }: SignedIn, orderId: string) =>
  (await house.call(batchStatus, { params: { orderId }, query: { failedLabels: 'none' } }, token))
    .body
const processed = async (
  ...of: [house: HouseProcess, by: SignedIn, orderId: string]
): Promise<number> => (await now(...of)).processedCount

/** Labels that were under way when the house was killed are asked about first: that takes as long as their leases. */
async function allThere(
  house: HouseProcess,
  seller: SignedIn,
  orderId: string,
  labels: number,
): Promise<boolean> {
  for (;;) {
    const { status, processedCount, failedCount } = await now(house, seller, orderId)
    if (isTerminal(status)) {
      const { token } = await house.admin()
      const { body } = await house.call(invariants, {}, token)
      return processedCount === labels && failedCount === 0 && body.ok
    }
    await wait(200)
  }
}
