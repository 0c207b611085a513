import { sql } from 'kysely'
import { io as connect } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import { afterAll, expect, test, vi } from 'vitest'
import type { BatchProgress } from '#contract/batches.ts'
import { readConfig } from '#server/config.ts'
import { openRequestLimits } from '#server/platform/http/request-limits.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { createHttpServer } from '#server/platform/http/server.ts'
import { testDatabase } from '#tests/support/database.ts'
import { isAllowedOrigin, openLiveUpdates, SOCKETS_PER_USER } from './live-updates.ts'
import { createUpdateThrottle } from './update-throttle.ts'

const database = await testDatabase()
const quiet = () => {}
const ctx = {
  config: readConfig({}),
  database,
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
}

const ANA: Caller = { userId: 1, role: 'user', sessionId: 11, impersonatorId: null, key: null }
const BOB: Caller = { userId: 2, role: 'user', sessionId: 22, impersonatorId: null, key: null }
const ADMIN: Caller = { userId: 3, role: 'admin', sessionId: 33, impersonatorId: null, key: null }
const signIns = new Map([
  ['ana', ANA],
  ['bob', BOB],
  ['admin', ADMIN],
])

/** Bulk orders and whose they are. */
const batches = new Map<number, { owner: number; progress: BatchProgress }>()
/** Ids of the bulk orders that were read. */
const reads: number[] = []
let lastId = 0
function newBatch(owner: Caller): number {
  const id = ++lastId
  batches.set(id, {
    owner: owner.userId,
    progress: {
      orderId: String(id),
      status: 'processing',
      processedCount: 0,
      failedCount: 0,
      totalCount: 100,
      fileData: null,
      updatedAt: new Date(0).toISOString(),
    },
  })
  return id
}
const change = (id: number, now: Partial<BatchProgress>) =>
  Object.assign(batches.get(id)!.progress, now)
const tell = (id: number) =>
  sql`select pg_notify('batch_progress', ${String(id)})`.execute(database.db)

const limits = openRequestLimits(ctx)
const app = createHttpServer({ trustProxy: false, logLevel: 'silent', silent: true })
const live = openLiveUpdates({
  app,
  ctx,
  authenticate: async token => signIns.get(token) ?? null,
  findActiveSessions: async () => new Set([...signIns.values()].map(caller => caller.sessionId)),
  admit: address => limits.admit(address, 'sockets'),
  rooms: [
    {
      prefix: 'order_',
      joinEvent: 'joinOrderRoom',
      updateEvent: 'orderProgress',
      channel: 'batch_progress',
      faults: {
        badName: { code: 'malformed', text: 'A room is named order_ and a number' },
        notFound: { code: 'batch_unknown', text: 'There is no such order' },
      },
      mayJoin: async (caller, id) => {
        const batch = batches.get(id)
        return batch !== undefined && (batch.owner === caller.userId || caller.role === 'admin')
      },
      read: async id => {
        reads.push(id)
        return batches.get(id) ? { ...batches.get(id)!.progress } : null
      },
    },
  ],
  sessionEndedChannel: 'session_ended',
})
await live.start()
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const opened: Socket[] = []
afterAll(async () => {
  for (const socket of opened) socket.disconnect()
  await app.close()
})

/** A page that collects what it is sent. */
function page(token: unknown, options: object = {}) {
  const socket = connect(address, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token },
    ...options,
  })
  opened.push(socket)
  const events: BatchProgress[] = []
  socket.on('orderProgress', (event: BatchProgress) => void events.push(event))
  const end = new Promise<string>(resolve => {
    socket.on('disconnect', resolve)
    socket.on('connect_error', error => resolve(error.message))
  })
  return {
    socket,
    events,
    end,
    connected: new Promise<void>(resolve => socket.on('connect', resolve)),
    join: (room: unknown): Promise<{ ok: boolean; message?: string }> =>
      socket.emitWithAck('joinOrderRoom', room),
    /** Waits for an event of which something is true. */
    async seen(what: (event: BatchProgress) => boolean): Promise<BatchProgress> {
      await expect.poll(() => events.some(what), { interval: 10 }).toBe(true)
      return events.find(what)!
    },
  }
}

