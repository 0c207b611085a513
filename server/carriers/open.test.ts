import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { testDatabase } from '#tests/support/database.ts'
import { carrierWarnings, openCarrierAccounts } from './open.ts'

const database = await testDatabase()
const noop = (): void => {}
const log = { debug: noop, info: noop, warn: noop, error: noop }

const LIVE = {
  PAYMENTS: 'btcpay',
  SMTP_URL: 'smtps://mail.example.com',
  PUBLIC_URL: 'https://post.example.com',
  ADMIN_EMAIL: 'ops@example.com',
  BTCPAY_URL: 'https://pay.example.com',
  BTCPAY_API_KEY: 'gravel-7f3e-unit',
  BTCPAY_STORE_ID: 'Store1',
  BTCPAY_WEBHOOK_SECRET: 'wet-hemlock-4711',
}
const CHOICES: Record<string, Record<string, string>> = {
  easypost: { EASYPOST_API_KEY: 'EZAK-hemlock-81f4' },
  usps: {
    USPS_CLIENT_ID: 'hemlock',
    USPS_CLIENT_SECRET: 'gravel-2b7d-and-more',
    USPS_CRID: '12345678',
    USPS_MID: '903000000',
    USPS_ACCOUNT_NUMBER: '1000654321',
  },
  shipengine: { SHIPENGINE_API_KEY: 'hemlock-55c1-gravel', SHIPENGINE_CARRIER_ID: 'se-123' },
}
const configOf = (carrier: string, more: Record<string, string> = {}) =>
  readConfig({
    ...(carrier !== 'sandbox' && { ...LIVE, ...CHOICES[carrier] }),
    CARRIER: carrier,
    ...more,
  })
const open = (carrier: string, more?: Record<string, string>) =>
  openCarrierAccounts({ config: configOf(carrier, more), database, log })[0].carrier

test.each(['sandbox', ...Object.keys(CHOICES)])(
  'CARRIER=%s sells the labels, at its own rate limit or the operator’s',
  carrier => {
    expect(open(carrier).name).toBe(carrier)
    const arranged = open(carrier, { CARRIER_PER_MINUTE: '60' })
    expect(arranged.rateLimit).toMatchObject({ perMinute: 60 })
    // After a pause there is budget for a label or a void beyond the share reserved for other calls.
    const {
      rateLimit,
      callsPerLabel,
      callsPerVoid = 1,
    } = open(carrier, {
      CARRIER_PER_MINUTE: '1',
    })
    expect(rateLimit!.burst).toBeGreaterThanOrEqual(2 * Math.max(callsPerLabel, callsPerVoid))
  },
)

test.each<[carrier: string, more: Record<string, string>]>([
  ['easypost', { EASYPOST_API_KEY: 'EZTK-hemlock-81f4' }],
  ['usps', { USPS_URL: 'https://apis-tem.usps.com' }],
  ['shipengine', { SHIPENGINE_API_KEY: 'TEST_hemlock-55c1' }],
])('a test key of %s is reported without revealing it; real ones are not', (carrier, more) => {
  expect(carrierWarnings(configOf(carrier))).toEqual([])
  expect(carrierWarnings(configOf(carrier, more)).join()).toContain('NOT VALID POSTAGE')
  expect(carrierWarnings(configOf(carrier, more)).join()).not.toContain('hemlock')
  // Several labels of an account for tests may have one tracking number; real ones never.
  expect([open(carrier).repeatsNumbers, open(carrier, more).repeatsNumbers]).toEqual([
    undefined,
    true,
  ])
})

test('the test environment of USPS is another account than the real one: it knows none of its labels', () => {
  const test = open('usps', { USPS_URL: 'https://apis-tem.usps.com' })
  expect([open('usps').account, test.account]).toEqual(['usps:12345678', 'usps:test-12345678'])
})

test('the sandbox itself says that nothing is real', () => {
  expect(carrierWarnings(configOf('sandbox'))).toEqual([])
})

test('an earlier account of another carrier is never taken for the account of this one', () => {
  const names = { CARRIER_SAME_ACCOUNT: 'easypost:1a2b3c4d, usps:7' }
  expect(configOf('usps', names).carrierSameAccount).toEqual(['usps:7'])
  expect(configOf('easypost', names).carrierSameAccount).toEqual(['easypost:1a2b3c4d'])
  expect(configOf('shipengine', names).carrierSameAccount).toEqual([])
})

test('two accounts with a former name in common are refused: each would answer for the labels of the other', () => {
  const twoAccounts = (backup: Record<string, string>) =>
    openCarrierAccounts({
      config: readConfig({
        ...LIVE,
        CARRIER_ACCOUNTS: 'main,backup',
        CARRIER_MAIN_KIND: 'easypost',
        CARRIER_MAIN_EASYPOST_API_KEY: 'EZAK-hemlock-81f4',
        CARRIER_MAIN_SAME_ACCOUNT: 'easypost:aaa',
        CARRIER_BACKUP_KIND: 'easypost',
        CARRIER_BACKUP_EASYPOST_API_KEY: 'EZAK-gravel-20c9',
        ...backup,
      }),
      database,
      log,
    })
  expect(twoAccounts({}).map(({ name }) => name)).toEqual(['main', 'backup'])
  expect(() => twoAccounts({ CARRIER_BACKUP_SAME_ACCOUNT: 'easypost:aaa' })).toThrow(
    "The accounts 'main' and 'backup' of CARRIER_ACCOUNTS share the name easypost:aaa",
  )
})
