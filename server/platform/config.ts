import { resolve } from 'node:path'
import { z } from 'zod'
import {
  baseUrl,
  choice,
  databaseUrl,
  email,
  integerBetween,
  mailServerUrl,
  port,
  siteUrl,
} from './variables.ts'
import type { Requirement, ValuesOf } from './variables.ts'

export const SERVER_VARIABLES = {
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: siteUrl.optional(),
  TRUST_PROXY: z.string().default('no'),
  CALLS_PER_MINUTE: integerBetween(60, 1_000_000).default(3_000),
  KEY_CALLS_PER_MINUTE: integerBetween(1, 1_000_000).default(600),
  ROLE: choice('all', 'web', 'worker').default('all'),
  LOG_LEVEL: choice('debug', 'info', 'warn', 'error', 'silent').default('warn'),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),

  DATA_DIR: z
    .string()
    .default('./data')
    .transform(path => resolve(path)),
  SECRET_KEY: z
    .string()
    .min(32, 'must have at least 32 characters, such as `openssl rand -base64 32` makes')
    .optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_POOL: integerBetween(4, 500).default(20),
  EVIDENCE_RETENTION_MONTHS: integerBetween(13, 1200).optional(),
  LABEL_ARCHIVE_MONTHS: integerBetween(13, 1200).optional(),
  ALLOW_UNSAFE_DATABASE: choice('yes', 'no').default('no'),
}

export const STORAGE_VARIABLES = {
  FILES: choice('disk', 's3').default('disk'),
  S3_ENDPOINT: baseUrl.optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
}

export const STORAGE_REQUIREMENTS: Requirement[] = [
  {
    when: 'FILES',
    is: 's3',
    variables: ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  },
]

export const MAIL_VARIABLES = {
  SMTP_URL: mailServerUrl.optional(),
  MAIL_FROM: email.default('no-reply@evenpost.local'),
}

type PlatformValues = ValuesOf<
  typeof SERVER_VARIABLES & typeof STORAGE_VARIABLES & typeof MAIL_VARIABLES
>

/** Durations in ms. */
export const platformConfig = (v: PlatformValues) => ({
  port: v.PORT,
  host: v.HOST,
  /**
   * Without a slash at the end. With PORT=0 and no PUBLIC_URL, main.ts sets it once the server
   * listens.
   */
  publicUrl: v.PUBLIC_URL ?? browserUrl(v.HOST, v.PORT),
  /** The operator set it. */
  hasPublicUrl: v.PUBLIC_URL !== undefined,
  /** Proxies whose X-Forwarded-For counts: none, the nearest one, or those listed. */
  trustProxy: /^(yes|true)$/.test(v.TRUST_PROXY)
    ? true
    : /^(no|false)$/.test(v.TRUST_PROXY)
      ? false
      : v.TRUST_PROXY,
  /** Of one network address, keys aside. */
  callsPerMinute: v.CALLS_PER_MINUTE,
  keyCallsPerMinute: v.KEY_CALLS_PER_MINUTE,
  role: v.ROLE,
  logLevel: v.LOG_LEVEL,
  /** A port for metrics and health only; 0 is any free port. */
  metricsPort: v.METRICS_PORT,
  metricsToken: v.METRICS_TOKEN,
  dataDir: v.DATA_DIR,
  /** Default: the key in DATA_DIR/secret.key. */
  secretKey: v.SECRET_KEY,
  databaseUrl: v.DATABASE_URL,
  /** Owner of the tables, for migrations. */
  databaseOwnerUrl: v.DATABASE_OWNER_URL,
  /** A standby for statements and reports. */
  databaseReadUrl: v.DATABASE_READ_URL,
  databasePool: v.DATABASE_POOL,
  /** How long carrier calls, the audit and the history of parcels are kept; undefined: forever. */
  evidenceRetentionMonths: v.EVIDENCE_RETENTION_MONTHS,
  /** When finished labels move to the archive; undefined: never. */
  labelArchiveMonths: v.LABEL_ARCHIVE_MONTHS,
  /** For tests: accepts a server that may lose confirmed commits. */
  allowUnsafeDatabase: v.ALLOW_UNSAFE_DATABASE === 'yes',
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
})

/** All settings: server/config.ts adds those of the modules. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
export interface Config extends ReturnType<typeof platformConfig> {}

/** A wildcard host becomes localhost. */
export function browserUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' || host === '' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
