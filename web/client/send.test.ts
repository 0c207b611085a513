import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { defineEndpoint } from '#contract/endpoint.ts'
import { createStubServer } from '#tests/support/stub-http-server.ts'
import {
  urlFor,
  ApiError,
  configureSend,
  fieldErrorsOf,
  messageOf,
  fillPath,
  send,
  sendForFile,
  sendList,
} from './send.ts'

type SeenCall = { method: string; url: string; token: string | undefined; body: string }

let seen: SeenCall[] = []
let answer: { status: number; body: string; headers?: Record<string, string> } = {
  status: 200,
  body: '{}',
}
let base = ''
// Restored afterwards: other tests share this module.
const before = configureSend({})

const server = createStubServer((request, response) => {
  let body = ''
  request.on('data', piece => {
    body += piece
  })
  request.on('end', () => {
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      token: request.headers.token as string | undefined,
      body,
    })
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      .end(answer.body)
  })
})

beforeAll(async () => {
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  configureSend(before)
  server.close()
})
beforeEach(() => {
  seen = []
  configureSend({ origin: base, getToken: () => null, onUnauthorized: () => {} })
})

const renameThing = defineEndpoint({
  name: 'renameThing',
  method: 'POST',
  path: '/api/things/:id',
  access: 'signed-in',
  summary: 'Rename a thing',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.number().optional() }),
  body: z.object({ name: z.string() }),
  response: z.object({ ok: z.boolean() }),
})
const listThings = defineEndpoint({
  name: 'listThings',
  method: 'GET',
  path: '/api/things',
  access: 'signed-in',
  summary: 'Things',
  response: z.array(z.number()),
})
const rename = () =>
  send(renameThing, { params: { id: '7' }, query: { page: 2 }, body: { name: 'Ana' } })

test('a call has its path, body and the token of the session', async () => {
  configureSend({ origin: base, getToken: () => 'abc', onUnauthorized: () => {} })
  answer = { status: 200, body: '{"ok":true}' }
  expect(await rename()).toEqual({ ok: true })
  expect(seen).toEqual([
    { method: 'POST', url: '/api/things/7?page=2', token: 'abc', body: '{"name":"Ana"}' },
  ])
})

test('202 is success', async () => {
  answer = { status: 202, body: '{"ok":true}' }
  expect(await rename()).toEqual({ ok: true })
})

test('a refusal has its message and its fields', async () => {
  answer = {
    status: 422,
    body: '{"message":"Please check the form","errors":{"name":"Name is required"}}',
  }
  const reason = await rename().catch((thrown: unknown) => thrown)
  expect(reason).toBeInstanceOf(ApiError)
  expect(reason).toMatchObject({ status: 422 })
  expect(messageOf(reason, 'Submission failed')).toBe('Please check the form')
  expect(fieldErrorsOf(reason)).toEqual({ name: 'Name is required' })
})

test('a response that is not JSON gives the fallback message', async () => {
  answer = { status: 502, body: '<h1>Bad gateway</h1>' }
  const reason = await rename().catch((thrown: unknown) => thrown)
  expect(messageOf(reason, 'Login failed')).toBe('Login failed')
})

test('an unreachable server gives the fallback message', async () => {
  configureSend({ origin: 'http://127.0.0.1:1', getToken: () => null, onUnauthorized: () => {} })
  const reason = await rename().catch((thrown: unknown) => thrown)
  expect(reason).toMatchObject({ status: 0 })
  expect(messageOf(reason, 'Login failed')).toBe('Login failed')
})

test('a refused token ends the session that used it', async () => {
  const ended: string[] = []
  configureSend({ origin: base, getToken: () => 'abc', onUnauthorized: token => ended.push(token) })
  answer = { status: 401, body: '{"message":"Please sign in"}' }
  await rename().catch(() => {})
  expect(ended).toEqual(['abc'])
})

test('a late 401 for an earlier token does not end the new session', async () => {
  let token = 'old'
  const ended: string[] = []
  configureSend({ origin: base, getToken: () => token, onUnauthorized: dead => ended.push(dead) })
  answer = { status: 401, body: '{}' }
  const late = rename().catch(() => {})
  token = 'new'
  await late
  expect(ended).toEqual([])
})

test('parameters in a path are replaced and escaped', () => {
  expect(fillPath('/api/orders/download/:type/:orderId', { type: 'pdf', orderId: 'a/b' })).toBe(
    '/api/orders/download/pdf/a%2Fb',
  )
})

test('a path without its id is never sent', () => {
  expect(() => fillPath('/api/orders/:userId', {})).toThrow('no userId')
})

test('missing query values are left out', () => {
  expect(urlFor({ path: '/api/x' }, { query: { page: 2, limit: undefined } })).toBe('/api/x?page=2')
})

