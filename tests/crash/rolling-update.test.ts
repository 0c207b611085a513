/** A new version goes live at noon: process after process is asked to close and another takes its place, while orders come in. */
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { initBatch, processBatch } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import { cloneDatabase } from '#tests/support/database.ts'
import { countOpenWork, countLabelStates } from '#tests/support/deployment.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { repeatSpoiled } from '#tests/support/rounds.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { stopProcess, startWorkerProcess } from '#tests/support/worker-process.ts'

const ROWS = 500

test('replaced one after the other under load: no order lost, none bought twice, none left unknown', async () => {
  // A process that stands still for long ends too late, or cuts a call off at its time limit.
  const { codes, unknownCalls } = await repeatSpoiled(
    replaceAll,
    result => result.codes.some(code => code !== 0) || result.unknownCalls > 0,
  )
  expect(codes).toEqual([0, 0, 0, 0])
  expect(unknownCalls).toBe(0) // no connection closed with a pending response
})

/** Returns how the processes that were replaced have ended, and how many calls to the carrier have no known outcome. */
async function replaceAll(): Promise<{ codes: (number | null)[]; unknownCalls: number }> {
  const [{ database, drop }, data] = await Promise.all([cloneDatabase(), createDataFolder()])
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: data.path,
    ALLOW_UNSAFE_DATABASE: 'yes',
    SANDBOX_CARRIER_LATENCY_MS: '150',
    CARRIER_TIMEOUT_MS: '10000',
  }
  const startWeb = () => startServer(data.path, { ...env, ROLE: 'web' })
  const startWorker = () => startWorkerProcess({ ...env, SANDBOX_CARRIER_LATENCY_MS: '400' })
  let webs: ServerProcess[] = await Promise.all([startWeb(), startWeb()])
  let workers: ChildProcess[] = await Promise.all([startWorker(), startWorker()])
  try {
    const ana = await webs[0]!.register('Ana')
    await webs[0]!.pay(ana, 20_000)
    const {
      body: { orderId },
    } = await webs[0]!.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
    const body = { orderId, orderData: rows(ROWS) }
    const sent = await webs[0]!.call(
      processBatch,
      { params: { userId: ana.user._id }, body },
      ana.token,
    )
    expect(sent.status, sent.body.message).toBe(202)

    // Like a load balancer: a process that is unreachable or breaks off is replaced by another one.
    const order = async (): Promise<number> => {
      const key = randomUUID()
      for (;;) {
        for (const web of webs) {
          const status = await place(web, ana, key).catch(() => 0)
          if (status !== 0) return status
        }
      }
    }
    let isOver = false
    const served: number[] = []
    const counter = async (): Promise<void> => {
      while (!isOver) served.push(await order())
    }
    const counters = [counter(), counter(), counter()]
    const codes: (number | null)[] = []
    for (const i of [0, 1]) {
      const [web, worker] = await Promise.all([startWeb(), startWorker()])
      const [oldWeb, oldWorker] = [webs[i]!, workers[i]!]
      webs = webs.with(i, web)
      workers = workers.with(i, worker)
      codes.push(
        ...(await Promise.all([
          stopProcess(oldWeb.child, 'SIGTERM'),
          stopProcess(oldWorker, 'SIGTERM'),
        ])),
      )
    }
    await expect.poll(() => served.length).toBeGreaterThan(3)
    isOver = true
    await Promise.all(counters)
    for (const status of served) expect([200, 202]).toContain(status) // 202: it is bought in a moment

    await expect.poll(() => countOpenWork(database), { interval: 100 }).toBe(0)
    expect(await countLabelStates(database)).toEqual({ purchased: ROWS + served.length })
    const {
      rows: [counted],
    } = await database.pool.query<{ n: number }>(
      "select count(*) as n from carrier_call where outcome is null or outcome = 'unknown'",
    )
    await Promise.all([
      ...webs.map(web => web.stop('SIGTERM')),
      ...workers.map(worker => stopProcess(worker, 'SIGTERM')),
    ])
    expect(await findDiscrepancies(database)).toEqual([])
    return { codes, unknownCalls: counted!.n }
  } finally {
    await Promise.all([
      ...webs.map(web => web.stop('SIGKILL')),
      ...workers.map(worker => stopProcess(worker, 'SIGKILL')),
    ])
    await drop()
    await data.forget()
  }
}

/** Orders one label under its own key; 0 if this process stops and another must be asked. */
async function place(
  web: ServerProcess,
  ana: { token: string; user: { _id: string } },
  key: string,
): Promise<number> {
  const answer = await fetch(web.url + placeOrder.path, {
    method: 'POST',
    headers: { token: ana.token, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(singleOrderBody(ana.user._id)),
  })
  await answer.arrayBuffer()
  return answer.status === 503 ? 0 : answer.status
}