test('a user who joins the room of their order gets its state, and then each change', async () => {
  const id = newBatch(ANA)
  const ana = page('ana')
  expect(await ana.join(`order_${id}`)).toEqual({ ok: true })
  expect(await ana.seen(() => true)).toMatchObject({
    orderId: String(id),
    status: 'processing',
    processedCount: 0,
    totalCount: 100,
  })
  change(id, { processedCount: 40 })
  await tell(id)
  await ana.seen(event => event.processedCount === 40)
})

test("another user's room cannot be joined; an administrator may join", async () => {
  const id = newBatch(ANA)
  const [bob, admin] = [page('bob'), page('admin')]
  expect(await bob.join(`order_${id}`)).toEqual({
    ok: false,
    message: 'There is no such order',
    code: 'batch_unknown',
  })
  expect(await bob.join('order_999')).toEqual({
    ok: false,
    message: 'There is no such order',
    code: 'batch_unknown',
  })
  expect(await admin.join(`order_${id}`)).toEqual({ ok: true })
  change(id, { processedCount: 7 })
  await tell(id)
  await admin.seen(event => event.processedCount === 7)
  // A change of Bob's own order arrives after everything sent before it.
  const own = newBatch(BOB)
  await bob.join(`order_${own}`)
  change(own, { processedCount: 8 })
  await tell(own)
  await bob.seen(event => event.processedCount === 8)
  expect(new Set(bob.events.map(({ orderId }) => orderId))).toEqual(new Set([String(own)]))
})

test('a room with an invalid name is refused with an explanation', async () => {
  const ana = page('ana')
  for (const room of [
    'order_',
    'order_x',
    'order_-1',
    '17',
    null,
    { id: 1 },
    `order_${'9'.repeat(40)}`,
  ]) {
    expect(await ana.join(room)).toMatchObject({
      ok: false,
      message: expect.stringContaining('order_'),
    })
  }
})

test('without a live session no socket is opened', async () => {
  for (const token of ['nobody', '', undefined, 17, { a: 1 }, 'x'.repeat(300)])
    expect(await page(token).end).toBe('Please sign in')
})

test('a page of another site cannot open a socket, our own can', async () => {
  expect(await page('ana', { extraHeaders: { origin: 'https://evil.example' } }).end).toBe(
    'websocket error',
  )
  await page('ana', { extraHeaders: { origin: address } }).connected
  const local = { publicUrl: 'http://localhost:3000', hasPublicUrl: false }
  expect(isAllowedOrigin('null', 'localhost:3000', local)).toBe(false)
  expect(isAllowedOrigin('http://10.0.0.7:3000', '10.0.0.7:3000', local)).toBe(true)
})

test('with a public URL its pages alone can open a socket, under any Host header', () => {
  const shop = { publicUrl: 'https://labels.example.com', hasPublicUrl: true }
  expect(isAllowedOrigin('https://labels.example.com', '10.0.0.7:3000', shop)).toBe(true)
  expect(isAllowedOrigin('http://evil.example', 'evil.example', shop)).toBe(false)
})

test('a user has 20 live connections at most; one that closes makes room for the next', async () => {
  const dora: Caller = { userId: 40, role: 'user', sessionId: 44, impersonatorId: null, key: null }
  signIns.set('dora', dora)
  const pages = Array.from({ length: SOCKETS_PER_USER }, () => page('dora'))
  await Promise.all(pages.map(one => one.connected))
  expect(await page('dora').end).toMatch(/already 20 live connections of yours/)
  await page('ana').connected
  pages[0]!.socket.disconnect()
  await expect
    .poll(async () => {
      const next = page('dora')
      return Promise.race([next.connected.then(() => 'connected'), next.end])
    })
    .toBe('connected')
})

test('many quick changes become a few updates, and the last one is always sent', async () => {
  const id = newBatch(ANA)
  const ana = page('ana')
  await ana.join(`order_${id}`)
  await ana.seen(() => true)
  for (let n = 1; n <= 200; n++) {
    change(id, { processedCount: n })
    await tell(id)
  }
  change(id, { status: 'completed', processedCount: 200 })
  await tell(id)
  await ana.seen(event => event.status === 'completed')
  expect(ana.events.at(-1)).toMatchObject({ status: 'completed', processedCount: 200 })
  const counts = ana.events.map(event => event.processedCount)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
})