test('a page of a list has the number of all rows', async () => {
  answer = { status: 200, body: '[1,2]', headers: { 'x-total-count': '65' } }
  expect(await sendList(listThings, {})).toEqual({ rows: [1, 2], total: 65 })
})

test('without a count, the total is the number of loaded rows', async () => {
  answer = { status: 200, body: '[1,2]' }
  expect(await sendList(listThings, {})).toEqual({ rows: [1, 2], total: 2 })
})

test('a file resolves when it begins, and a refused one throws like any call', async () => {
  const takeThing = defineEndpoint({
    name: 'takeThing',
    method: 'GET',
    path: '/api/files/:id',
    access: 'signed-in',
    acceptsDownloadCookie: true,
    summary: 'A file',
    params: z.object({ id: z.string() }),
    fileTypes: ['text/plain'],
    response: z.any(),
  })
  const request = { params: { id: '7' } }
  configureSend({ origin: base, getToken: () => 'abc', onUnauthorized: () => {} })
  answer = { status: 200, body: 'as it is', headers: { 'content-type': 'text/plain' } }
  expect(await (await sendForFile(takeThing, request)).text()).toBe('as it is')
  expect(seen).toEqual([{ method: 'GET', url: '/api/files/7', token: 'abc', body: '' }])
  answer = { status: 422, body: '{"message":"There is no such format"}' }
  await expect(sendForFile(takeThing, request)).rejects.toMatchObject({
    status: 422,
    message: 'There is no such format',
  })
})

const proofRequired =
  '{"message":"Confirm that it’s you","code":"proof_required","methods":["password","totp"]}'

test('a call that needs a proof is repeated once when it is given, and its caller gets the answer', async () => {
  const asked: (readonly string[])[] = []
  const askForProof = async (methods: readonly string[]) => {
    asked.push(methods)
    answer = { status: 200, body: '{"ok":true}' }
    return true
  }
  configureSend({ origin: base, getToken: () => 'abc', askForProof })
  answer = { status: 403, body: proofRequired }
  expect(await rename()).toEqual({ ok: true })
  expect(asked).toEqual([['password', 'totp']])
  expect(seen).toHaveLength(2)
  expect(seen[1]).toEqual(seen[0])
})

test('a declined proof is a plain sentence, and nothing is sent again', async () => {
  configureSend({ origin: base, getToken: () => 'abc', askForProof: async () => false })
  answer = { status: 403, body: proofRequired }
  const reason = await rename().catch((thrown: unknown) => thrown)
  expect(messageOf(reason, 'Submission failed')).toBe(
    'Nothing was changed, because you didn’t confirm that it’s you.',
  )
  expect(reason).toMatchObject({ status: 403 })
  expect(seen).toHaveLength(1)
})

test('a proof that is not accepted is asked for once, not forever', async () => {
  let asked = 0
  const askForProof = async () => {
    asked += 1
    return true
  }
  configureSend({ origin: base, getToken: () => 'abc', askForProof })
  answer = { status: 403, body: proofRequired }
  await expect(rename()).rejects.toMatchObject({ status: 403, message: 'Confirm that it’s you' })
  expect([asked, seen.length]).toEqual([1, 2])
})

test('a refusal that arrives after the proof was given is repeated without a second question', async () => {
  let given = 0
  const askForProof = async () => {
    throw new Error('asked again')
  }
  configureSend({ origin: base, getToken: () => 'abc', askForProof, proofCount: () => given })
  answer = { status: 403, body: proofRequired }
  const late = rename()
  given = 1
  await expect(late).rejects.toMatchObject({ status: 403, message: 'Confirm that it’s you' })
  expect(seen).toHaveLength(2)
})

test('a caller who left is not repeated when the proof is given', async () => {
  const proof = Promise.withResolvers<boolean>()
  const leaving = new AbortController()
  configureSend({ origin: base, getToken: () => 'abc', askForProof: () => proof.promise })
  answer = { status: 403, body: proofRequired }
  const call = send(listThings, {}, { signal: leaving.signal }).catch((thrown: unknown) => thrown)
  await expect.poll(() => seen.length).toBe(1)
  leaving.abort()
  expect(await call).toMatchObject({ name: 'AbortError' })
  proof.resolve(true)
  expect(seen).toHaveLength(1)
})

test('the page learns that a second factor must be set up first', async () => {
  let told = 0
  const onSecondFactorRequired = () => {
    told += 1
  }
  configureSend({ origin: base, getToken: () => 'abc', onSecondFactorRequired })
  answer = { status: 403, body: '{"message":"Set it up","code":"second_factor_required"}' }
  await expect(rename()).rejects.toMatchObject({ status: 403, message: 'Set it up' })
  expect(told).toBe(1)
})
