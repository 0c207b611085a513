/** Hundreds of connections send a byte now and then to starve others: they are closed. */
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { healthCheck } from '#contract/system.ts'
import { testApp } from '#tests/support/app.ts'

const SENDERS = 300
const app = await testApp()

test('hundreds of requests that never end are disconnected; others are served meanwhile', async () => {
  const url = new URL(await app.listen())
  const everybodyIsGone = Promise.all(
    Array.from({ length: SENDERS }, async () => {
      const socket = connect(Number(url.port), url.hostname)
      let heard = ''
      socket.on('data', piece => {
        heard += piece.toString()
      })
      socket.on('error', () => {})
      socket.write(`POST /api/auth/login HTTP/1.1\r\nhost: ${url.host}\r\nx-slow: `)
      const drip = setInterval(() => socket.write('s'), 500)
      await new Promise<void>(done => {
        socket.once('close', () => done())
      })
      clearInterval(drip)
      return heard
    }),
  )
  let served = 0
  let refused = 0
  let isOver = false
  void everybodyIsGone.then(() => {
    isOver = true
  })
  while (!isOver) {
    const answer = await fetch(new URL(healthCheck.path, url))
    // 503 while the database stands still.
    expect([200, 503]).toContain(answer.status)
    if (answer.status === 200) served++
    else refused++
    // Often enough to notice a stall, and rarely enough not to look like one of them.
    await wait(50)
  }
  expect(served).toBeGreaterThan(refused)
  // Nothing at all where the last byte crossed the answer on its way.
  for (const answer of await everybodyIsGone) expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/)
})
