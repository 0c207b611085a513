import { expect, test } from 'vitest'
import {
  assertSandboxTracking,
  checkDigit,
  hasValidCheckDigit,
  isSandboxTracking,
  sandboxTracking,
} from './tracking.ts'

// Published examples of package codes (public tracking-number data, MIT) without their routing
// prefix.
const VALID = [
  '9400111201080805483016',
  '9405803699300124287899',
  '9434611206206406227577',
  '9400111206206406260787',
  '9505511069605048600624',
  '9361289878700317633795',
  '9261290336128704042634',
  '92001903060085300042901077',
  '92748931507708513018050063',
  '9101123456789000000013',
  '9101026837331000039521',
  '03071790000523483741',
  '71123456789123456787',
  '9171969010756003077385',
  '9261290113185417468510',
  '9200190132607600833457',
]
const INVALID = [
  '9434611206206407667131',
  '9101123456789000000014',
  '71969010756003077386',
  '03071790000523483742',
  '9200000000000000000000',
]

test.each(VALID)('%s ends with its check digit', code =>
  expect(hasValidCheckDigit(code)).toBe(true),
)
test.each(INVALID)('%s does not end with its check digit', code =>
  expect(hasValidCheckDigit(code)).toBe(false),
)

test('one wrong digit is found at every position', () => {
  const code = sandboxTracking(1234567890123n)
  for (let place = 0; place < code.length; place++) {
    const wrong = code.slice(0, place) + ((Number(code[place]) + 1) % 10) + code.slice(place + 1)
    expect(hasValidCheckDigit(wrong), wrong).toBe(false)
  }
})

test('a sandbox number has 22 digits, begins with 98 and names no mailer', () => {
  // 3 x 9 + 1 x 8 is 35, and 5 more make 40.
  expect(sandboxTracking(0)).toBe('9800000000000000000005')
  expect(sandboxTracking(10)).toBe('9800000000000000000104')
  expect(sandboxTracking(20n)).toBe('9800000000000000000203')
  expect(sandboxTracking(9_999_999_999_999n)).toMatch(/^980000009{13}\d$/)
  expect(isSandboxTracking(sandboxTracking(77))).toBe(true)
})

test('serials that would repeat a number or make it longer are refused', () => {
  expect(() => sandboxTracking(10n ** 13n)).toThrow(RangeError)
  expect(() => sandboxTracking(-1)).toThrow(RangeError)
})

test('no number with a live prefix can be drawn, not even with a valid check digit', () => {
  for (const prefix of [91, 92, 93, 94, 95]) {
    const body = `${prefix}0000000000000000001`
    expect(() => assertSandboxTracking(body + checkDigit(body))).toThrow('live postage')
  }
})

test('only sandbox numbers can be drawn', () => {
  const nearly = [
    '9800000000000000000006',
    `${sandboxTracking(5)}0`,
    sandboxTracking(5).slice(0, -1),
  ]
  const foreign = ['', '98', 'FNC1', '9600000000000000000001', '9812345678901234567897']
  for (const code of [...nearly, ...foreign])
    expect(() => assertSandboxTracking(code), code).toThrow('not a sandbox')
  expect(() => assertSandboxTracking(sandboxTracking(5))).not.toThrow()
})
