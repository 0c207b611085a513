import type { IncomingMessage } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'
import { expect, test } from 'vitest'
import { createHttpServer } from './server.ts'
import { compileTrust } from './trust-proxy.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

const FORWARDED = '203.0.113.9, 198.51.100.4, 10.0.0.8'
const SEEN: [trustProxy: boolean | string, remote: string, seen: string][] = [
  [false, '10.0.0.7', '10.0.0.7'],
  [true, '10.0.0.7', '10.0.0.8'],
  ['10.0.0.7', '10.0.0.7', '10.0.0.8'],
  ['10.0.0.7', '::ffff:10.0.0.7', '10.0.0.8'],
  ['10.0.0.7', '10.0.0.6', '10.0.0.6'],
  ['uniquelocal', '10.0.0.7', '198.51.100.4'],
  ['10.0.0.0/8, 198.51.100.0/24', '10.0.0.7', '203.0.113.9'],
  ['0.0.0.0/0', '10.0.0.7', '203.0.113.9'],
  ['loopback', '::1', '10.0.0.8'],
  ['fc00::/7', 'fd12::1', '10.0.0.8'],
]
test.each(SEEN)(
  'with TRUST_PROXY=%s a request from %s with forwarded addresses comes from %s',
  async (trustProxy, remote, seen) => {
    expect(proxyaddr(request(remote, FORWARDED), compileTrust(trustProxy))).toBe(seen)
    // HTTP requests and sockets see the same address.
    const app = createHttpServer({ trustProxy, logLevel: 'silent', silent: true })
    app.get('/where', async ({ ip }) => ip)
    expect(
      (
        await app.inject({
          url: '/where',
          remoteAddress: remote,
          headers: { 'x-forwarded-for': FORWARDED },
        })
      ).body,
    ).toBe(seen)
  },
)

test('a request without forwarded addresses comes from its own address', () => {
  expect(proxyaddr(request('10.0.0.7'), compileTrust('uniquelocal'))).toBe('10.0.0.7')
})

test.each(['somewhere', '10.0.0.0/33', '10.0.0.0/255.0.0.0', '10.0.0.7,', 'fe80::/129'])(
  'TRUST_PROXY=%s is refused: it is not an address',
  text => {
    expect(() => compileTrust(text)).toThrow('is not an address')
  },
)
