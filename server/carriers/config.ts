import { z } from 'zod'
import { cents } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import {
  baseUrl,
  choice,
  digitsOnly,
  dollarsOrNone,
  integerBetween,
  jsonText,
} from '#server/platform/variables.ts'
import type { Requirement, ValuesOf } from '#server/platform/variables.ts'
import { FaultPlan } from './sandbox/fault-plan.ts'

const LIVE_MAX_LOSS = { perLabel: cents(500), perDay: cents(5_000) }

export const CARRIER_VARIABLES = {
  CARRIER: choice('sandbox', 'easypost', 'usps', 'shipengine').default('sandbox'),
  CARRIER_TIMEOUT_MS: integerBetween(100, 12_000).default(5_000),
  SANDBOX_CARRIER_LATENCY_MS: integerBetween(0, 60_000).default(0),
  SANDBOX_CARRIER_FAULTS: jsonText.pipe(FaultPlan).optional(),
  CARRIER_PER_MINUTE: integerBetween(1, 100_000).optional(),
  CARRIER_SAME_ACCOUNT: z
    .string()
    .regex(
      /^[\w:-]+( *, *[\w:-]+)*$/,
      'must be names of accounts as the start and the doctor print them',
    )
    .optional()
    .transform(text => text?.split(/ *, */) ?? []),
  CARRIER_ACCOUNTS: z.string().optional(),
  VOID_UNUSED: choice('yes', 'no').default('yes'),
  REFUND_DELAY_DAYS: integerBetween(0, 30).default(0),
  MAX_LOSS_PER_LABEL: dollarsOrNone.optional(),
  MAX_LOSS_PER_DAY: dollarsOrNone.optional(),
  EASYPOST_API_KEY: z.string().optional(),
  EASYPOST_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
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
}

export const CARRIER_REQUIREMENTS: Requirement[] = [
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
]

/** The live default; the sandbox has none. */
const lossLimit = (set: Cents | null | undefined, carrier: string, live: Cents): Cents | null =>
  set === undefined ? (carrier === 'sandbox' ? null : live) : set

/** One account at a carrier: its kind, limit and keys. `name`: from CARRIER_ACCOUNTS. */
export type CarrierSettings = ReturnType<typeof carrierSettings>

export const carrierSettings = (v: ValuesOf<typeof CARRIER_VARIABLES>, name: string) => ({
  name,
  carrier: v.CARRIER,
  /**
   * Calls a minute that the carrier account allows, where the operator knows better than the
   * adapter.
   */
  carrierPerMinute: v.CARRIER_PER_MINUTE,
  /**
   * Earlier names of the account at the carrier: its key was renewed. Names of other carriers, left
   * over from a change, do not count: this carrier knows nothing of their labels.
   */
  carrierSameAccount: v.CARRIER_SAME_ACCOUNT.filter(one => one.startsWith(`${v.CARRIER}:`)),
  easypost: {
    apiKey: v.EASYPOST_API_KEY,
    url: v.EASYPOST_URL,
    webhookSecret: v.EASYPOST_WEBHOOK_SECRET,
  },
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
})

/** The settings of the first account, and of all of them. */
export const carrierConfig = (
  v: ValuesOf<typeof CARRIER_VARIABLES>,
  accounts: readonly [CarrierSettings, ...CarrierSettings[]],
) => ({
  carrier: accounts[0].carrier,
  carrierSameAccount: accounts[0].carrierSameAccount,
  /** The first is the default source of every service. */
  carrierAccounts: accounts,
  carrierTimeoutMs: v.CARRIER_TIMEOUT_MS,
  sandboxCarrierLatencyMs: v.SANDBOX_CARRIER_LATENCY_MS,
  sandboxCarrierFaults: v.SANDBOX_CARRIER_FAULTS,
  /** Unused labels are voided before their carrier's window ends. */
  voidUnused: v.VOID_UNUSED === 'yes',
  /** Days between the carrier's confirmation of a void and the refund; 0: at once. */
  refundDelayDays: v.REFUND_DELAY_DAYS,
  /** Cents that a label may cost above its price; null without a limit. */
  maxLossPerLabel: lossLimit(v.MAX_LOSS_PER_LABEL, v.CARRIER, LIVE_MAX_LOSS.perLabel),
  /**
   * Cents that labels above that limit may lose in 24 hours before purchases pause; null without a
   * limit.
   */
  maxLossPerDay: lossLimit(v.MAX_LOSS_PER_DAY, v.CARRIER, LIVE_MAX_LOSS.perDay),
})
