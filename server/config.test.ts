import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig, VARIABLES } from './config.ts'
import { browserUrl } from './platform/config.ts'
import { ConfigError } from './platform/variables.ts'

test('without any variable it is a sandbox on this machine', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    role: 'all',
    mode: 'sandbox',
    carrier: 'sandbox',
    payments: 'sandbox',
    files: 'disk',
    adminEmail: 'admin@evenpost.local',
    carrierTimeoutMs: 5_000,
    bulkMaxRows: 50_000,
  })
  expect(config.databaseUrl).toBeUndefined()
})

test('every wrong value is named at once, with what it must be', () => {
  const wrong = () =>
    readConfig({
      PORT: 'eighty',
      ROLE: 'boss',
      PUBLIC_URL: 'post.example.com',
      ADMIN_PASSWORD: 'short',
    })
  expect(wrong).toThrow(ConfigError)
  expect(wrong).toThrow(/PORT is 'eighty'; it must be a number/)
  expect(wrong).toThrow(/ROLE is 'boss'; it must be all, web or worker/)
  expect(wrong).toThrow(
    /PUBLIC_URL is 'post.example.com'; it must be an address that begins with https:\/\/ or http:\/\//,
  )
  expect(wrong).toThrow(/ADMIN_PASSWORD must have at least 8 characters/)
})

test('a wrong secret is never shown', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@db' })).toThrow(/^(?!.*hunter2)/s)
})

test('with real money secrets from examples are refused, all at once and none shown; the sandbox accepts them', () => {
  const weak = {
    ADMIN_PASSWORD: 'changeme2026',
    METRICS_TOKEN: 'aaaaaaaaaaaaaaaa',
    DATABASE_URL: 'postgres://evenpost:evenpost@db/evenpost',
    EASYPOST_API_KEY: 'your-api-key-here',
  }
  const named = /(ADMIN_PASSWORD|METRICS_TOKEN|DATABASE_URL|EASYPOST_API_KEY) can be guessed/g
  const errorFor = (env: Record<string, string>): string => {
    try {
      return String(readConfig(env) && '')
    } catch (error) {
      return (error as Error).message
    }
  }
  const refused = errorFor({ CARRIER: 'easypost', ...weak })
  expect(refused.match(named)).toHaveLength(4)
  expect(refused).not.toMatch(/changeme2026|aaaaaaaa|evenpost:evenpost|your-api-key/)
  expect(errorFor(weak)).toBe('')
  const own = {
    ADMIN_PASSWORD: 'pR7-wet-gravel',
    DATABASE_URL: 'postgres:///evenpost',
    EASYPOST_API_KEY: 'EZAK5f0c1e77ab',
  }
  expect(errorFor({ CARRIER: 'easypost', ...own })).not.toContain('can be guessed')
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', PUBLIC_URL: ' ', ADMIN_PASSWORD: '' })).toEqual(readConfig({}))
})

test('play money cannot buy real postage', () => {
  expect(() => readConfig({ CARRIER: 'easypost', EASYPOST_API_KEY: 'k' })).toThrow(
    'play money must never buy real postage',
  )
})

test('a fault plan is valid JSON and for the sandbox only', () => {
  const plan = '{"seed":7,"resetAfter":0.04}'
  expect(readConfig({ SANDBOX_CARRIER_FAULTS: plan }).sandboxCarrierFaults).toMatchObject({
    seed: 7,
    resetAfter: 0.04,
    busy: 0,
    memory: 'key',
  })
  expect(() => readConfig({ SANDBOX_CARRIER_FAULTS: 'on fire' })).toThrow(
    "SANDBOX_CARRIER_FAULTS is 'on fire'; it must be JSON.",
  )
  expect(() => readConfig({ SANDBOX_CARRIER_FAULTS: '{"late":2}' })).toThrow(
    'SANDBOX_CARRIER_FAULTS',
  )
  expect(() => readConfig({ SANDBOX_CARRIER_FAULTS: '{"lat":1}' })).toThrow(
    'SANDBOX_CARRIER_FAULTS',
  )
  expect(() => readConfig({ CARRIER: 'usps', SANDBOX_CARRIER_FAULTS: plan })).toThrow(
    'only the sandbox fails by a plan',
  )
})

test('a choice names the variables it needs', () => {
  expect(() => readConfig({ FILES: 's3', S3_BUCKET: 'labels' })).toThrow(
    'FILES=s3 also needs S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY.',
  )
})

test('a payment service names all missing variables, and a setting that credits unconfirmed money is refused', () => {
  expect(() => readConfig({ PAYMENTS: 'btcpay', BTCPAY_URL: 'https://pay.example.com' })).toThrow(
    'PAYMENTS=btcpay also needs BTCPAY_API_KEY, BTCPAY_STORE_ID, BTCPAY_WEBHOOK_SECRET.',
  )
  expect(() => readConfig({ BTCPAY_SPEED_POLICY: 'HighSpeed' })).toThrow(
    /would credit payments that no block has confirmed.*MediumSpeed/,
  )
  expect(() => readConfig({ BTCPAY_SPEED_POLICY: 'Fast' })).toThrow(
    'must be MediumSpeed or LowMediumSpeed or LowSpeed',
  )
  expect(readConfig({ BTCPAY_URL: 'https://shop.example.com/pay/' }).btcpay).toMatchObject({
    url: 'https://shop.example.com/pay',
    speedPolicy: 'MediumSpeed',
    expirationMinutes: 15,
  })
  expect(() => readConfig({ PAYMENTS: 'btcpay', SANDBOX_PAYMENTS_FAULTS: '{"lost":1}' })).toThrow(
    'only the sandbox fails by a plan',
  )
})

test('a carrier with missing variables is refused before a database is created', () => {
  expect(() => readConfig({ CARRIER: 'easypost' })).toThrow(
    'CARRIER=easypost also needs EASYPOST_API_KEY.',
  )
  expect(() => readConfig({ CARRIER: 'usps', USPS_MID: '903000000' })).toThrow(
    'CARRIER=usps also needs USPS_CLIENT_ID, USPS_CLIENT_SECRET, USPS_CRID, USPS_ACCOUNT_NUMBER.',
  )
  expect(() => readConfig({ CARRIER: 'shipengine' })).toThrow(
    'CARRIER=shipengine also needs SHIPENGINE_API_KEY, SHIPENGINE_CARRIER_ID.',
  )
  expect(() => readConfig({ USPS_CRID: 'CRID 123' })).toThrow(
    "USPS_CRID is 'CRID 123'; it must be the number alone, digits only.",
  )
  expect(readConfig({ USPS_MID: '903000000' }).usps).toMatchObject({
    manifestMid: '903000000',
    accountType: 'EPS',
  })
})

test('the example file lists every variable, in order, and its values are the defaults', () => {
  const example = readFileSync('.env.example', 'utf8')
  expect(Array.from(example.matchAll(/^[A-Z0-9_]+(?==)/gm), String)).toEqual(Object.keys(VARIABLES))
  expect(readConfig(parseEnv(example))).toEqual(readConfig({}))
})

test('the printed address opens in a browser for any host', () => {
  expect(browserUrl('0.0.0.0', 80)).toBe('http://localhost:80')
  expect(browserUrl('::1', 3000)).toBe('http://[::1]:3000')
})
