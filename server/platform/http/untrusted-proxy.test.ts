import { expect, test, vi } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import { claimedAddress, untrustedProxyWarning } from './untrusted-proxy.ts'

const app = await testApp()

const visit = (peer: string, forwardedFor?: string) =>
  app.send({
    url: '/api/health',
    remoteAddress: peer,
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  })
const warning = (trustProxy: boolean | string = false) =>
  untrustedProxyWarning(app.database, trustProxy)

test('a proxy that TRUST_PROXY does not name is logged once and known to the next start and the doctor', async () => {
  const warn = vi.spyOn(app.ctx.log, 'warn')
  await visit('172.18.0.5')
  await visit('203.0.113.9', '198.51.100.1')
  expect(await warning(), 'without the header, and from a public address').toBeNull()
  for (let n = 0; n < 3; n++) await visit('172.18.0.5', '198.51.100.1')
  await expect.poll(() => warning()).toMatch(/X-Forwarded-For comes from 172\.18\.0\.5/)
  expect(await warning()).toContain('set TRUST_PROXY=172.18.0.5')
  // A slow machine may give the server other warnings.
  const named = warn.mock.calls.map(([about]) => about as unknown as object)
  expect(named.filter(about => 'peer' in about)).toEqual([{ peer: '172.18.0.5' }])
  expect(await warning('172.18.0.0/16'), 'once it is named').toBeNull()
  await app.database.pool.query(
    `update app_setting set value = replace(value, '"at":"2', '"at":"1') where key = 'untrusted_proxy'`,
  )
  expect(await warning(), 'a thousand years later').toBeNull()
})

test('what an unnamed proxy forwards tells visitors apart; a public address may claim nothing', () => {
  const claim = (address: string, text?: string) =>
    claimedAddress(address, text === undefined ? {} : { 'x-forwarded-for': text })
  expect(claim('172.18.0.5', '203.0.113.5')).toBe('203.0.113.5')
  expect(claim('127.0.0.1', '10.9.9.9, 203.0.113.5'), 'the proxy’s own entry is the last').toBe(
    '203.0.113.5',
  )
  expect(claim('::1', '2001:db8::7')).toBe('2001:db8::7')
  expect(claim('203.0.113.9', '203.0.113.5')).toBeNull()
  expect(claim('172.18.0.5')).toBeNull()
  expect(claim('172.18.0.5', 'unknown')).toBeNull()
  expect(claim('10.1.2.3', '10.1.2.3'), 'a visitor of a trusted proxy').toBeNull()
})
