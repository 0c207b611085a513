/** What a thousand live connections cost a web process: its memory, and the time of single labels beside them. */
import { setTimeout as wait } from 'node:timers/promises'
import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import { initBatch } from '#contract/batches.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { median, percentile } from './figures.ts'
import { residentMb } from './idle.ts'
import { buyerAt, buyLabels } from './single-labels.ts'

type Times = { p50: number; p99: number }
export type SocketBench = {
  sockets: number
  /** Resident memory that they add, after a minute of rest. */
  memoryMb: number
  /** Milliseconds of a label of one buyer, from the request until the PDF. */
  alone: Times
  beside: Times
}

const USERS = 100
const SOCKETS_OF_A_USER = 10
const LABELS = 600
const WARM_UP_LABELS = 200
const REST_MS = 60_000

export async function benchSockets(dataDir: string, databaseUrl: string): Promise<SocketBench> {
  const server = await startServer(dataDir, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    CALLS_PER_MINUTE: '1000000',
    // Users register from addresses of their own, because registrations of one address are limited.
    TRUST_PROXY: 'loopback',
  })
  const sockets: Socket[] = []
  try {
    const buyer = await server.register('Buyer')
    await server.pay(buyer, 20_000)
    const buyOne = buyerAt(server.url)
    await buyLabels(buyOne, [buyer], WARM_UP_LABELS)
    const alone = percentilesOf(await buyLabels(buyOne, [buyer], LABELS))
    const users = await Promise.all(
      Array.from({ length: USERS }, (_, n) => server.register(`Watcher ${n + 1}`)),
    )
    const batches = await Promise.all(users.map(user => openBatch(server, user)))
    await wait(REST_MS)
    const before = residentMb(server.child)
    for (const [n, { token }] of users.entries()) {
      const room = `order_${batches[n]}`
      const joins = Array.from({ length: SOCKETS_OF_A_USER }, () => join(server.url, token, room))
      sockets.push(...(await Promise.all(joins)))
    }
    await wait(REST_MS)
    const memoryMb = residentMb(server.child) - before
    const beside = percentilesOf(await buyLabels(buyOne, [buyer], LABELS))
    return { sockets: sockets.length, memoryMb, alone, beside }
  } finally {
    for (const socket of sockets) socket.disconnect()
    await server.stop('SIGTERM')
  }
}

async function openBatch(server: ServerProcess, { token, user }: SignedInUser): Promise<string> {
  const { body } = await server.call(initBatch, { body: { userId: user._id } }, token)
  return body.orderId
}

/** A connection of its own, in the room of a bulk order. Throws when it is refused. */
async function join(url: string, token: string, room: string): Promise<Socket> {
  const socket = io(url, { transports: ['websocket'], auth: { token }, forceNew: true })
  const answer = (await socket.timeout(60_000).emitWithAck('joinOrderRoom', room)) as {
    ok: boolean
    message?: string
  }
  if (!answer.ok) throw new Error(`${room}: ${answer.message}`)
  return socket
}

const percentilesOf = (times: number[]): Times => ({
  p50: median(times),
  p99: percentile(times, 0.99),
})
