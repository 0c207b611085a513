import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { ADDRESS_NOT_ALLOWED, guardedLookup, isAllowedAddress } from './addresses.ts'
import type { ResolveName } from './addresses.ts'

test('messages go to public addresses alone', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '172.32.0.1',
    '192.0.1.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:82a::200e',
  ])
    expect([address, isAllowedAddress(address, false)]).toEqual([address, true])
  for (const address of [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'example.com',
    '',
  ])
    expect([address, isAllowedAddress(address, false)]).toEqual([address, false])
})

test('a sandbox may allow this machine, and no other private address', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1'].map(one => isAllowedAddress(one, true))).toEqual([
    true,
    true,
    true,
  ])
  expect(['10.0.0.1', '169.254.169.254', 'fe80::1'].some(one => isAllowedAddress(one, true))).toBe(
    false,
  )
})

const lookUp = (resolve: ResolveName, all: boolean): Promise<string | LookupAddress[]> =>
  new Promise((done, fail) => {
    guardedLookup(resolve, false)('hooks.example.com', { all }, (error, found) =>
      error ? fail(error) : done(found),
    )
  })

test('one private address among those of a name refuses the name', async () => {
  await expect(lookUp(async () => ['8.8.8.8', '2606:4700::1111'], true)).resolves.toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ])
  await expect(lookUp(async () => ['8.8.8.8'], false)).resolves.toBe('8.8.8.8')
  for (const private_ of ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1'])
    await expect(lookUp(async () => ['8.8.8.8', private_], true)).rejects.toMatchObject({
      code: ADDRESS_NOT_ALLOWED,
    })
  await expect(lookUp(async () => [], true)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
