import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { callerAddress, compileTrust } from './caller-address.ts'
import { createHttpServer } from './router.ts'

const request = (remoteAddress: string, told?: string) =>
  ({
    socket: { remoteAddress },
    headers: told === undefined ? {} : { 'x-forwarded-for': told },
  }) as unknown as IncomingMessage

const TOLD = '203.0.113.9, 198.51.100.4, 10.0.0.8'
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
  'with TRUST_PROXY=%s a caller at %s who claims others behind him is seen at %s',
  async (trustProxy, remote, seen) => {
    expect(callerAddress(request(remote, TOLD), compileTrust(trustProxy))).toBe(seen)
    // Calls are counted where lines are.
    const app = createHttpServer({ trustProxy, logLevel: 'silent', silent: true })
    app.get('/where', async ({ ip }) => ip)
    expect(
      (
        await app.inject({
          url: '/where',
          remoteAddress: remote,
          headers: { 'x-forwarded-for': TOLD },
        })
      ).body,
    ).toBe(seen)
  },
)

test('who claims nothing is where he is', () => {
  expect(callerAddress(request('10.0.0.7'), compileTrust('uniquelocal'))).toBe('10.0.0.7')
})

test.each(['somewhere', '10.0.0.0/33', '10.0.0.0/255.0.0.0', '10.0.0.7,', 'fe80::/129'])(
  '%s is no address to trust',
  text => {
    expect(() => compileTrust(text)).toThrow('is no address')
  },
)
