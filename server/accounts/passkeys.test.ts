import { expect, test } from 'vitest'
import { challengeIn, passkeyProblem, passkeySite } from './passkeys.ts'

test.each([
  ['https://post.example.com', 'post.example.com', 'https://post.example.com'],
  ['https://post.example.com:8443/', 'post.example.com', 'https://post.example.com:8443'],
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
  ['http://shop.localhost:3000', 'shop.localhost', 'http://shop.localhost:3000'],
  // One machine: browsers reach it by its name too.
  ['http://127.0.0.1:3000', 'localhost', 'http://localhost:3000'],
  ['http://[::1]:3000', 'localhost', 'http://localhost:3000'],
])('at %s passkeys belong to %s', (publicUrl, host, origin) => {
  expect(passkeySite(publicUrl)).toEqual({ host, origin, problem: null })
})

test.each([
  ['https://10.0.0.7', /IP address 10\.0\.0\.7/],
  ['https://[2001:db8::7]', /IP address \[2001:db8::7\]/],
  ['http://post.example.com', /need https/],
])('at %s passkeys are not possible, and a sentence says why', (publicUrl, why) => {
  expect(passkeySite(publicUrl).problem).toMatch(why)
  expect(passkeyProblem(publicUrl, 'post.example.com')).toMatch(why)
})

test('a page opened at 127.0.0.1 is told the address where passkeys work', () => {
  const publicUrl = 'http://127.0.0.1:3000'
  expect(passkeyProblem(publicUrl, '127.0.0.1:3000')).toBe(
    'Passkeys don’t work on an IP address. Open http://localhost:3000 instead.',
  )
  expect(passkeyProblem(publicUrl, 'localhost:3000')).toBeNull()
  // Behind a proxy the Host header says nothing about the address in the browser.
  expect(passkeyProblem('https://post.example.com', '127.0.0.1:3000')).toBeNull()
})

test('the challenge of an unreadable answer is none', () => {
  const answer = (clientDataJSON: string) => ({
    id: 'x',
    rawId: 'x',
    type: 'public-key' as const,
    response: { clientDataJSON, authenticatorData: '', signature: '' },
  })
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(challengeIn(answer(encode({ challenge: 'abc' })))).toBe('abc')
  for (const unreadable of ['', '%%%', encode(null), encode({ challenge: 7 }), encode('x')])
    expect(challengeIn(answer(unreadable))).toBeNull()
})
