import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig, settingsInUse, VARIABLES } from './config.ts'
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

test.each([
  ['DATABASE_URL', 'postgres://ana:half#price@db/books', 'in a password write # as %23'],
  ['DATABASE_URL', 'postgres://ana:50%off@one,two/books', 'in a password write # as %23'],
  ['DATABASE_URL', 'postgres://ana:1#price@db/books', 'in a password write # as %23'],
  ['SMTP_URL', 'smtps://ana:50%off@mail.example.com', 'in a password write # as %23'],
  ['SMTP_URL', 'smtp://', 'must name a mail server'],
  ['SMTP_URL', 'smtp://one:25,two:25', 'cannot be read as an address'],
  ['PUBLIC_URL', 'https://one:443,two:443', 'cannot be read as an address'],
  ['EASYPOST_URL', 'https://one:443,two:443', 'cannot be read as an address'],
  ['PUBLIC_URL', 'https://post.example.com/labels', 'must be an address without a path'],
  ['PUBLIC_URL', 'https://post.example.com?a=1', 'must be an address without a path'],
  ['SANDBOX_CARRIER_FAULTS', '{"late":5}', 'is not right: late: '],
])('%s is refused with the part that is wrong: %s', (name, value, said) => {
  expect(() => readConfig({ [name]: value })).toThrow(said)
})

test('a password with encoded characters, a socket folder and a slash at the end are taken', () => {
  const env = {
    DATABASE_URL: 'postgres://ana:50%25off%23@one:5432,two/books?sslmode=require',
    SMTP_URL: 'smtps://ana%40example.com:a%2Fb@mail.example.com:465',
    PUBLIC_URL: 'https://post.example.com:8443/',
  }
  expect(readConfig(env).publicUrl).toBe('https://post.example.com:8443')
  expect(readConfig({ DATABASE_URL: 'postgres:///books' }).databaseUrl).toBe('postgres:///books')
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

const LIVE = {
  CARRIER: 'easypost',
  EASYPOST_API_KEY: 'EZAK5f0c1e77ab',
  PAYMENTS: 'btcpay',
  BTCPAY_URL: 'https://pay.example.com',
  BTCPAY_API_KEY: 'b7c1f09aa2d4e6',
  BTCPAY_STORE_ID: '9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776',
  BTCPAY_WEBHOOK_SECRET: '0d2f6a8c4e1b',
  PUBLIC_URL: 'https://post.example.com',
  SMTP_URL: 'smtps://evenpost:4f-harbor@mail.example.com',
  ADMIN_EMAIL: 'ops@example.com',
}
/** The lines of the refusal; none when the configuration is accepted. */
function refusedLines(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as Error).message.split('\n').filter(line => line.startsWith('  - '))
  }
}

test('with real money plain http, emails in files and the default administrator are refused, all at once with a remedy', () => {
  expect(refusedLines(LIVE)).toEqual([])
  const lines = refusedLines({
    ...LIVE,
    PUBLIC_URL: 'http://shop.example.com',
    EASYPOST_URL: 'http://carrier.example.com',
    BTCPAY_URL: 'http://pay.example.com',
    SMTP_URL: undefined,
    ADMIN_EMAIL: undefined,
  })
  expect(lines.map(line => /- (\w+)/.exec(line)![1])).toEqual([
    'PUBLIC_URL',
    'EASYPOST_URL',
    'BTCPAY_URL',
    'SMTP_URL',
    'ADMIN_EMAIL',
  ])
  for (const line of lines) expect(line).toMatch(/with real money (it must|leave out)/)
  expect(refusedLines({ ...LIVE, SMTP_URL: 'smtp://mail.example.com?ignoreTLS=true' })).toEqual([
    expect.stringContaining('SMTP_URL turns TLS off'),
  ])
})

