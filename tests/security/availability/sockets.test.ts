/** A live connection cannot keep the process busy, and a user has only so many. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as yieldToSocket } from 'node:timers/promises'
import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import { afterAll, expect, test } from 'vitest'
import { FROZEN, watchHealth } from '#tests/support/health-watch.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import { waitDuring } from './wait-during.ts'

const data = await createDataFolder()
const server = await startServer(data.path)
afterAll(async () => {
  await server.stop('SIGTERM')
  await data.forget()
})
const eve = await server.register('Eve')
const watch = watchHealth(server.url)

const MOST_TRIES = 3

/**
 * A connection below Socket.IO: each text is one packet of Engine.IO. Opened again where its sign-in came too late, as from a process
 * that stood still.
 */
async function rawConnection(tries = 1): Promise<WebSocket> {
  const address = `${server.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
  const socket = new WebSocket(address)
  await new Promise((opened, failed) => {
    socket.onopen = opened
    socket.onerror = failed
  })
  socket.send(`40${JSON.stringify({ token: eve.token })}`)
  const isConnected = await new Promise<boolean>(done => {
    socket.onmessage = ({ data: text }) => String(text).startsWith('40') && done(true)
    socket.onclose = () => done(false)
  })
  if (!isConnected && tries < MOST_TRIES) return rawConnection(tries + 1)
  expect(isConnected).toBe(true)
  // A connection that answers no ping would be closed for that.
  socket.onmessage = ({ data: text }) => text === '2' && socket.send('3')
  return socket
}

test.each([
  ['pongs', '3'],
  ['joins', '42["joinOrderRoom","order_1"]'],
])('a flood of 200,000 %s ends its own connection and nothing else', async (_, packet) => {
  const wait = await waitDuring(watch, async () => {
    const socket = await rawConnection()
    const closed = new Promise<void>(done => {
      socket.onclose = () => done()
    })
    for (let n = 0; n < 200_000 && socket.readyState === WebSocket.OPEN; n++) {
      socket.send(packet)
      if (n % 1_000 === 0) await yieldToSocket()
    }
    // The server closes it, perhaps after the last packet was sent.
    await closed
  })
  expect(wait).toBeLessThan(FROZEN)
})

test('ping frames before the sign-in end their connection: few of them are answered', async () => {
  const { hostname, port } = new URL(server.url)
  const handshake = [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    `host: ${hostname}:${port}`,
    'upgrade: websocket',
    'connection: Upgrade',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const pings = Buffer.alloc(6 * 20_000, Buffer.from([0x89, 0x80, 0, 0, 0, 0]))
  let answered = 0
  const attack = () => {
    answered = 0
    return Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        socket.write(`${handshake.join('\r\n')}\r\n\r\n`)
        await once(socket, 'data')
        socket.on('data', (data: Buffer) => {
          for (const byte of data) if (byte === 0x8a) answered++
        })
        socket.write(pings)
        await new Promise(closed => socket.once('close', closed))
      }),
    )
  }
  // Infinite where a health check failed.
  const wait = await waitDuring(watch, attack, Infinity)
  expect(answered).toBeLessThan((20 * 20_000) / 100)
  expect(wait).toBeLessThan(Infinity)
})

/** What became of sixty connections of a new user, and whether the server ended one, as when a process stands still. */
async function openSixty(): Promise<{ outcomes: string[]; isCut: boolean }> {
  const { token } = await server.register('Sixty')
  const sockets: Socket[] = []
  let isCut = false
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, () => {
      const socket = io(server.url, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        timeout: 120_000,
        auth: { token },
      })
      sockets.push(socket)
      return new Promise<string>(done => {
        socket.on('connect', () => done('connected'))
        socket.on('connect_error', error => done(error.message))
        socket.on('disconnect', reason => {
          isCut ||= reason !== 'io client disconnect'
          done(reason)
        })
      })
    }),
  )
  for (const socket of sockets) socket.disconnect()
  return { outcomes, isCut }
}

test('a user has 20 live connections; further ones are refused with a sentence', async () => {
  let { outcomes, isCut } = await openSixty()
  for (let tries = 1; isCut && tries < MOST_TRIES; tries++)
    ({ outcomes, isCut } = await openSixty())
  expect(isCut).toBe(false)
  expect(outcomes.filter(outcome => outcome === 'connected')).toHaveLength(20)
  expect(new Set(outcomes)).toEqual(
    new Set(['connected', expect.stringMatching(/already 20 live connections of yours/)]),
  )
})
