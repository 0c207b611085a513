import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { LIVE_ENV } from '#tests/support/live-env.ts'

const TWO = {
  ...LIVE_ENV,
  CARRIER_PER_MINUTE: '',
  CARRIER_ACCOUNTS: 'main, backup',
  CARRIER_MAIN_KIND: 'easypost',
  CARRIER_MAIN_EASYPOST_API_KEY: 'EZAKquartz-8271-of-easypost',
  CARRIER_MAIN_EASYPOST_URL: 'http://127.0.0.1:1',
  CARRIER_BACKUP_KIND: 'shipengine',
  CARRIER_BACKUP_SHIPENGINE_API_KEY: 'lichen-5512-of-shipengine',
  CARRIER_BACKUP_SHIPENGINE_CARRIER_ID: 'se-1',
  CARRIER_BACKUP_SHIPENGINE_URL: 'http://127.0.0.1:1',
  CARRIER_BACKUP_PER_MINUTE: '40',
  CARRIER_BACKUP_SAME_ACCOUNT: 'shipengine:se-7, easypost:1a2b3c4d',
}
const errorFor = (env: Record<string, string>): string => {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('two accounts have keys, limits and former names of their own, in the order of their names', () => {
  const config = readConfig(TWO)
  expect(config.mode).toBe('live')
  expect(config.carrierAccounts).toMatchObject([
    {
      name: 'main',
      carrier: 'easypost',
      carrierPerMinute: undefined,
      easypost: { apiKey: 'EZAKquartz-8271-of-easypost' },
    },
    {
      name: 'backup',
      carrier: 'shipengine',
      carrierPerMinute: 40,
      carrierSameAccount: ['shipengine:se-7'],
      shipengine: { carrierId: 'se-1' },
    },
  ])
})

test('the settings of one account go on as before, as an account named main', () => {
  const config = readConfig({})
  expect(config.carrierAccounts).toMatchObject([{ name: 'main', carrier: 'sandbox' }])
})

test('a wrong or missing variable of an account is named as it is set', () => {
  expect(
    errorFor({
      ...TWO,
      CARRIER_BACKUP_SHIPENGINE_CARRIER_ID: '',
      CARRIER_BACKUP_PER_MINUTE: 'many',
    }),
  ).toContain('CARRIER_BACKUP_KIND=shipengine also needs CARRIER_BACKUP_SHIPENGINE_CARRIER_ID.')
  expect(errorFor({ ...TWO, CARRIER_BACKUP_PER_MINUTE: 'many' })).toContain(
    "CARRIER_BACKUP_PER_MINUTE is 'many'; it must be a number.",
  )
  expect(errorFor({ ...TWO, CARRIER_MAIN_KIND: '' })).toContain('CARRIER_MAIN_KIND is missing')
  expect(errorFor({ ...TWO, CARRIER_MAIN_EASYPOST_API_KEY: 'your-api-key-here' })).toContain(
    'CARRIER_MAIN_EASYPOST_API_KEY can be guessed',
  )
  expect(errorFor({ ...TWO, CARRIER_MAIN_EASYPOST_URL: 'http://post.example.com' })).toContain(
    "CARRIER_MAIN_EASYPOST_URL is 'http://post.example.com'; with real money it must begin with https://",
  )
})

test('names that are wrong, repeated, misspelled or mixed with the settings of one account are refused', () => {
  expect(errorFor({ ...TWO, CARRIER_ACCOUNTS: 'main,back-up' })).toContain(
    "CARRIER_ACCOUNTS has 'back-up'",
  )
  expect(errorFor({ ...TWO, CARRIER_ACCOUNTS: 'main,main,backup' })).toContain(
    "CARRIER_ACCOUNTS names 'main' twice",
  )
  expect(errorFor({ ...TWO, CARRIER_BAKCUP_PER_MINUTE: '4' })).toContain(
    "CARRIER_BAKCUP_PER_MINUTE is set, but CARRIER_ACCOUNTS does not name 'bakcup'",
  )
  expect(errorFor({ CARRIER_MAIN_KIND: 'easypost' })).toContain(
    "CARRIER_MAIN_KIND is set, but CARRIER_ACCOUNTS does not name 'main'",
  )
  expect(errorFor({ ...TWO, CARRIER: 'easypost' })).toContain(
    'CARRIER and CARRIER_ACCOUNTS are set: set CARRIER_MAIN_KIND instead, and leave CARRIER out.',
  )
})

test('the sandbox is never beside another account', () => {
  expect(errorFor({ ...TWO, CARRIER_BACKUP_KIND: 'sandbox' })).toContain(
    "CARRIER_BACKUP_KIND is 'sandbox' and CARRIER_ACCOUNTS names several",
  )
  expect(
    readConfig({ CARRIER_ACCOUNTS: 'trial', CARRIER_TRIAL_KIND: 'sandbox' }).carrierAccounts,
  ).toMatchObject([{ name: 'trial', carrier: 'sandbox' }])
})
