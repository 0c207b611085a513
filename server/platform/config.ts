import { resolve } from 'node:path'
import { z } from 'zod'
import { DeliveryPlan, FaultPlan } from './fault-plan.ts'
import { isGuessable } from './process/guessable-secrets.ts'
import { OperatorError } from './process/operator-error.ts'

/** Wrong settings, all of them at once. */
export class ConfigError extends OperatorError {}

const port = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(0, 'must be 0 to 65535')
  .max(65_535, 'must be 0 to 65535')

const url = (...protocols: string[]) =>
  z
    .string()
    .refine(text => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)), {
      error: `must be an address that begins with ${protocols.map(protocol => `${protocol}://`).join(' or ')}`,
    })

/** An address that paths are put behind. */
const baseUrl = url('https', 'http').transform(text => text.replace(/\/+$/, ''))

const integerBetween = (least: number, most: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)

const choice = <T extends string>(...values: T[]) =>
  z.enum(values as [T, ...T[]], {
    error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  })

/** A plan of faults written as JSON. */
const jsonText = z.string().transform((text, told) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    told.issues.push({ code: 'custom', message: 'must be JSON', input: text })
    return z.NEVER
  }
})

const SPEEDS = ['MediumSpeed', 'LowMediumSpeed', 'LowSpeed'] as const
/** After how many blocks a payment counts, in BTCPay's words: 1, 2 or 6. */
const btcpaySpeed = z.enum(SPEEDS, {
  error: ({ input }) =>
    input === 'HighSpeed'
      ? `would credit payments that no block has confirmed, and a balance is spent at once; put ${SPEEDS.join(', ')} there`
      : `must be ${SPEEDS.join(' or ')}`,
})

/** A number that somebody else gives out. */
const digitsOnly = z.string().regex(/^\d{2,15}$/, 'must be the number alone, digits only')

const email = z.email({ error: 'must be an e-mail address' })

/**
 * Every variable we read, with its default. An empty one counts as not set. `.env.example` lists them in the same order and says
 * what they mean; a test compares the two.
 */
export const VARIABLES = {
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url('https', 'http')
    .transform(text => text.replace(/\/+$/, ''))
    .optional(),
  TRUST_PROXY: z.string().default('no'),
  ROLE: choice('all', 'web', 'worker').default('all'),
  LOG_LEVEL: choice('debug', 'info', 'warn', 'error', 'silent').default('warn'),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),

  DATA_DIR: z
    .string()
    .default('./data')
    .transform(path => resolve(path)),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  DATABASE_POOL: integerBetween(4, 500).default(20),
  ALLOW_UNSAFE_DATABASE: choice('yes', 'no').default('no'),

  ADMIN_EMAIL: email.default('admin@evenpost.local'),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),

  CARRIER: choice('sandbox', 'easypost', 'usps', 'shipengine').default('sandbox'),
  CARRIER_TIMEOUT_MS: integerBetween(100, 12_000).default(5_000),
  SANDBOX_CARRIER_LATENCY_MS: integerBetween(0, 60_000).default(0),
  SANDBOX_CARRIER_FAULTS: jsonText.pipe(FaultPlan).optional(),
  CARRIER_PER_MINUTE: integerBetween(1, 100_000).optional(),
  CARRIER_SAME_ACCOUNT: z
    .string()
    .regex(
      /^[\w:-]+( *, *[\w:-]+)*$/,
      'must be names of accounts as the start and the doctor say them',
    )
    .optional()
    .transform(text => text?.split(/ *, */) ?? []),
  VOID_UNUSED: choice('yes', 'no').default('yes'),
  EASYPOST_API_KEY: z.string().optional(),
  EASYPOST_URL: baseUrl.default('https://api.easypost.com'),
  USPS_CLIENT_ID: z.string().optional(),
  USPS_CLIENT_SECRET: z.string().optional(),
  USPS_CRID: digitsOnly.optional(),
  USPS_MID: digitsOnly.optional(),
  USPS_MANIFEST_MID: digitsOnly.optional(),
  USPS_ACCOUNT_TYPE: choice('EPS', 'PERMIT', 'METER').default('EPS'),
  USPS_ACCOUNT_NUMBER: z.string().optional(),
  USPS_URL: baseUrl.default('https://apis.usps.com'),
  SHIPENGINE_API_KEY: z.string().optional(),
  SHIPENGINE_CARRIER_ID: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be an id such as se-123890')
    .optional(),
  SHIPENGINE_URL: baseUrl.default('https://api.shipengine.com'),

  PAYMENTS: choice('sandbox', 'btcpay').default('sandbox'),
  SANDBOX_PAYMENTS_FAULTS: jsonText.pipe(DeliveryPlan).optional(),
  BTCPAY_URL: baseUrl.optional(),
  BTCPAY_API_KEY: z.string().optional(),
  BTCPAY_STORE_ID: z
    .string()
    .regex(/^\w{1,100}$/, "must be the store's id, letters and figures")
    .optional(),
  BTCPAY_WEBHOOK_SECRET: z.string().optional(),
  BTCPAY_SPEED_POLICY: btcpaySpeed.default('MediumSpeed'),
  BTCPAY_EXPIRATION_MINUTES: integerBetween(5, 1_440).default(15),

  FILES: choice('disk', 's3').default('disk'),
  S3_ENDPOINT: baseUrl.optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),

  SMTP_URL: url('smtp', 'smtps').optional(),
  MAIL_FROM: email.default('no-reply@evenpost.local'),

  CHAT_WIDGET_URL: url('https').optional(),
  COMMUNITY_URL: url('https', 'http').optional(),
  BULK_MAX_ROWS: integerBetween(1, 200_000).default(50_000),
}

