/** Readers who ask for much and read nothing, at a real server. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { compressFile, sendCompressed } from './compressed-file.ts'
import { createErrorHandler } from './error-handler.ts'
import { limitUnreadAnswers } from './unread-answers.ts'

const MB = 1024 * 1024
const ASKED = 60
/** No reader of a test is idle for so long, also on a machine that stands still. */
const LONG_MS = 900_000

async function startServer(idleMs: number) {
  const app = Fastify()
  let received = 0
  app.setErrorHandler(createErrorHandler(''))
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async request => {
    const { token } = request.headers
    request.caller = token === undefined ? null : ({ userId: Number(token) } as never)
    received++
  })
  limitUnreadAnswers(app, { caller: 4 * MB, process: 64 * MB, idleMs })
  app.get('/long', async () => 'x'.repeat(MB))
  app.get('/label', async () => Buffer.alloc(MB))
  const page = await compressFile(randomBytes(200 * 1024))
  app.get('/page', (request, reply) => sendCompressed(request, reply, page))
  app.post('/change', async () => 'x'.repeat(100 * 1024))
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await app.close()
  })
  return {
    async ask(userId: number, method = 'GET', path = '/long'): Promise<number> {
      const headers = { token: String(userId) }
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
      await answer.text()
      return answer.status
    },
    /** Asks for all at once on one connection, and reads nothing. */
    async askWithoutReading(userId: number | null, path = '/long'): Promise<Socket> {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      socket.pause()
      const token = userId === null ? '' : `token: ${userId}\r\n`
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${token}\r\n`.repeat(ASKED))
      await expect.poll(() => received).toBe(ASKED)
      return socket
    },
  }
}

async function readStatuses(socket: Socket): Promise<string[]> {
  let text = ''
  socket.on('data', data => (text += data.toString('latin1')))
  socket.resume()
  const statuses = (): string[] => [...text.matchAll(/HTTP\/1.1 (\d{3})/g)].map(([, code]) => code!)
  await expect.poll(() => statuses().length).toBe(ASKED)
  return statuses()
}

test('answers that a caller does not read are refused beyond a limit, those of others and changes are not', async () => {
  const { ask, askWithoutReading } = await startServer(LONG_MS)
  const socket = await askWithoutReading(1)
  expect(await ask(2)).toBe(200)
  expect(await ask(1, 'POST', '/change')).toBe(200)
  const statuses = await readStatuses(socket)
  expect(new Set(statuses)).toEqual(new Set(['200', '429']))
  // Four wait in memory; the system takes a few more.
  expect(statuses.filter(status => status === '200').length).toBeLessThan(15)
  expect(await ask(1)).toBe(200)
})

test('files sent without a sign-in count for their network, pages that are in memory once do not', async () => {
  const { askWithoutReading } = await startServer(LONG_MS)
  const statuses = await readStatuses(await askWithoutReading(null, '/label'))
  expect(new Set(statuses)).toEqual(new Set(['200', '429']))
  expect(statuses.filter(status => status === '200').length).toBeLessThan(15)

  const pages = await startServer(LONG_MS)
  const ofPages = await readStatuses(await pages.askWithoutReading(null, '/page'))
  expect(new Set(ofPages)).toEqual(new Set(['200']))
})

test('a reader who has stopped is cut off when the caller asks again', async () => {
  const { ask, askWithoutReading } = await startServer(0)
  const socket = await askWithoutReading(1)
  expect(await ask(1)).toBe(200)
  const ended = new Promise(done => socket.once('close', done))
  socket.resume()
  await ended
})