/** What is sent of 200 changes, one each 5 ms; `before` each. */
async function sentOfTwoHundred(before: (value: number) => void = () => {}): Promise<number[]> {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] })
  const sent: number[] = []
  let value = 0
  const throttle = createUpdateThrottle<number>({
    read: async () => value,
    hasListeners: () => true,
    send: (_id, update) => void sent.push(update),
    onError: error => expect.unreachable(String(error)),
  })
  for (; value < 200; await vi.advanceTimersByTimeAsync(5)) {
    before(value)
    value++
    throttle.changed(1)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  throttle.close()
  vi.useRealTimers()
  return sent
}
const SENT = [1, 40, 80, 120, 160, 200]

test('two hundred changes within a second are six reads: one at once, then one each 200 ms', async () => {
  expect(await sentOfTwoHundred()).toEqual(SENT)
})

test('live progress goes on when the machine’s clock is set back by an hour', async () => {
  const sent = sentOfTwoHundred(value => {
    if (value === 100) vi.setSystemTime(Date.now() - 3_600_000)
  })
  expect(await sent).toEqual(SENT)
})

test('an order without listeners in this process is not read', async () => {
  const [unwatched, watched] = [newBatch(ANA), newBatch(ANA)]
  const ana = page('ana')
  await ana.join(`order_${watched}`)
  await ana.seen(() => true)
  // Changes of earlier tests may still be read.
  const readOf = () => reads.filter(id => id === unwatched || id === watched)
  const before = readOf().length
  await tell(unwatched)
  change(watched, { processedCount: 1 })
  await tell(watched)
  await ana.seen(event => event.processedCount === 1)
  expect(readOf().slice(before)).toEqual([watched])
})

test('blocking a user or ending a session closes their sockets and no others', async () => {
  const [ana, bob, admin] = [page('ana'), page('bob'), page('admin')]
  await Promise.all([ana.connected, bob.connected, admin.connected])
  await sql`select pg_notify('session_ended', ${JSON.stringify({ userId: 1 })})`.execute(
    database.db,
  )
  expect(await ana.end).toBe('io server disconnect')
  await sql`select pg_notify('session_ended', ${JSON.stringify({ sessionId: 22 })})`.execute(
    database.db,
  )
  expect(await bob.end).toBe('io server disconnect')
  await sql`select pg_notify('session_ended', 'nonsense')`.execute(database.db)
  expect(await admin.join(`order_${newBatch(ANA)}`)).toEqual({ ok: true })
})

test('a session that ended without a notification can no longer join a room', async () => {
  signIns.set('carol', { userId: 4, role: 'user', sessionId: 44, impersonatorId: null, key: null })
  const carol = page('carol')
  await carol.connected
  signIns.delete('carol')
  carol.socket.emit('joinOrderRoom', `order_${newBatch(ANA)}`)
  expect(await carol.end).toBe('io server disconnect')
})

test('when the database comes back, listeners get what they missed and sockets of ended sessions are closed', async () => {
  signIns.set('dora', { userId: 5, role: 'user', sessionId: 55, impersonatorId: null, key: null })
  const id = newBatch(ANA)
  const [ana, dora] = [page('ana'), page('dora')]
  await ana.join(`order_${id}`)
  await dora.connected
  change(id, { status: 'completed_with_errors', processedCount: 100, failedCount: 3 })
  signIns.delete('dora')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'evenpost listener' and datname = current_database()`.execute(
    database.db,
  )
  await ana.seen(event => event.status === 'completed_with_errors')
  expect(await dora.end).toBe('io server disconnect')
  change(id, { status: 'completed' })
  await tell(id)
  await ana.seen(event => event.status === 'completed')
})

test('too many joins are refused; too many or too large messages close the socket', async () => {
  const id = newBatch(ANA)
  const ana = page('ana')
  const answers = await Promise.all(Array.from({ length: 61 }, () => ana.join(`order_${id}`)))
  expect(answers.filter(answer => answer.ok).length).toBe(60)
  expect(answers.at(-1)!.message).toContain('Too many requests')
  for (let n = 0; n < 300; n++) ana.socket.emit('noise', n)
  expect(await ana.end).toBe('io server disconnect')
  const loud = page('ana')
  await loud.connected
  loud.socket.emit('joinOrderRoom', 'x'.repeat(20_000))
  expect(await loud.end).toBe('transport close')
})
