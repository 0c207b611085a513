import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { rows } from '#tests/support/rows.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'

/** Submits a bulk order and returns its id. Throws unless the server accepts it. */
export async function submitBulkOrder(
  ctx: ServerProcess,
  { token, user }: SignedInUser,
  labels: number,
): Promise<string> {
  const {
    body: { orderId },
  } = await ctx.call(initBatch, { body: { userId: user._id } }, token)
  const sent = await ctx.call(
    processBatch,
    { params: { userId: user._id }, body: { orderId, orderData: rows(labels) } },
    token,
  )
  if (sent.status !== 202) throw new Error(`submit: ${sent.status} ${sent.body.message}`)
  return orderId
}

export async function bulkOrderStatus(
  ctx: ServerProcess,
  { token }: SignedInUser,
  orderId: string,
): Promise<ResponseData<typeof batchStatus>> {
  const input = { params: { orderId }, query: { failedLabels: 'none' } } as const
  return (await ctx.call(batchStatus, input, token)).body
}
