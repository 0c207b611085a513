/** Bulk orders of customers, through the calls of the API. */
import { expect } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { listOrders } from '#contract/orders.ts'
import type { TestApp, TestUser } from './app.ts'

/** What a submit sends beside its rows; without `orderId` a new one is reserved. */
export type SubmitFields = Partial<Omit<RequestInput<typeof processBatch>['body'], 'orderData'>>

export function bulkOrdersOf(app: TestApp) {
  const init = async (by: TestUser): Promise<string> =>
    (await app.call(initBatch, { body: { userId: by.user._id } }, by.token)).body.orderId
  const progress = async (by: TestUser, orderId: string) =>
    (await app.call(batchStatus, { params: { orderId } }, by.token)).body
  const submit = async (by: TestUser, orderData: unknown[], fields: SubmitFields = {}) => {
    const orderId = fields.orderId ?? (await init(by))
    const body = { ...fields, orderData, orderId }
    return app.call(processBatch, { params: { userId: by.user._id }, body }, by.token)
  }
  const finished = async (by: TestUser, orderId: string): Promise<void> => {
    await expect
      .poll(async () => (await progress(by, orderId)).status, { interval: 50 })
      .toSatisfy(isTerminal)
  }
  return {
    init,
    submit,
    progress,
    finished,
    /** A new customer with this balance, in dollars. */
    async seller(dollars = 1_000): Promise<TestUser> {
      const visitor = await app.register()
      await app.creditDollars(visitor.user._id, dollars)
      return visitor
    },
    /** Submits and waits for the end. Returns the id. */
    async bought(by: TestUser, orderData: unknown[], fields: SubmitFields = {}): Promise<string> {
      const { status, body } = await submit(by, orderData, fields)
      expect(status, body.message).toBe(202)
      await finished(by, body.orderId)
      return body.orderId
    },
    labelsOf: async (by: TestUser) =>
      (await app.call(listOrders, { params: { userId: by.user._id }, query: {} }, by.token)).body
        .orders,
    /** In dollars. */
    spent: async (by: TestUser): Promise<number> =>
      (await app.call(verifySession, {}, by.token)).body.user.totalSpent,
  }
}
