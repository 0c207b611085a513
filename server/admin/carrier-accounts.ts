import type { CarrierAccount } from '#contract/carriers.ts'
import { accountMode } from '#server/carriers/open.ts'
import { carrierAccounts, findPause } from '#server/carriers/service.ts'
import { listDownAccounts } from '#server/carriers/set-sources.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { ReadRunways, Runway } from '#server/reports/runway.ts'

export type CarrierAccountView = Pick<
  CarrierAccount,
  'name' | 'carrier' | 'account' | 'mode' | 'state' | 'reason' | 'perMinute'
> & { since: Date | null; nextTry: Date | null; runway: Runway }

/** All accounts of the configuration, in its order. */
export async function listAccounts(
  ctx: LabelContext,
  readRunways: ReadRunways,
): Promise<CarrierAccountView[]> {
  const runways = await readRunways()
  const down = await listDownAccounts(ctx)
  return Promise.all(
    carrierAccounts(ctx).map(async ({ name, carrier }, at) => {
      const pause = await findPause(ctx.database.db, carrier.account)
      const reason = pause?.reason ?? null
      const state = stateOf(
        reason,
        pause?.needsAdministrator ?? false,
        down.includes(carrier.account),
      )
      const settings = ctx.config.carrierAccounts.find(one => one.name === name)
      return {
        name,
        carrier: carrier.name,
        account: carrier.account,
        mode: accountMode(settings ?? ctx.config.carrierAccounts[0]),
        state,
        reason,
        since: reason === null ? null : (pause?.since ?? null),
        nextTry:
          state === 'problem' && pause?.until && pause.until > new Date() ? pause.until : null,
        perMinute: carrier.rateLimit?.perMinute ?? null,
        runway: runways[at]!,
      }
    }),
  )
}

function stateOf(
  reason: string | null,
  needsAdministrator: boolean,
  isDown: boolean,
): CarrierAccountView['state'] {
  if (reason !== null) return needsAdministrator ? 'losses' : 'problem'
  return isDown ? 'silent' : 'working'
}
