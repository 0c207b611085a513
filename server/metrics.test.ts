import { io } from 'socket.io-client'
import { expect, test } from 'vitest'
import { placeOrder } from '#contract/orders.ts'
import { testApp } from '#tests/support/app.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { findFreePort } from './platform/embedded-postgres/postmaster.ts'

const TOKEN = 'a token for the watchman'
const app = await testApp({ env: { METRICS_TOKEN: TOKEN } })
const quiet = await testApp()
const port = await findFreePort()
const apart = await testApp({ env: { METRICS_PORT: String(port) } })
const metrics = async (authorization = `Bearer ${TOKEN}`) => {
  const answer = await app.send({ method: 'GET', url: '/metrics', headers: { authorization } })
  return { status: answer.statusCode, text: answer.body }
}

test('metrics require the token', async () => {
  expect((await metrics('Bearer something else')).status).toBe(401)
  expect((await metrics('')).status).toBe(401)
  const { status, text } = await metrics()
  expect(status).toBe(200)
  expect(text).toContain('evenpost_database_up 1')
  expect(text).toContain('evenpost_info{version="0.1.0",mode="sandbox",role="all"} 1')
})

test('there are no metrics without a token and a metrics port', async () => {
  const answer = await quiet.send({
    method: 'GET',
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(answer.body).not.toContain('evenpost_')
})

test('the metrics port also serves the health check, and the main port serves neither', async () => {
  const own = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(await own.text()).toContain('evenpost_database_up 1')
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(404)
  expect((await apart.send({ method: 'GET', url: '/metrics' })).body).not.toContain('evenpost_')
})

test('labels, carrier calls, requests and sockets are counted without personal data', async () => {
  const ana = await app.register('Ana Mason')
  await app.creditDollars(ana.user._id, 100)
  await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  await app.call(
    placeOrder,
    { body: singleOrderBody(ana.user._id, { receiver: { receiver_address2: 'SANDBOX REFUSE' } }) },
    ana.token,
  )
  const line = io(await app.listen(), { transports: ['websocket'], auth: { token: ana.token } })
  await new Promise(done => line.on('connect', () => done(null)))
  const { text } = await metrics()
  line.close()

  expect(text).toContain('evenpost_labels_total{outcome="purchased"} 1')
  expect(text).toContain('evenpost_labels_total{outcome="failed"} 1')
  expect(text).toContain(
    'evenpost_carrier_call_seconds_count{account="main",act="buy",outcome="bought"} 1',
  )
  expect(text).toContain(
    'evenpost_carrier_call_seconds_count{account="main",act="buy",outcome="permanent"} 1',
  )
  expect(text).toContain('evenpost_settle_seconds_count 2')
  expect(text).toContain(
    'evenpost_http_request_seconds_count{method="POST",route="/api/orders/v2",status="200"} 1',
  )
  expect(text).toContain(
    'evenpost_http_request_seconds_count{method="POST",route="/api/orders/v2",status="422"} 1',
  )
  expect(text).toContain('evenpost_live_sockets 1')
  expect(text).toMatch(/evenpost_labels_open\{state="queued"\} \d/)
  expect(text).toMatch(/nodejs_eventloop_lag_seconds \d/)
  for (const secret of [ana.user.email, 'Ana Mason', 'June Rivera', ana.token])
    expect(text).not.toContain(secret)
  expect(text).not.toMatch(/order_?id=|user_?id=|@/i)
})

test('every response has a request id that the caller cannot choose', async () => {
  const answer = await app.send({
    method: 'GET',
    url: '/api/health',
    headers: { 'x-request-id': 'forged\nline' },
  })
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  const missing = await app.send({ method: 'GET', url: '/api/nothing-here' })
  expect(missing.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})
