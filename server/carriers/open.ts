/** Opens the carrier chosen by CARRIER and its variables. */
import type { Config } from '#server/platform/config.ts'
import type { Context } from '#server/platform/context.ts'
import { getInstanceName } from '#server/platform/database/settings.ts'
import { createAttemptNotes } from './attempt-notes-store.ts'
import { easypostAccount, easypostCarrier, isTestKey } from './easypost/adapter.ts'
import { readMessage } from './easypost/messages.ts'
import type { Carrier } from './port.ts'
import { SANDBOX_ACCOUNT, sandboxCarrier } from './sandbox/adapter.ts'
import { isSandboxKey, shipengineAccount, shipengineCarrier } from './shipengine/adapter.ts'
import { uspsAccount, uspsCarrier } from './usps/adapter.ts'
import { withMetrics } from './wire/with-metrics.ts'

/** The configured carrier with metrics. Makes no call yet. */
export function openCarrier(ctx: Context): Carrier {
  const { config, database } = ctx
  // Resolved with the first label, when the database is migrated.
  const options = {
    instance: memoizeAsync(() => getInstanceName(ctx)),
    notes: createAttemptNotes(database, [carrierAccount(config), ...config.carrierSameAccount]),
  }
  return withMetrics(withRateLimit(chosen(), config.carrierPerMinute), ctx.meter)

  function chosen(): Carrier {
    switch (config.carrier) {
      case 'sandbox':
        return sandboxCarrier(database, {
          latencyMs: config.sandboxCarrierLatencyMs,
          faults: config.sandboxCarrierFaults,
        })
      case 'easypost':
        return withMessages(
          easypostCarrier({
            ...options,
            apiKey: config.easypost.apiKey!,
            url: config.easypost.url,
          }),
          config.easypost.webhookSecret,
        )
      case 'usps': {
        const { clientId, clientSecret, url, crid, mid, manifestMid, accountType, accountNumber } =
          config.usps
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
        const { apiKey, url, carrierId } = config.shipengine
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
export function carrierAccount({ carrier, easypost, usps, shipengine }: Config): string {
  switch (carrier) {
    case 'sandbox':
      return SANDBOX_ACCOUNT
    case 'easypost':
      return easypostAccount(easypost.apiKey!)
    case 'usps':
      return uspsAccount(usps.crid!)
    case 'shipengine':
      return shipengineAccount(shipengine.carrierId!)
  }
}

/** A warning about the carrier settings, or null. Shown at start and by npm run doctor. */
export function carrierWarning({ carrier, easypost, usps, shipengine }: Config): string | null {
  if (carrier === 'easypost' && isTestKey(easypost.apiKey ?? '')) {
    return (
      'EASYPOST_API_KEY is a key of EasyPost’s test mode (EZTK…): customers pay, and the labels are NOT VALID POSTAGE. '
      + 'Sell with a production key (EZAK…).'
    )
  }
  if (carrier === 'usps' && new URL(usps.url).hostname.startsWith('apis-tem.')) {
    return 'USPS_URL is the test house of USPS: customers pay, and the labels are NOT VALID POSTAGE. Sell with https://apis.usps.com.'
  }
  if (carrier === 'shipengine' && isSandboxKey(shipengine.apiKey ?? '')) {
    return (
      'SHIPENGINE_API_KEY is a key of ShipEngine’s sandbox (TEST_…): customers pay, and the labels are NOT VALID POSTAGE. '
      + 'Sell with a production key.'
    )
  }
  return null
}

/**
 * Applies the operator's CARRIER_PER_MINUTE, if set; a pause saves up at most six seconds of it.
 */
export function withRateLimit(carrier: Carrier, perMinute: number | undefined): Carrier {
  if (perMinute === undefined) return carrier
  return {
    ...carrier,
    rateLimit: { perMinute, burst: Math.max(Math.ceil(perMinute / 10), 2 * carrier.callsPerLabel) },
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
