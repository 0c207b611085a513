/** Opens the carrier accounts of the configuration. */
import type { Config } from '#server/platform/config.ts'
import type { Context } from '#server/platform/context.ts'
import { getInstanceName } from '#server/platform/database/settings.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { namesOfAccount } from './accounts.ts'
import type { CarrierAccount } from './accounts.ts'
import { createAttemptNotes } from './attempt-notes-store.ts'
import type { CarrierSettings } from './config.ts'
import { easypostAccount, easypostCarrier, isTestKey } from './easypost/adapter.ts'
import { readMessage } from './easypost/messages.ts'
import type { Carrier } from './port.ts'
import { SANDBOX_ACCOUNT, sandboxCarrier } from './sandbox/adapter.ts'
import { isSandboxKey, shipengineAccount, shipengineCarrier } from './shipengine/adapter.ts'
import { isTestUrl, uspsAccount, uspsCarrier } from './usps/adapter.ts'
import { withMetrics } from './wire/with-metrics.ts'

/**
 * The configured accounts with metrics, the first one first. Makes no call yet. Throws OperatorError if two of them
 * are the same account, or share a former name: each would answer for the labels of the other.
 */
export function openCarrierAccounts(
  ctx: Context,
  wrapCarrier: (carrier: Carrier) => Carrier = carrier => carrier,
): [CarrierAccount, ...CarrierAccount[]] {
  const [first, ...others] = ctx.config.carrierAccounts
  const open = (settings: CarrierSettings): CarrierAccount => ({
    name: settings.name,
    carrier: wrapCarrier(openCarrier(ctx, settings)),
    earlierNames: settings.carrierSameAccount,
  })
  const accounts: [CarrierAccount, ...CarrierAccount[]] = [open(first), ...others.map(open)]
  for (const [at, account] of accounts.entries())
    for (const other of accounts.slice(0, at)) assertSeparate(other, account)
  return accounts
}

function assertSeparate(one: CarrierAccount, other: CarrierAccount): void {
  if (one.carrier.account === other.carrier.account)
    throw new OperatorError(
      `CARRIER_ACCOUNTS names '${one.name}' and '${other.name}', which are the same account ${one.carrier.account}: `
        + 'a label could be bought there twice. Leave one of them out.',
    )
  const names = namesOfAccount(one)
  const shared = namesOfAccount(other).find(name => names.includes(name))
  if (shared !== undefined)
    throw new OperatorError(
      `The accounts '${one.name}' and '${other.name}' of CARRIER_ACCOUNTS share the name ${shared}: its labels could be bought twice. `
        + 'Keep it in the SAME_ACCOUNT variable of the account that it belongs to.',
    )
}

/** One account of the configuration. Makes no call yet. */
export function openCarrier(ctx: Context, settings: CarrierSettings): Carrier {
  const { config, database } = ctx
  // Resolved with the first label, when the database is migrated.
  const options = {
    instance: memoizeAsync(() => getInstanceName(ctx)),
    notes: createAttemptNotes(database, [carrierAccount(settings), ...settings.carrierSameAccount]),
  }
  const carrier: Carrier = {
    ...chosen(),
    ...(accountMode(settings) === 'test' && { repeatsNumbers: true }),
  }
  return withMetrics(withRateLimit(carrier, settings.carrierPerMinute), ctx.meter, settings.name)

  function chosen(): Carrier {
    switch (settings.carrier) {
      case 'sandbox':
        return sandboxCarrier(database, {
          latencyMs: config.sandboxCarrierLatencyMs,
          faults: config.sandboxCarrierFaults,
        })
      case 'easypost':
        return withMessages(
          easypostCarrier({
            ...options,
            apiKey: settings.easypost.apiKey!,
            url: settings.easypost.url,
          }),
          settings.easypost.webhookSecret,
        )
      case 'usps': {
        const { clientId, clientSecret, url, crid, mid, manifestMid, accountType, accountNumber } =
          settings.usps
        const account = {
          crid: crid!,
          mid: mid!,
          manifestMid: manifestMid!,
          type: accountType,
          number: accountNumber!,
        }
        return uspsCarrier({
          ...options,
          clientId: clientId!,
          clientSecret: clientSecret!,
          url,
          account,
        })
      }
      case 'shipengine': {
        const { apiKey, url, carrierId } = settings.shipengine
        return shipengineCarrier({ ...options, apiKey: apiKey!, url, carrierId: carrierId! })
      }
    }
  }
}

const withMessages = (carrier: Carrier, secret: string | undefined): Carrier =>
  secret === undefined
    ? carrier
    : { ...carrier, readMessage: async message => readMessage(secret, message) }

/** The account's name in these settings, without secrets. */
export function carrierAccount({ carrier, easypost, usps, shipengine }: CarrierSettings): string {
  switch (carrier) {
    case 'sandbox':
      return SANDBOX_ACCOUNT
    case 'easypost':
      return easypostAccount(easypost.apiKey!)
    case 'usps':
      return uspsAccount(usps.crid!, usps.url)
    case 'shipengine':
      return shipengineAccount(shipengine.carrierId!)
  }
}

/** Warnings about the carrier settings. Shown at start and by npm run doctor. */
export const carrierWarnings = ({ carrierAccounts }: Config): string[] =>
  carrierAccounts.flatMap(settings => {
    const warning = carrierWarning(settings)
    if (warning === null) return []
    return [carrierAccounts.length === 1 ? warning : `Account '${settings.name}': ${warning}`]
  })

/** `test`: labels cost nothing and are not valid postage. */
export function accountMode({
  carrier,
  easypost,
  usps,
  shipengine,
}: CarrierSettings): 'sandbox' | 'test' | 'live' {
  const isTest = (): boolean => {
    if (carrier === 'easypost') return isTestKey(easypost.apiKey ?? '')
    if (carrier === 'usps') return isTestUrl(usps.url)
    return isSandboxKey(shipengine.apiKey ?? '')
  }
  if (carrier === 'sandbox') return 'sandbox'
  return isTest() ? 'test' : 'live'
}

const TEST_WARNINGS = {
  easypost:
    'EASYPOST_API_KEY is a key of EasyPost’s test mode (EZTK…): customers pay, and the labels are NOT VALID POSTAGE. '
    + 'Sell with a production key (EZAK…).',
  usps: 'USPS_URL is the test environment of USPS: customers pay, and the labels are NOT VALID POSTAGE. Sell with https://apis.usps.com.',
  shipengine:
    'SHIPENGINE_API_KEY is a key of ShipEngine’s sandbox (TEST_…): customers pay, and the labels are NOT VALID POSTAGE. '
    + 'Sell with a production key.',
}

const carrierWarning = (settings: CarrierSettings): string | null =>
  settings.carrier !== 'sandbox' && accountMode(settings) === 'test'
    ? TEST_WARNINGS[settings.carrier]
    : null

/**
 * Applies the operator's CARRIER_PER_MINUTE, if set; a pause saves up at most six seconds of it.
 */
function withRateLimit(carrier: Carrier, perMinute: number | undefined): Carrier {
  if (perMinute === undefined) return carrier
  const { callsPerLabel, callsPerVoid = 1 } = carrier
  const most = Math.max(callsPerLabel, callsPerVoid)
  return {
    ...carrier,
    rateLimit: { perMinute, burst: Math.max(Math.ceil(perMinute / 10), 2 * most) },
  }
}

/** Calls once and caches the result; an error is not cached. */
function memoizeAsync<A>(ask: () => Promise<A>): () => Promise<A> {
  let asked: Promise<A> | undefined
  return () =>
    (asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    }))
}