test('with real money links and cookies are for an https address, with every HOST and ROLE', () => {
  for (const HOST of [undefined, '127.0.0.1', '0.0.0.0'])
    for (const ROLE of [undefined, 'web', 'worker']) {
      expect(refusedLines({ ...LIVE, PUBLIC_URL: undefined, HOST, ROLE })).toEqual([
        expect.stringContaining('PUBLIC_URL is missing'),
      ])
      expect(refusedLines({ ...LIVE, PUBLIC_URL: 'http://localhost:3000', HOST, ROLE })).toEqual([
        expect.stringContaining("PUBLIC_URL is 'http://localhost:3000'"),
      ])
    }
})

test('carriers and mail servers of this machine need no encryption, and a rehearsal with a carrier stub no mail server', () => {
  const stub = { EASYPOST_URL: 'http://127.0.0.1:4010', BTCPAY_URL: 'http://localhost:4011' }
  const none = { SMTP_URL: undefined, ADMIN_EMAIL: undefined }
  for (const PUBLIC_URL of ['http://127.0.0.1:3000', 'http://[::1]:3000', undefined])
    expect(refusedLines({ ...LIVE, ...stub, ...none, PUBLIC_URL })).toEqual([])
  expect(refusedLines({ ...LIVE, ...stub, ...none })).toHaveLength(2)
  expect(refusedLines({ ...LIVE, ...none, PUBLIC_URL: 'http://localhost:3000' })).toHaveLength(3)
  expect(refusedLines({ ...LIVE, SMTP_URL: 'smtp://127.0.0.1:25' })).toEqual([])
  expect(refusedLines({ ...LIVE, ...none, ROLE: 'worker' })).toEqual([])
})

test('an owner or a standby of no database is refused, instead of the embedded database being used unasked', () => {
  const [owner, standby] = [
    'postgres://owner:a1b2c3d4@db/evenpost',
    'postgres://u:a1b2c3d4@two/evenpost',
  ]
  expect(refusedLines({ DATABASE_OWNER_URL: owner, DATABASE_READ_URL: standby })).toEqual([
    expect.stringContaining('DATABASE_OWNER_URL is set and DATABASE_URL is not'),
    expect.stringContaining('DATABASE_READ_URL is set and DATABASE_URL is not'),
  ])
  const DATABASE_URL = 'postgres://u:a1b2c3d4@db/evenpost'
  expect(
    refusedLines({ DATABASE_URL, DATABASE_OWNER_URL: owner, DATABASE_READ_URL: standby }),
  ).toEqual([])
})

test('a backup names every setting in use, of each carrier account too, and no secret', () => {
  expect(
    settingsInUse({
      PORT: '80',
      SMTP_URL: 'smtps://evenpost:4f-harbor@mail.example.com',
      MAIL_FROM: ' ',
      CARRIER_ACCOUNTS: 'main, backup',
      CARRIER_MAIN_KIND: 'easypost',
      CARRIER_MAIN_EASYPOST_API_KEY: 'EZAK5f0c1e77ab',
      CARRIER_BACKUP_PER_MINUTE: '40',
      HOME: '/root',
    }),
  ).toEqual({
    PORT: '80',
    SMTP_URL: '(a secret, left out)',
    CARRIER_ACCOUNTS: 'main, backup',
    CARRIER_MAIN_KIND: 'easypost',
    CARRIER_MAIN_EASYPOST_API_KEY: '(a secret, left out)',
    CARRIER_BACKUP_PER_MINUTE: '40',
  })
})

test('a short S3_ACCESS_KEY_ID is a name and no reason to refuse the start; a short secret is one', () => {
  const s3 = {
    ...LIVE,
    FILES: 's3',
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'labels',
    S3_SECRET_ACCESS_KEY: 'uE7c0a1b9d3f5e',
  }
  expect(refusedLines({ ...s3, S3_ACCESS_KEY_ID: 'GK31' })).toEqual([])
  expect(refusedLines({ ...s3, S3_ACCESS_KEY_ID: 'GK31', S3_SECRET_ACCESS_KEY: 'short' })).toEqual([
    expect.stringContaining('S3_SECRET_ACCESS_KEY can be guessed'),
  ])
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
  expect(readConfig({ USPS_MID: '903000000' }).carrierAccounts[0].usps).toMatchObject({
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
