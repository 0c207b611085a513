/**
 * Calls that wait for a carrier only so long, and then answer that work goes on: on a slow machine, or after one of its processes
 * stood still. These wait for the end of that work.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, retryFailedLabels } from '#contract/batches.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { labelDetails } from '#contract/order-details.ts'
import { placeOrder } from '#contract/orders.ts'
import { voidOrder, voidOrders } from '#contract/voids.ts'
import type { CallResponse, TestApp } from './app.ts'

const labelOf = async (app: TestApp, orderId: string, token: string) =>
  (await app.call(labelDetails, { params: { orderId } }, token)).body.order

const ADMITTED_WITHIN_MS = 300_000

/**
 * Repeats a call while it is refused with 429, for five minutes at most: a user has few database connections, and a request waits
 * for one only so long.
 */
export async function untilAdmitted<Answer extends { status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await send()
  for (const end = performance.now() + ADMITTED_WITHIN_MS; answer.status === 429;) {
    if (performance.now() > end) break
    await wait(200)
    answer = await send()
  }
  return answer
}

let keys = 0

/**
 * Orders a label, once, and waits until it is bought or refused. Returns the answer that a buyer with enough patience gets. `settle`:
 * what a worker does, for an app without one.
 */
export async function placeAndWait(
  app: TestApp,
  order: RequestInput<typeof placeOrder>['body'],
  token: string,
  settle?: () => Promise<unknown>,
): Promise<Pick<CallResponse<typeof placeOrder>, 'status' | 'body'>> {
  // A call that was refused may have placed its order: with its key the repeat finds it.
  const headers = { token, 'idempotency-key': `patient-${++keys}` }
  const { status, body } = await untilAdmitted(async () => {
    const sent = await app.send({ method: 'POST', url: placeOrder.path, headers, payload: order })
    return {
      status: sent.statusCode,
      body: sent.json<CallResponse<typeof placeOrder>['body']>(),
    }
  })
  if (status !== 202) return { status, body }
  const { orderId } = body.data
  await expect
    .poll(async () => {
      await settle?.()
      return (await labelOf(app, orderId, token)).status
    })
    .not.toBe('pending')
  const { tracking_number: trackingNumber, pdfName } = await labelOf(app, orderId, token)
  return {
    status: trackingNumber === null ? 422 : 200,
    body: { ...body, data: { ...body.data, trackingNumber, pdfName } },
  }
}

/**
 * Voids a label and waits until the carrier has decided. Returns the status of the answer that a caller with enough patience gets.
 * `settle`: what a worker does, for an app without one.
 */
export async function voidAndWait(
  app: TestApp,
  orderId: string,
  token: string,
  settle?: () => Promise<unknown>,
): Promise<number> {
  const { status } = await app.call(voidOrder, { params: { orderId } }, token)
  return untilDecided(app, orderId, token, status, settle)
}

/** The same for a void that was answered with `status`. */
export async function untilDecided(
  app: TestApp,
  orderId: string,
  token: string,
  status: number,
  settle?: () => Promise<unknown>,
): Promise<number> {
  if (status !== 202) return status
  const voidStatus = async () => (await labelOf(app, orderId, token)).void
  await expect
    .poll(async () => {
      await settle?.()
      return voidStatus()
    })
    .not.toBe('requested')
  return (await voidStatus()) === 'voided' ? 200 : 422
}

/** Voids labels and waits until the carrier has decided on all. `isLate`: the messages are not those of an answer in time. */
export async function voidManyAndWait(app: TestApp, orderIds: string[], token: string) {
  let sent = 0
  const { status, body } = await untilAdmitted(() => {
    sent++
    return app.call(voidOrders, { body: { orderIds } }, token)
  })
  expect(status, body.message).toBe(200)
  const results: typeof body.results = []
  for (const one of body.results) {
    const isOpen = one.void === 'requested'
    const decided = isOpen ? await untilDecided(app, one.orderId, token, 202) : undefined
    results.push(isOpen ? { ...one, void: decided === 200 ? 'voided' : 'refused' } : one)
  }
  const count = (what: string): number => results.filter(one => one.void === what).length
  return {
    voided: count('voided'),
    requested: count('requested'),
    refused: count('refused'),
    results,
    isLate: sent > 1 || body.requested > 0,
  }
}

/**
 * Retries the failed labels of a bulk order and waits for its end, and for labels whose calls had no answer in time: the order ends
 * without them. Returns the answer that a caller with enough patience gets.
 */
export async function retryAndWait(
  app: TestApp,
  orderId: string,
  token: string,
): Promise<CallResponse<typeof retryFailedLabels>> {
  const retried = await app.call(retryFailedLabels, { params: { orderId } }, token)
  const { body } = retried
  if (retried.status !== 200) return retried
  const progress = async () => (await app.call(batchStatus, { params: { orderId } }, token)).body
  const isOver = async () => {
    const { status, failedLabels } = await progress()
    return isTerminal(status) && failedLabels.every(({ code }) => code !== 'label_unknown')
  }
  if (isTerminal(body.status) && (await isOver())) return retried
  await expect.poll(isOver).toBe(true)
  const { status, fileData, processedCount, failedCount, totalCount } = await progress()
  const boughtByThen = body.finalProcessedCount - body.finalFailedCount
  return {
    ...retried,
    body: {
      ...body,
      status,
      fileData,
      finalProcessedCount: processedCount,
      finalFailedCount: failedCount,
      updatedTotalCount: totalCount,
      newlySuccessfulCount: body.newlySuccessfulCount + processedCount - failedCount - boughtByThen,
    },
  }
}
