/** The configuration: variables of platform and of every module, read once at the start. */
import { ACCOUNT_VARIABLES, accountConfig } from './accounts/config.ts'
import { carrierAccountEnvs, namedAccountVariables } from './carriers/account-variables.ts'
import {
  CARRIER_REQUIREMENTS,
  CARRIER_VARIABLES,
  carrierConfig,
  carrierSettings,
} from './carriers/config.ts'
import type { CarrierSettings } from './carriers/config.ts'
import { liveProblems } from './live-requirements.ts'
import { PAYMENT_REQUIREMENTS, PAYMENT_VARIABLES, paymentConfig } from './payments/config.ts'
import {
  MAIL_VARIABLES,
  platformConfig,
  SERVER_VARIABLES,
  STORAGE_REQUIREMENTS,
  STORAGE_VARIABLES,
} from './platform/config.ts'
import type { Config } from './platform/config.ts'
import {
  choice,
  ConfigError,
  email,
  integerBetween,
  readVariables,
  SECRET_NAME,
  shortText,
  url,
} from './platform/variables.ts'
import type { ValuesOf } from './platform/variables.ts'
import { webhookConfig, WEBHOOK_VARIABLES } from './webhooks/config.ts'

const PAGE_VARIABLES = {
  SUPPORT_EMAIL: email.optional(),
  SUPPORT_REPLY_TIME: shortText(40).optional(),
  CHAT_WIDGET_URL: url('https').optional(),
  COMMUNITY_URL: url('https', 'http').optional(),
  BULK_MAX_ROWS: integerBetween(1, 200_000).default(50_000),
  MODAL_DEMO: choice('yes', 'no').default('yes'),
}

/**
 * Every variable with its default. `.env.example` explains them in the same order; a test compares
 * the two.
 */
export const VARIABLES = {
  ...SERVER_VARIABLES,
  ...ACCOUNT_VARIABLES,
  ...CARRIER_VARIABLES,
  ...PAYMENT_VARIABLES,
  ...STORAGE_VARIABLES,
  ...MAIL_VARIABLES,
  ...WEBHOOK_VARIABLES,
  ...PAGE_VARIABLES,
}

type Values = ValuesOf<typeof VARIABLES>
type ModuleConfig = ReturnType<typeof moduleConfig>

declare module './platform/config.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges
  interface Config extends ModuleConfig {}
}

/** Sandbox: no real money and no real postage. Stored in the database at the first start. */
const modeOf = (v: Values): 'sandbox' | 'live' => (v.CARRIER === 'sandbox' ? 'sandbox' : 'live')

const moduleConfig = (v: Values, accounts: readonly [CarrierSettings, ...CarrierSettings[]]) => ({
  ...accountConfig(v, modeOf(v)),
  ...carrierConfig(v, accounts),
  ...paymentConfig(v),
  ...webhookConfig(v),
  mode: modeOf(v),
  /** Where messages of customers and visitors go. */
  supportEmail: v.SUPPORT_EMAIL,
  /** How soon they are usually answered. */
  supportReplyTime: v.SUPPORT_REPLY_TIME,
  chatWidgetUrl: v.CHAT_WIDGET_URL,
  communityUrl: v.COMMUNITY_URL,
  bulkMaxRows: v.BULK_MAX_ROWS,
  /** Whether the sidebar has the Modal Demo. */
  modalDemo: v.MODAL_DEMO === 'yes',
})

/**
 * Throws one ConfigError that names every wrong variable with its value (unless secret) and what it
 * must be.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const named = carrierAccountEnvs(env)
  const read = named.accounts.map(account => {
    const { values, wrong } = readVariables(account.env, VARIABLES, [
      ...CARRIER_REQUIREMENTS,
      ...PAYMENT_REQUIREMENTS,
      ...STORAGE_REQUIREMENTS,
    ])
    wrong.push(...modeProblems(values))
    return { ...account, values: values as Values, wrong: wrong.map(account.rename) }
  })
  // Sentences that are not about an account are the same for each.
  const wrong = new Set([
    ...named.wrong,
    ...databaseUrlProblems(env),
    ...read.flatMap(account => account.wrong),
  ])
  if (wrong.size > 0) {
    throw new ConfigError(
      `The configuration is not right:\n${[...wrong].map(line => `  - ${line}`).join('\n')}\n`
        + 'Each variable is explained in .env.example.',
    )
  }
  const [first, ...others] = read.map(({ values, name }) => carrierSettings(values, name))
  const v = read[0]!.values
  return { ...platformConfig(v), ...moduleConfig(v, [first!, ...others]) }
}

/** The variables that are set, for the one who restores a backup; secrets by name only. */
export const settingsInUse = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    [...Object.keys(VARIABLES), ...namedAccountVariables(env)].flatMap(name => {
      const value = env[name]?.trim()
      if (!value) return []
      return [[name, SECRET_NAME.test(name) ? '(a secret, left out)' : value]]
    }),
  )

/** An owner or standby without DATABASE_URL: the embedded database would be used, and labels and money recorded there. */
function databaseUrlProblems(env: Record<string, string | undefined>): string[] {
  if (env.DATABASE_URL?.trim()) return []
  return ['DATABASE_OWNER_URL', 'DATABASE_READ_URL']
    .filter(name => env[name]?.trim())
    .map(
      name =>
        `${name} is set and DATABASE_URL is not: set DATABASE_URL too, or leave ${name} out to use the embedded database.`,
    )
}

/** What does not fit sandbox or live mode. A variable with a wrong value is undefined here. */
function modeProblems({
  CARRIER: carrier,
  PAYMENTS: payments,
  ...values
}: Partial<Values>): string[] {
  const isLive = (carrier ?? 'sandbox') !== 'sandbox' || (payments ?? 'sandbox') !== 'sandbox'
  const wrong = isLive ? liveProblems({ CARRIER: carrier, PAYMENTS: payments, ...values }) : []
  if (carrier !== 'sandbox' && values.SANDBOX_CARRIER_FAULTS) {
    wrong.push(
      `SANDBOX_CARRIER_FAULTS is set and CARRIER=${carrier}: only the sandbox fails by a plan. Leave it out.`,
    )
  }
  if (payments !== 'sandbox' && values.SANDBOX_PAYMENTS_FAULTS) {
    wrong.push(
      `SANDBOX_PAYMENTS_FAULTS is set and PAYMENTS=${payments}: only the sandbox fails by a plan. Leave it out.`,
    )
  }
  if (carrier !== 'sandbox' && values.WEBHOOKS_ALLOW_LOOPBACK === 'yes') {
    wrong.push(
      `WEBHOOKS_ALLOW_LOOPBACK is yes and CARRIER=${carrier}: users could reach this machine. Leave it out.`,
    )
  }
  if (carrier && payments && (carrier === 'sandbox') !== (payments === 'sandbox')) {
    wrong.push(
      `CARRIER=${carrier} and PAYMENTS=${payments} do not go together: play money must never buy real postage. `
        + 'Set both to sandbox, or neither.',
    )
  }
  return wrong
}
