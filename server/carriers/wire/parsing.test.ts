import { expect, test } from 'vitest'
import { attemptName, attemptUuid } from './attempt-name.ts'
import {
  parseCentsDown,
  parseCentsUp,
  trustedFileUrl,
  detectLabel,
  ouncesRoundedUp,
  phoneDigits,
  toPrintable,
  sanitizeMessage,
} from './parsing.ts'

test.each<[written: unknown, up: number | null, down: number | null]>([
  ['5.93', 593, 593],
  ['5.93000', 593, 593],
  ['0.01001', 2, 1],
  ['7', 700, 700],
  ['7.5', 750, 750],
  ['0.29', 29, 29],
  [' 6.90 ', 690, 690],
  [5.93, 593, 593],
  [1.1, 110, 110],
  [7.420000000000001, 742, 742],
  [7.249999999999999, 725, 725],
  [0.0101, 2, 1],
  [-1, null, null],
  ['-1.00', null, null],
  ['1,000.00', null, null],
  ['5.93 USD', null, null],
  ['', null, null],
  [null, null, null],
  [Number.NaN, null, null],
  ['99999999999.00', null, null],
])('%j dollars are %j cents to pay and %j to spend', (written, up, down) => {
  expect([parseCentsUp(written), parseCentsDown(written)]).toEqual([up, down])
})

test.each([
  [1.5, 0, 24],
  [0.1, 0, 2],
  [0.1, 1, 1.6],
  [0.3, 1, 4.8],
  [70, 0, 1120],
  [1.01, 1, 16.2],
  [1.01, 0, 17],
  [0.0625, 0, 1],
])(
  'a parcel of %f lb is never declared lighter (%i decimals: %f oz)',
  (pounds, decimals, ounces) => {
    expect(ouncesRoundedUp(pounds, decimals)).toBe(ounces)
  },
)

test('a label is recognized by its first bytes, whichever type is declared', () => {
  expect(detectLabel(Buffer.from('%PDF-1.4\n'))?.mime).toBe('application/pdf')
  expect(detectLabel(Buffer.from('89504e470d0a1a0a0000', 'hex'))?.mime).toBe('image/png')
  for (const zpl of [
    '^XA^FDx^FS^XZ',
    '\n^XA',
    'CT~~CD,~CC^~CT~\n^XA^PW812',
    '^FX label^FS^XA',
    '~DGR:A.GRF,1,1,00\n^XA',
  ])
    expect(detectLabel(Buffer.from(zpl))?.mime).toBe('application/zpl')
  for (const other of ['', '%PDF', '<html>%PDF-1.4', 'GIF89a', '<html>^XA', '^FDx^FS', 'XA^'])
    expect(detectLabel(Buffer.from(other))).toBeNull()
})

const HOSTS = ['files.example.net', '*.carrier.example']
test.each([
  ['https://files.example.net/a.pdf', true],
  ['https://cdn.carrier.example/a.pdf', true],
  ['http://127.0.0.1:4000/a.pdf', true],
  ['http://files.example.net/a.pdf', false],
  ['https://files.example.net:8443/a.pdf', false],
  ['https://evilcarrier.example/a', false],
  ['https://carrier.example.evil.test/a', false],
  ['http://127.0.0.1:4001/a.pdf', false],
  ['https://169.254.169.254/latest', false],
  ['https://user:pass@files.example.net/a', false],
  ['file:///etc/passwd', false],
  ['nothing', false],
  [null, false],
  [{}, false],
])('a file at %j is fetched: %j', (address, isFetched) => {
  expect(trustedFileUrl(address, 'http://127.0.0.1:4000', HOSTS) !== null).toBe(isFetched)
})

test('printed text is in Latin capitals; a phone number has its digits without extension, or is left out', () => {
  expect(toPrintable('José Łukasz')).toBe('JOSE LUKASZ')
  expect(phoneDigits('+1 347-448-3190 ext. 70484')).toBe('13474483190')
  expect([phoneDigits('555-0110'), phoneDigits(''), phoneDigits('1234567890123456')]).toEqual([
    '',
    '',
    '',
  ])
})

test('a carrier’s message is one line without secrets', () => {
  expect(sanitizeMessage('The key EZ-secret\n is  wrong', ['EZ-secret', ''])).toBe(
    'The key ••• is wrong',
  )
  expect(sanitizeMessage('x'.repeat(1_000), [])).toHaveLength(300)
})

test('an attempt always has the same name and the same UUID of version 8; another installation has others', () => {
  const attempt = { reference: '17', round: 2 }
  expect(attemptName('0a1b', attempt)).toBe('evp-0a1b-17-2')
  expect(attemptUuid('0a1b', attempt)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(attemptUuid('0a1b', attempt)).toBe(attemptUuid('0a1b', { ...attempt }))
  expect(
    new Set([
      attemptUuid('0a1b', attempt),
      attemptUuid('0a1c', attempt),
      attemptUuid('0a1b', { ...attempt, round: 3 }),
    ]).size,
  ).toBe(3)
})