type Variable = keyof typeof VARIABLES
type VariableValues = { [V in Variable]: z.output<(typeof VARIABLES)[V]> }

// What a choice cannot do without.
const REQUIRED_WITH: { when: Variable; is: string; variables: Variable[] }[] = [
  { when: 'CARRIER', is: 'easypost', variables: ['EASYPOST_API_KEY'] },
  {
    when: 'CARRIER',
    is: 'usps',
    variables: [
      'USPS_CLIENT_ID',
      'USPS_CLIENT_SECRET',
      'USPS_CRID',
      'USPS_MID',
      'USPS_ACCOUNT_NUMBER',
    ],
  },
  { when: 'CARRIER', is: 'shipengine', variables: ['SHIPENGINE_API_KEY', 'SHIPENGINE_CARRIER_ID'] },
  {
    when: 'PAYMENTS',
    is: 'btcpay',
    variables: ['BTCPAY_URL', 'BTCPAY_API_KEY', 'BTCPAY_STORE_ID', 'BTCPAY_WEBHOOK_SECRET'],
  },
  {
    when: 'FILES',
    is: 's3',
    variables: ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  },
]

/** Names of variables whose value is shown to nobody. */
export const SECRET_NAME = /PASSWORD|SECRET|TOKEN|KEY|DATABASE_URL|SMTP_URL/

const isLive = (values: Partial<Record<Variable, unknown>>): boolean =>
  (values.CARRIER ?? 'sandbox') !== 'sandbox' || (values.PAYMENTS ?? 'sandbox') !== 'sandbox'

/**
 * Reads the configuration once, at start. Throws one `ConfigError` that names every wrong variable with its value (secrets left
 * out) and what to put there instead.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const wrong: string[] = []
  const values: Partial<Record<Variable, unknown>> = {}
  for (const [name, shape] of Object.entries(VARIABLES) as [Variable, z.ZodType][]) {
    const text = env[name]?.trim() || undefined
    const result = shape.safeParse(text)
    if (result.success) values[name] = result.data
    else
      wrong.push(
        `${name}${SECRET_NAME.test(name) ? '' : ` is '${text}'; it`} ${result.error.issues[0]?.message}.`,
      )
  }
  for (const { when, is, variables } of REQUIRED_WITH) {
    const missing = values[when] === is ? variables.filter(name => values[name] === undefined) : []
    if (missing.length > 0) wrong.push(`${when}=${is} also needs ${missing.join(', ')}.`)
  }
  if (isLive(values)) {
    for (const name of Object.keys(VARIABLES) as Variable[]) {
      const value = values[name]
      if (typeof value === 'string' && SECRET_NAME.test(name) && isGuessable(value)) {
        wrong.push(
          `${name} can be guessed; with real money it needs a secret of its own, such as \`openssl rand -base64 24\` makes.`,
        )
      }
    }
  }
  if (values.CARRIER !== 'sandbox' && values.SANDBOX_CARRIER_FAULTS) {
    wrong.push(
      `SANDBOX_CARRIER_FAULTS is set and CARRIER=${values.CARRIER}: only the sandbox fails by a plan. Leave it out.`,
    )
  }
  if (values.PAYMENTS !== 'sandbox' && values.SANDBOX_PAYMENTS_FAULTS) {
    wrong.push(
      `SANDBOX_PAYMENTS_FAULTS is set and PAYMENTS=${values.PAYMENTS}: only the sandbox fails by a plan. Leave it out.`,
    )
  }
  if (
    values.CARRIER
    && values.PAYMENTS
    && (values.CARRIER === 'sandbox') !== (values.PAYMENTS === 'sandbox')
  ) {
    wrong.push(
      `CARRIER=${values.CARRIER} and PAYMENTS=${values.PAYMENTS} do not go together: play money must never buy real postage. `
        + 'Set both to sandbox, or neither.',
    )
  }
  if (wrong.length > 0) {
    throw new ConfigError(
      `The configuration is not right:\n${wrong.map(line => `  - ${line}`).join('\n')}\n`
        + 'Each variable is explained in .env.example.',
    )
  }
  return toConfig(values as VariableValues)
}

/** The configuration as the program knows it. Durations in ms. */
export type Config = ReturnType<typeof readConfig>

