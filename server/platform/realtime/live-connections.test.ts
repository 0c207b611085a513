import { get } from 'node:http'
import { io as connect } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { SOCKETS_A_MINUTE, openRequestLimits } from '#server/platform/http/request-limits.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { createHttpServer } from '#server/platform/http/server.ts'
import { testDatabase } from '#tests/support/database.ts'
import { stopClock } from '#tests/support/stopped-clock.ts'
import { openLiveUpdates } from './live-updates.ts'
import type { RoomKind } from './live-updates.ts'

const quiet = () => {}
const ctx = {
  config: readConfig({}),
  database: await testDatabase(),
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
}
const ANA: Caller = { userId: 1, role: 'user', sessionId: 11, impersonatorId: null, key: null }
const ROOM_KIND: RoomKind = {
  prefix: 'order_',
  joinEvent: 'joinOrderRoom',
  updateEvent: 'orderProgress',
  channel: 'batch_progress',
  mayJoin: async () => false,
  read: async () => null,
  faults: {
    badName: { code: 'malformed', text: 'A room is named order_ and a number' },
    notFound: { code: 'batch_unknown', text: 'There is no such order' },
  },
}

test('closing the server closes the sockets first, so that it does not wait for them', async () => {
  const other = createHttpServer({ trustProxy: false, logLevel: 'silent', silent: true })
  const updates = openLiveUpdates({
    app: other,
    ctx,
    authenticate: async () => ANA,
    findActiveSessions: async () => new Set([11]),
    admit: quiet,
    rooms: [ROOM_KIND],
    sessionEndedChannel: 'session_ended',
  })
  await updates.start()
  const url = await other.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token: 'ana' },
  })
  await new Promise<void>(resolve => socket.on('connect', resolve))
  const ended = new Promise(resolve => socket.on('disconnect', resolve))
  await other.close()
  await ended
  await updates.stop()
  expect(other.server.listening).toBe(false)
})

test('too many connections from one address are refused with a time to retry, as requests are', async () => {
  const crowded = openRequestLimits(ctx)
  const other = createHttpServer({ trustProxy: true, logLevel: 'silent', silent: true })
  openLiveUpdates({
    app: other,
    ctx: { ...ctx, config: { ...ctx.config, trustProxy: true } },
    rooms: [ROOM_KIND],
    sessionEndedChannel: 'session_ended',
    authenticate: async () => ANA,
    findActiveSessions: async () => new Set([11]),
    admit: from => crowded.admit(from, 'sockets'),
  })
  const url = await other.listen({ host: '127.0.0.1', port: 0 })
  const open = (from: string) =>
    new Promise<{ status: number; wait: number; body: string }>((done, failed) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': `${'A'.repeat(22)}==`,
        'x-forwarded-for': from,
      }
      const request = get(`${url}/socket.io/?EIO=4&transport=websocket`, { headers })
      request.on('error', failed)
      request.on('upgrade', (_response, socket) => {
        socket.destroy()
        done({ status: 101, wait: 0, body: '' })
      })
      request.on('response', response => {
        const chunks: Buffer[] = []
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () =>
            done({
              status: response.statusCode!,
              wait: Number(response.headers['retry-after']),
              body: Buffer.concat(chunks).toString(),
            }),
          )
      })
    })
  // The minute in which connections are counted does not end meanwhile.
  onTestFinished(stopClock())
  for (let n = 1; n < SOCKETS_A_MINUTE; n++) crowded.admit('192.0.2.1', 'sockets')
  expect((await open('192.0.2.1')).status).toBe(101)
  const { status, wait, body } = await open('192.0.2.1')
  expect([status, wait > 0 && wait <= 60]).toEqual([429, true])
  expect(JSON.parse(body).error).toMatch(
    /^Too many live connections are opened from your address\. Please wait \d+ seconds? and try again\.$/,
  )
  expect((await open('192.0.2.2')).status).toBe(101)
  expect(() => crowded.admit('192.0.2.1')).not.toThrow()
  await other.close()
})
