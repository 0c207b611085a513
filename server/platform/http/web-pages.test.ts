import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createHttpServer } from './server.ts'
import { contentPolicy, inlineParts, servePages } from './web-pages.ts'
import type { PageOptions } from './web-pages.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost-pages-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
await mkdir(join(folder, 'dist', 'assets'), { recursive: true })
const FACTS = {
  year: '2026',
  url: 'http://127.0.0.1:3000',
  price: null,
  flat: null,
  community: null,
  chat: null,
  pages: [],
  refunds: null,
  agreement: null,
}
const put = (path: string, text: string) => writeFile(join(folder, 'dist', path), text)
await put(
  'index.html',
  '<!doctype html><title>Pages</title><p>{{year}}</p>'
    + '{{#chat}}<script src="{{chat}}"></script>{{/chat}}',
)
await put('theme.js', 'theme()')
await put('assets/app-a1b2.js', 'start()')
await put('assets/face-c3d4.woff2', 'face')
await put('.env', 'SECRET=1')
await writeFile(join(folder, 'secret.txt'), 'a secret beside the pages')

async function serve(change: Partial<PageOptions> = {}, publicUrl = FACTS.url) {
  const app = createHttpServer({
    trustProxy: false,
    logLevel: 'silent',
    silent: true,
    publicUrl: () => publicUrl,
  })
  await servePages(app, {
    folder: join(folder, 'dist'),
    origins: [],
    pageFacts: async () => FACTS,
    ...change,
  })
  afterAll(() => app.close())
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
}
const get = await serve()

test('every path of the web app opens the page, and the page is not cached', async () => {
  for (const path of ['/', '/main/dashboard', '/reset-password?token=abc', '/main/order-label/']) {
    const answer = await get(path)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect(answer.body).toContain('<title>Pages</title>')
  }
})

test('a file that could not be read once is sent as soon as it can be read', async () => {
  await put('assets/late-e5f6.js', 'late()')
  const again = await serve()
  expect((await again('/')).statusCode).toBe(200)
  await rm(join(folder, 'dist', 'assets', 'late-e5f6.js'))
  expect((await again('/assets/late-e5f6.js')).statusCode).toBe(500)
  await put('assets/late-e5f6.js', 'late()')
  const sent = await again('/assets/late-e5f6.js')
  expect([sent.statusCode, sent.body]).toEqual([200, 'late()'])
})

