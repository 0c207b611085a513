import { expect, test } from 'vitest'
import type { PrimaryClient, ServerIdentity } from './primary-client.ts'
import { openServerGate } from './server-gate.ts'

const FIRST = { system: '7', timeline: '00000001' }
const PROMOTED = { system: '7', timeline: '00000002' }

/** A connection; `ended` after it was destroyed. */
function connection(server: ServerIdentity) {
  const client = {
    server,
    ended: false,
    once: () => {},
    destroy: () => void (client.ended = true),
  }
  return client
}
const watch = (gate: ReturnType<typeof openServerGate>, one: ReturnType<typeof connection>) =>
  gate.watch(one as unknown as PrimaryClient)

test('connections to another server wait for one judgement, and those of the server before are closed', async () => {
  const gate = openServerGate()
  await gate.admit(FIRST)
  const old = connection(FIRST)
  watch(gate, old)
  let judged = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  gate.judge = () => (judged++, promise)
  const waiting = [gate.admit(PROMOTED), gate.admit(PROMOTED)]
  await gate.admit(FIRST)
  expect([judged, old.ended]).toEqual([1, false])
  resolve()
  await Promise.all(waiting)
  expect([judged, old.ended]).toEqual([1, true])
  await gate.admit(PROMOTED)
  expect(judged).toBe(1)

  const late = connection(FIRST)
  watch(gate, late)
  expect(late.ended).toBe(true)
  await expect(gate.admit(FIRST)).rejects.toThrow('another server was promoted')
})

test('a server that is refused is judged again by the next connection', async () => {
  const gate = openServerGate()
  await gate.admit(FIRST)
  await expect(gate.admit(PROMOTED)).rejects.toThrow('another one than when this process started')
  gate.judge = () => Promise.reject(new Error('not now'))
  await expect(gate.admit(PROMOTED)).rejects.toThrow('not now')
  gate.judge = async () => {}
  await gate.admit(PROMOTED)
})
