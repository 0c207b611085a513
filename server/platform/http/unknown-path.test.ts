import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createErrorHandler } from './error-handler.ts'
import { refuseUnknownPaths } from './unknown-path.ts'

const app = Fastify()
app.setErrorHandler(createErrorHandler(''))
refuseUnknownPaths(app)
app.get('/api/orders/:userId', async () => 'orders')
app.delete('/api/orders/:userId', async () => 'deleted')
app.post('/api/orders/v2', async () => 'bought')
app.get('/*', async (_request, reply) => reply.callNotFound())

const send = async (method: 'GET' | 'POST' | 'PUT' | 'OPTIONS', url: string) => {
  const { statusCode, headers, body } = await app.inject({ method, url })
  return [statusCode, headers.allow, (JSON.parse(body) as { code: string }).code]
}

test('a wrong method on a known path is 405 and names the methods of the path', async () => {
  const allow = 'DELETE, GET, HEAD'
  expect(await send('PUT', '/api/orders/17?page=1')).toEqual([405, allow, 'method_not_allowed'])
  expect(await send('OPTIONS', '/api/orders/17')).toEqual([405, allow, 'method_not_allowed'])
  expect(await send('PUT', '/api/orders/v2')).toEqual([
    405,
    'DELETE, GET, HEAD, POST',
    'method_not_allowed',
  ])
  expect(await send('POST', '/main/orders')).toEqual([405, 'GET, HEAD', 'method_not_allowed'])
})

test('the sentence names the method and those to use', async () => {
  const { body } = await app.inject({ method: 'PUT', url: '/api/orders/17' })
  expect((JSON.parse(body) as { message: string }).message).toBe(
    '/api/orders/17 does not take PUT. Use DELETE, GET, or HEAD',
  )
})

test('a path that no call has is 404', async () => {
  expect(await send('GET', '/api/nothing')).toEqual([404, undefined, 'path_unknown'])
  expect(await send('POST', '/api/nothing')).toEqual([404, undefined, 'path_unknown'])
  expect(await send('GET', '/assets/lost.js')).toEqual([404, undefined, 'path_unknown'])
})

test('a browser that sends a form to a page is led to the page, on this site', async () => {
  const post = async (url: string, accept = 'text/html,*/*;q=0.8') => {
    const { statusCode, headers } = await app.inject({
      method: 'POST',
      url,
      payload: 'email=a',
      headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
    })
    return [statusCode, headers.location]
  }
  expect(await post('/login?to=1')).toEqual([303, '/login?to=1'])
  expect(await post('//example.com/login')).toEqual([303, '/example.com/login'])
  expect(await post('/login', '*/*')).toEqual([405, undefined])
  expect(await post('/api/orders/17')).toEqual([405, undefined])
  expect(await post('/api/nothing')).toEqual([404, undefined])
})