function toConfig(v: VariableValues) {
  return {
    port: v.PORT,
    host: v.HOST,
    /** Without a slash at the end. With PORT=0 and no PUBLIC_URL it is put right as soon as we listen. */
    publicUrl: v.PUBLIC_URL ?? browserUrl(v.HOST, v.PORT),
    /** Whose word about a caller's address is taken: nobody's, that of whoever is in front, or of these addresses. */
    trustProxy: /^(yes|true)$/.test(v.TRUST_PROXY)
      ? true
      : /^(no|false)$/.test(v.TRUST_PROXY)
        ? false
        : v.TRUST_PROXY,
    role: v.ROLE,
    logLevel: v.LOG_LEVEL,
    /** Where the figures are told besides the main port; 0 takes a free one. */
    metricsPort: v.METRICS_PORT,
    metricsToken: v.METRICS_TOKEN,
    dataDir: v.DATA_DIR,
    databaseUrl: v.DATABASE_URL,
    databasePool: v.DATABASE_POOL,
    /** For tests: a server that may lose what it has confirmed will do. */
    allowUnsafeDatabase: v.ALLOW_UNSAFE_DATABASE === 'yes',
    adminEmail: v.ADMIN_EMAIL,
    adminPassword: v.ADMIN_PASSWORD,
    /** Sandbox: nothing here is real money or real postage. Written into the database at first start. */
    mode: (v.CARRIER === 'sandbox' ? 'sandbox' : 'live') as 'sandbox' | 'live',
    carrier: v.CARRIER,
    carrierTimeoutMs: v.CARRIER_TIMEOUT_MS,
    sandboxCarrierLatencyMs: v.SANDBOX_CARRIER_LATENCY_MS,
    sandboxCarrierFaults: v.SANDBOX_CARRIER_FAULTS,
    /** How many questions a minute the carrier account takes, where its owner knows better than the adapter. */
    carrierPerMinute: v.CARRIER_PER_MINUTE,
    /** Earlier names of the account at the carrier: its key was renewed. */
    carrierSameAccount: v.CARRIER_SAME_ACCOUNT,
    /** Labels that nobody has used are voided before their carrier's window ends. */
    voidUnused: v.VOID_UNUSED === 'yes',
    easypost: { apiKey: v.EASYPOST_API_KEY, url: v.EASYPOST_URL },
    usps: {
      clientId: v.USPS_CLIENT_ID,
      clientSecret: v.USPS_CLIENT_SECRET,
      url: v.USPS_URL,
      crid: v.USPS_CRID,
      mid: v.USPS_MID,
      manifestMid: v.USPS_MANIFEST_MID ?? v.USPS_MID,
      accountType: v.USPS_ACCOUNT_TYPE,
      accountNumber: v.USPS_ACCOUNT_NUMBER,
    },
    shipengine: {
      apiKey: v.SHIPENGINE_API_KEY,
      url: v.SHIPENGINE_URL,
      carrierId: v.SHIPENGINE_CARRIER_ID,
    },
    payments: v.PAYMENTS,
    sandboxPaymentsFaults: v.SANDBOX_PAYMENTS_FAULTS,
    btcpay: {
      url: v.BTCPAY_URL,
      apiKey: v.BTCPAY_API_KEY,
      storeId: v.BTCPAY_STORE_ID,
      webhookSecret: v.BTCPAY_WEBHOOK_SECRET,
      speedPolicy: v.BTCPAY_SPEED_POLICY,
      expirationMinutes: v.BTCPAY_EXPIRATION_MINUTES,
    },
    files: v.FILES,
    s3: {
      endpoint: v.S3_ENDPOINT,
      bucket: v.S3_BUCKET,
      region: v.S3_REGION,
      accessKeyId: v.S3_ACCESS_KEY_ID,
      secretAccessKey: v.S3_SECRET_ACCESS_KEY,
    },
    smtpUrl: v.SMTP_URL,
    mailFrom: v.MAIL_FROM,
    chatWidgetUrl: v.CHAT_WIDGET_URL,
    communityUrl: v.COMMUNITY_URL,
    bulkMaxRows: v.BULK_MAX_ROWS,
  }
}

/** Where a browser finds us once we listen on `port`: a host that stands for all of them is called by its name. */
export function browserUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' || host === '' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