test('assets are cached forever; other files are revalidated and sent only when they changed', async () => {
  expect((await get('/assets/app-a1b2.js')).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  )
  const font = await get('/assets/face-c3d4.woff2')
  expect(font.body).toBe('face')
  expect(font.headers).toMatchObject({
    'content-type': 'font/woff2',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const theme = await get('/theme.js')
  expect([theme.body, theme.headers['cache-control']]).toEqual(['theme()', 'no-cache'])
  expect(
    (await get('/theme.js', { 'if-none-match': theme.headers.etag as string })).statusCode,
  ).toBe(304)
})

test('a browser that accepts compression gets text files compressed', async () => {
  const answer = await get('/assets/app-a1b2.js', { 'accept-encoding': 'gzip, br' })
  expect(answer.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe('start()')
})

test('a missing file is not replaced by the page', async () => {
  for (const path of [
    '/assets/old-e5f6.js',
    '/assets/',
    '/favicon.ico',
    '/api/nothing',
    '/api',
    '/socket.io/',
  ]) {
    expect((await get(path)).statusCode, path).toBe(404)
  }
})

test('a browser that opens a missing file as a page gets the page, with status 404', async () => {
  const accept = 'text/html,*/*;q=0.8'
  for (const path of ['/lost.pdf', '/assets/old-e5f6.js']) {
    const answer = await get(path, { accept })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-cache'])
    expect(answer.body).toContain('<title>Pages</title>')
  }
  for (const path of ['/api/nothing', '/.env'])
    expect((await get(path, { accept })).json(), path).toMatchObject({ code: 'path_unknown' })
})

test('an unknown path gets the page with status 404, never cached', async () => {
  const known = await serve({ knownPaths: /^(login\/*$|main(\/|$))/i })
  const status = async (url: string, headers = {}) => (await known(url, headers)).statusCode
  for (const path of [
    '/',
    '/login',
    '/login/',
    '/Login?next=x',
    '/main',
    '/main/anything',
    '/theme.js',
  ]) {
    expect([path, await status(path)]).toEqual([path, 200])
  }
  for (const path of ['/nothing', '/login/more', '/mainly', '/wp-admin/setup'])
    expect([path, await status(path)]).toEqual([path, 404])
  const lost = await known('/nothing')
  expect([lost.body, lost.headers['cache-control']]).toEqual([
    expect.stringContaining('<title>Pages</title>'),
    'no-cache',
  ])
  expect(lost.headers).toHaveProperty('content-security-policy')
  expect(await status('/nothing', { 'if-none-match': lost.headers.etag })).toBe(404)
})

test('no file outside the folder and no hidden file is served', async () => {
  const paths = [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/.env',
    '/assets/.env',
    '/..%5csecret.txt',
    '//etc/passwd.txt',
    '/secret.txt%00.html',
    '/%c0%ae%c0%ae/secret.txt',
  ]
  for (const path of paths) {
    const answer = await get(path)
    expect(answer.statusCode, path).toBeGreaterThanOrEqual(400)
    expect(answer.body, path).not.toContain('secret beside')
    expect(answer.body, path).not.toContain('SECRET')
  }
})

test('pages have a strict content policy and cannot be framed; HSTS is sent over https only', async () => {
  const plain = await get('/login')
  expect(plain.headers['content-security-policy']).toMatch(
    /default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline';/,
  )
  expect(plain.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(plain.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  expect(plain.headers).not.toHaveProperty('strict-transport-security')
  const secure = await serve({}, 'https://labels.example.com')
  expect((await secure('/')).headers['strict-transport-security']).toBe('max-age=31536000')
})

test('the policy allows the given third-party origins, and inline scripts only by their hash', () => {
  const { scripts } = inlineParts(
    '<script src="/a.js"></script><script>go()</script><script type="application/ld+json">{}</script>',
  )
  const policy = contentPolicy({
    origins: ['https://pay.example.com'],
    scriptUrls: ['https://pay.example.com/modal.js'],
    scripts,
  })
  expect(policy).toContain(
    "script-src 'self' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw=' https://pay.example.com/modal.js;",
  )
  expect(policy).toContain("frame-src 'self' https://pay.example.com;")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

test('a page that the build has rendered opens by its path; a query opens the application', async () => {
  await put('register.html', '<!doctype html><title>Join</title><style data-app>p{}</style>')
  const known = await serve({ knownPaths: /^register\/*$/i })
  const rendered = await known('/register')
  expect([rendered.statusCode, rendered.body]).toEqual([200, expect.stringContaining('Join')])
  expect(rendered.headers).toMatchObject({ 'cache-control': 'no-cache' })
  expect(rendered.headers['content-security-policy']).toContain("style-src 'self' 'unsafe-inline';")
  for (const path of ['/register?ref=friend', '/register/'])
    expect((await known(path)).body).toContain('<title>Pages</title>')
})

test('a page with its own inline style allows no other', () => {
  const { styles } = inlineParts('<style>p{margin:0}</style><p style="color:red">')
  expect(contentPolicy({ styles })).toMatch(/style-src 'self' 'sha256-[\w+/]{43}=';/)
})

test('a configured chat widget is loaded, and only its origin is allowed', async () => {
  expect((await get('/')).headers['content-security-policy']).not.toContain('https:')
  const chat = 'https://chat.example.com/widget.js?site=7'
  const answer = await (await serve({ pageFacts: async () => ({ ...FACTS, chat }) }))('/')
  expect(answer.body).toContain(`<script src="${chat}"></script>`)
  expect(answer.headers['content-security-policy']).toContain(
    "script-src 'self' https://chat.example.com;",
  )
  expect(answer.headers['content-security-policy']).toContain(
    "connect-src 'self' https://chat.example.com wss://chat.example.com;",
  )
})

test('on a page whose URL holds a secret the chat widget is neither loaded nor allowed', async () => {
  const chat = 'https://chat.example.com/widget.js'
  const served = await serve({
    pageFacts: async () => ({ ...FACTS, chat }),
    secretPaths: /^reset-password\b/,
  })
  for (const path of ['/reset-password?token=abc', '/reset-password/?token=abc']) {
    const answer = await served(path)
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      expect.not.stringContaining('chat.example.com'),
    ])
    expect(answer.headers['content-security-policy']).not.toContain('chat.example.com')
    expect((await served('/login')).body).toContain(chat)
  }
})

test('a page that only its link opens is not listed and not cached', async () => {
  const served = await serve({ unlistedPaths: /^track\b/ })
  const { headers } = await served('/track/abc')
  expect([headers['cache-control'], headers['x-robots-tag']]).toEqual([
    'no-store',
    'noindex, nofollow',
  ])
  const other = (await served('/login')).headers
  expect([other['cache-control'], other['x-robots-tag']]).toEqual(['no-cache', undefined])
})

test('a changed price changes the page; an unchanged page is not sent again', async () => {
  await put('prices.txt', 'from {{price}}')
  let price = '$6.50'
  const priced = await serve({ pageFacts: async () => ({ ...FACTS, price }) })
  const before = await priced('/prices.txt')
  expect(before.body).toBe('from $6.50')
  expect(
    (await priced('/prices.txt', { 'if-none-match': before.headers.etag as string })).statusCode,
  ).toBe(304)
  price = '$7.00'
  expect(
    (await priced('/prices.txt', { 'if-none-match': before.headers.etag as string })).body,
  ).toBe('from $7.00')
})

test('facts known at run time are filled in, and a new build is served without a restart', async () => {
  expect((await get('/')).body).toContain('<p>2026</p>')
  const nextBuild = new Date('2099-01-01')
  await put('index.html', '<!doctype html><title>Newer pages</title>')
  await utimes(join(folder, 'dist', 'index.html'), nextBuild, nextBuild)
  expect((await get('/main/deposit')).body).toContain('Newer pages')
})

test('before the web is built a page says what to do, and the API works', async () => {
  const unbuilt = await serve({ folder: join(folder, 'nowhere') })
  const answer = await unbuilt('/')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    503,
    'text/html; charset=utf-8',
  ])
  expect(answer.body).toContain('npm run build')
  expect((await unbuilt('/api/nothing')).headers['content-type']).toContain('application/json')
})
