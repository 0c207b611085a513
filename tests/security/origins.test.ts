/** Other origins, and machines outside: lines 46 to 48 and 50 to 52 of docs/security.md. */
import { io as connect } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { initBatch, processBatch } from '#contract/batches.ts'
import { checkInvoice, listDeposits, sandboxExpire, sandboxPay, topUp } from '#contract/payments.ts'
import { contentPolicy } from '#server/platform/http/web-pages.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestApp } from '#tests/support/app.ts'
import { row } from '#tests/support/rows.ts'
import { projectFiles, readProjectFile, readSource } from '#tests/support/source.ts'
import { tableChecksums } from '#tests/support/table-checksums.ts'

const app = await testApp()
const secure = await testApp({
  env: {
    PUBLIC_URL: 'https://post.example.com',
    CHAT_WIDGET_URL: 'https://chat.example.net/widget.js',
  },
})

/** A policy as its lines: 'script-src' to its sources. */
const policyOf = (text: unknown): Record<string, string[]> =>
  Object.fromEntries(
    String(text)
      .split('; ')
      .map(line => line.split(' '))
      .map(([name, ...sources]) => [name, sources]),
  )
const head = async (of: TestApp, url: string, headers: Record<string, string> = {}) =>
  (await of.send({ url, headers })).headers

test('46 pages run our own scripts only; other origins are those that were configured, and pages cannot be framed', async () => {
  for (const url of ['/', '/login', '/main/dashboard', '/admin/users']) {
    const policy = policyOf((await head(app, url))['content-security-policy'])
    expect(policy, url).toMatchObject({
      'default-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
      'form-action': ["'self'"],
      'connect-src': ["'self'"],
      'frame-src': ["'self'"],
    })
    for (const source of policy['script-src']!)
      expect(source, url).toMatch(/^'self'$|^'sha256-[\w+/]{43}='$/)
  }
  // The payment dialog of the sandbox is framed by our own pages, and a call's answer by none.
  expect(
    policyOf((await head(app, '/sandbox-pay/invoice'))['content-security-policy']),
  ).toMatchObject({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'frame-ancestors': ["'self'"],
  })
  const call = await head(app, '/api/health')
  expect(policyOf(call['content-security-policy'])).toEqual({
    'default-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  })
  const set = policyOf(
    contentPolicy({
      origins: ['https://pay.example.com'],
      scriptUrls: ['https://pay.example.com/modal/btcpay.js'],
      chat: 'https://chat.example.net/widget.js',
    }),
  )
  expect(set['script-src']).toEqual([
    "'self'",
    'https://pay.example.com/modal/btcpay.js',
    'https://chat.example.net',
  ])
  expect(set['frame-src']).toEqual([
    "'self'",
    'https://pay.example.com',
    'https://chat.example.net',
  ])
})

test('the chat widget is neither loaded nor allowed on the pages of administrators', async () => {
  for (const url of ['/admin', '/admin/users', '/Admin/']) {
    const { headers, body } = await secure.send({ url })
    expect(`${body} ${String(headers['content-security-policy'])}`, url).not.toContain(
      'chat.example.net',
    )
  }
  expect((await secure.send({ url: '/main/dashboard' })).body).toContain(
    '<script src="/chat.js" data-widget="https://chat.example.net/widget.js">',
  )
})

test('47 every response has nosniff, no referrer and our own origin; over https it demands https', async () => {
  const token = (await secure.register()).token
  const urls = [
    '/',
    '/api/health',
    '/api/nothing',
    '/nothing.js',
    '/api/auth/verify',
    '/api/openapi.json',
    '/api/orders/file/template',
    '/%zz',
  ]
  for (const url of urls) {
    const due = {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    }
    const headers = await head(secure, url, { token })
    expect(headers, url).toMatchObject({
      ...due,
      'strict-transport-security': expect.stringMatching(/^max-age=(3153\d{4}|[4-9]\d{7})/),
    })
    const plain = await head(app, url)
    expect(plain, url).toMatchObject(due)
    expect(plain, url).not.toHaveProperty('strict-transport-security')
  }
  const cookie = String(
    (await secure.send({ url: '/api/auth/verify', headers: { token } })).headers['set-cookie'],
  )
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/Secure/)
  expect(cookie).toMatch(/SameSite=Lax/)
})

test('48 no other origin may read a response: the list of allowed origins is empty, and no Origin is echoed', async () => {
  const { token, user } = await app.register()
  for (const origin of [
    'https://evil.example',
    'null',
    'http://127.0.0.1',
    app.ctx.config.publicUrl,
  ]) {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers, statusCode } = await app.send({
        method,
        url: `/api/orders/${user._id}`,
        headers: {
          token,
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'token',
        },
      })
      expect(Object.keys(headers).filter(name => name.startsWith('access-control-'))).toEqual([])
      if (method === 'OPTIONS') expect(statusCode).toBe(405)
    }
  }
  // A form of another site cannot send a body that our calls accept.
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    const payload = JSON.stringify({ email: user.email, password: 'x' })
    expect(
      (
        await app.send({
          method: 'POST',
          url: '/api/auth/login',
          payload,
          headers: { 'content-type': type },
        })
      ).statusCode,
    ).toBe(400)
  }
})

