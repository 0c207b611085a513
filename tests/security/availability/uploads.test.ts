/** Uploads that never end take a bounded part of memory, and give it back when they hang up. */
import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { initBatch } from '#contract/batches.ts'
import { quotePrice } from '#contract/orders.ts'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { waitDuring } from './wait-during.ts'

const METRICS_TOKEN = 'only for the figures of this test'
const MB = 1024 * 1024
const data = await createDataFolder()
const server = await startServer(data.path, { METRICS_TOKEN })
afterAll(async () => {
  await server.stop('SIGTERM')
  await data.forget()
})

/** Resident memory and bytes of bodies under way, in MB. */
async function memory(): Promise<{ resident: number; bodies: number }> {
  const answer = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  })
  const text = await answer.text()
  const figure = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN) / MB
  return {
    resident: figure('process_resident_memory_bytes'),
    bodies: figure('evenpost_body_bytes\\{kind="long"\\}'),
  }
}

test('thirty uploads that never end take a bounded part of the memory, which is free when they hang up', async () => {
  const eve = await server.register('Eve')
  const ana = await server.register('Ana')
  const { orderId } = (await server.call(initBatch, { body: { userId: eve.user._id } }, eve.token))
    .body
  const row = JSON.stringify({ ToCity: 'x'.repeat(1_300) })
  const piece = Buffer.from(`${row},`.repeat(200))
  const calls: ClientRequest[] = []
  const answers: { status: number; message: string }[] = []
  let isOver = false
  const upload = (): Promise<void> =>
    new Promise<void>(done => {
      const call = request(
        `${server.url}/api/orders/bulk/process/${eve.user._id}`,
        { method: 'POST', headers: { token: eve.token, 'content-type': 'application/json' } },
        answer => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('end', () => {
            type ErrorAnswer = { message: string; code: string }
            const { message, code } = JSON.parse(Buffer.concat(parts).toString()) as ErrorAnswer
            if (code !== 'body_incomplete') {
              answers.push({ status: answer.statusCode!, message })
              return done()
            }
            // A process stood still, so this upload was refused for its pause. Another one replaces it.
            call.destroy()
            if (!isOver) done(upload())
          })
        },
      )
      call.on('error', () => done())
      calls.push(call)
      call.write(`{"orderId":"${orderId}","orderData":[`)
      let sent = 0
      const fill = (): void => {
        while (sent < 40 * MB) {
          sent += piece.length
          if (!call.write(piece)) return void call.once('drain', fill)
        }
        // The last byte is never sent. A few bytes follow now and then: a sender that stops is cut off after 15 s, and on a slow
        // machine the other uploads take as long.
        const trickle = setInterval(() => void (call.destroyed || call.write(`${row},`)), 250)
        trickle.unref()
        call.on('close', () => clearInterval(trickle))
        done()
      }
      fill()
    })

  const before = await memory()
  const watch = watchHealth(server.url)
  const wait = await waitDuring(watch, async () => {
    for (const call of calls.splice(0)) call.destroy()
    answers.length = 0
    await expect.poll(async () => (await memory()).bodies).toBe(0)
    await Promise.all(Array.from({ length: 30 }, upload))
  })
  let held = await memory()
  await expect.poll(async () => (held = await memory()).bodies).toBeGreaterThan(10)
  expect(held.resident).toBeLessThan(before.resident + 400)
  expect(held.bodies).toBeLessThan(100)
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(28)
  for (const { status, message } of answers)
    expect([status, message]).toEqual([429, expect.stringMatching(/try again/)])
  expect(wait).toBeLessThan(FROZEN)

  // Others are served meanwhile, with a long list too.
  const shipments = Array.from({ length: 20_000 }, () => ({ service_name: 'USPS Priority Mail' }))
  const quoted = await server.call(
    quotePrice,
    { body: { userId: ana.user._id, shipments } },
    ana.token,
  )
  expect(quoted.status).toBe(200)

  isOver = true
  for (const call of calls) call.destroy()
  await expect.poll(async () => (await memory()).bodies).toBe(0)
  await expect.poll(async () => (await memory()).resident).toBeLessThan(before.resident + 200)
})
