import { expect, test } from 'vitest'
import { toBase32 } from './base32.ts'
import { acceptedTotpStep, describeTotp, totpCode, totpStep } from './totp.ts'

/** RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890')
const BEFORE_ALL = -1

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at %i seconds is that of RFC 6238', (seconds, eightDigits) => {
  expect(totpCode(SECRET, totpStep(seconds))).toBe(eightDigits.slice(2))
})

test('a code counts half a minute early or late, and no longer', () => {
  const at = 1_234_567_890
  const step = totpStep(at)
  const accepted = [-2, -1, 0, 1, 2].map(shift =>
    acceptedTotpStep(SECRET, totpCode(SECRET, step + shift), at, BEFORE_ALL),
  )
  expect(accepted).toEqual([null, step - 1, step, step + 1, null])
})

test('a code that was accepted, and any older one, is refused from then on', () => {
  const at = 1_234_567_890
  const step = totpStep(at)
  const accepted = [-1, 0, 1].map(shift =>
    acceptedTotpStep(SECRET, totpCode(SECRET, step + shift), at, step),
  )
  expect(accepted).toEqual([null, null, step + 1])
})

test('spaces in a code are ignored; anything but six digits is wrong', () => {
  const at = 59
  expect(acceptedTotpStep(SECRET, ' 287 082 ', at, BEFORE_ALL)).toBe(1)
  for (const typed of ['', '28708', '2870822', '२८७०८२', 'abcdef'])
    expect(acceptedTotpStep(SECRET, typed, at, BEFORE_ALL), typed).toBeNull()
})

test('the QR code names product and account', () => {
  expect(describeTotp(SECRET, 'ana+1@example.com')).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    uri: 'otpauth://totp/Evenpost%3Aana%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Evenpost',
  })
})

// RFC 4648, section 10, without padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %o', (text, encoded) => {
  expect(toBase32(Buffer.from(text))).toBe(encoded)
})