// How the inbox for the payment service's messages takes duplicates, wrong orders and rubbish: tests/payments/webhooks.test.ts.
test('50 money is credited by what the payment provider answers, once, and by nothing that a caller says', async () => {
  const ana = await app.register()
  const invoice = (await app.call(topUp, { params: { userId: ana.user._id } }, ana.token)).body
  const balance = async () => (await app.call(verifySession, {}, ana.token)).body.user.balance
  const payment = { value: '500', status: 'Settled' }
  const forged = {
    status: 'Settled',
    amount: 500,
    invoiceId: invoice.id,
    type: 'InvoiceSettled',
    payment,
  }
  const before = await tableChecksums(app.database)
  const paths = [
    '/api/payment/webhook',
    '/api/webhook',
    '/api/payment/webhooks/btcpay',
    `/api/payment/invoices/${invoice.id}`,
  ]
  // Without the signature, or with that of another message, it is refused; an unknown path is not
  // found.
  for (const url of [...paths, '/api/payment/webhooks/sandbox']) {
    const { statusCode } = await app.send({
      method: 'POST',
      url,
      payload: forged,
      headers: { 'btcpay-sig': `sha256=${'0'.repeat(64)}`, 'content-type': 'application/json' },
    })
    expect([url, statusCode]).toEqual([url, url.endsWith('sandbox') ? 401 : 404])
  }
  expect(await tableChecksums(app.database)).toEqual(before)
  const check = () =>
    app.send({
      method: 'POST',
      url: checkInvoice.path.replace(':id', invoice.id),
      headers: { token: ana.token },
      payload: forged,
    })
  expect([(await check()).json().status, await balance()]).toEqual(['New', 0])
  // Paid once; looked up by many at the same moment, and again later, and never a second time.
  await app.call(sandboxPay, { params: { id: invoice.id }, body: { amount: 20 } }, ana.token)
  await Promise.all(Array.from({ length: 20 }, check))
  expect(
    (await app.call(sandboxPay, { params: { id: invoice.id }, body: { amount: 20 } }, ana.token))
      .status,
  ).toBe(409)
  expect((await app.call(sandboxExpire, { params: { id: invoice.id } }, ana.token)).status).toBe(
    409,
  )
  const { deposits } = (
    await app.call(listDeposits, { params: { userId: ana.user._id }, query: {} }, ana.token)
  ).body
  expect([await balance(), deposits.map(({ status, amount }) => [status, amount])]).toEqual([
    20,
    [['Settled', 20]],
  ])
})

test('51 a socket is opened by our own pages and signed-in users, and shows no other user’s order', async () => {
  const address = await app.listen()
  const [ana, bob] = [await app.register(), await app.register()]
  await app.creditDollars(ana.user._id, 20)
  const { orderId } = (await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token))
    .body
  await app.call(
    processBatch,
    { params: { userId: ana.user._id }, body: { orderId, orderData: [row()] } },
    ana.token,
  )
  const open = (token: unknown, origin?: string) =>
    new Promise<ReturnType<typeof connect> | null>(resolve => {
      const socket = connect(address, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        auth: { token },
        ...(origin && { extraHeaders: { origin } }),
      })
      onTestFinished(() => void socket.disconnect())
      socket.once('connect', () => resolve(socket)).once('connect_error', () => resolve(null))
    })
  for (const origin of ['https://evil.example', 'null', `${address}.evil.example`])
    expect(await open(ana.token, origin)).toBeNull()
  for (const token of [undefined, '', 'sl_x', { $ne: '' }, bob.user._id])
    expect(await open(token)).toBeNull()
  const join = async (token: string) =>
    (await open(token, address))!.emitWithAck('joinOrderRoom', `order_${orderId}`)
  expect([await join(bob.token), await join(ana.token)]).toEqual([
    {
      ok: false,
      message: 'There is no such order',
      code: 'batch_unknown',
    },
    { ok: true },
  ])
})

/** The places that may speak to another machine, and to which: all of them named by the operator. */
const OUTGOING: Record<string, string> = {
  'server/carriers/wire/http.ts':
    'EASYPOST_URL, USPS_URL or SHIPENGINE_URL, and where these keep their labels: docs/carriers.md',
  'server/payments/btcpay/adapter.ts': 'BTCPAY_URL',
  'server/platform/mail/transport.ts': 'SMTP_URL',
  'server/platform/storage/bucket.ts': 'S3_ENDPOINT',
  'server/webhooks/outgoing/call.ts':
    'a URL that a user gave, to public addresses alone: security line 76',
}
const NETWORK =
  /^(node:)?(https?|http2|net|tls|dgram|dns)(\/promises)?$|^(undici|axios|got|node-fetch|nodemailer|aws4fetch|ws)$/
const MENTIONS = /\bfetch\b|'node:|'(undici|axios|got|node-fetch|nodemailer|aws4fetch|ws)'/
const NETWORK_CALLS = new Set([
  'fetch',
  'connect',
  'createConnection',
  'request',
  'get',
  'createTransport',
  'createSocket',
  'lookup',
  'resolve',
])

test('52 the server connects only to hosts that its operator configured, and for webhooks to public addresses', () => {
  const speaks = projectFiles('{server,contract}/**/*.ts').filter(
    path => !path.endsWith('.test.ts') && MENTIONS.test(readProjectFile(path)),
  )
  const found = speaks
    .map(path => readSource(path, readProjectFile(path)))
    .flatMap(source => {
      const networks = source.nodes.filter(
        node =>
          node.type === 'ImportDeclaration'
          && NETWORK.test(String((node.source as { value: string }).value)),
      )
      const names = networks.flatMap(node =>
        (node.specifiers as { imported?: { name: string }; local: { name: string } }[]).map(
          ({ imported, local }) => imported?.name ?? local.name,
        ),
      )
      const fetches = source.nodes.filter(
        node =>
          node.type === 'CallExpression' && (node.callee as { name?: string }).name === 'fetch',
      )
      return names.some(name => NETWORK_CALLS.has(name)) || fetches.length > 0 ? [source.path] : []
    })
  expect(
    found.toSorted(),
    'a new outgoing connection is entered here with the variable that names its host',
  ).toEqual(Object.keys(OUTGOING).toSorted())
})
