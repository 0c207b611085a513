import type { Cents } from '#contract/money.ts'
import { carrierAccounts, fetchCarrierBalance, findPause } from '#server/carriers/service.ts'
import { listDownAccounts } from '#server/carriers/set-sources.ts'
import type { LabelContext } from '#server/orders/context.ts'

export type CarrierAccountView = {
  name: string
  carrier: string
  account: string
  state: 'working' | 'problem' | 'losses' | 'silent'
  reason: string | null
  since: Date | null
  balance: Cents | null
}

/** All accounts of the configuration, in its order. Each carrier is asked for its balance. */
export async function listAccounts(ctx: LabelContext): Promise<CarrierAccountView[]> {
  const down = await listDownAccounts(ctx)
  return Promise.all(
    carrierAccounts(ctx).map(async ({ name, carrier }) => {
      const pause = await findPause(ctx.database.db, carrier.account)
      const reason = pause?.reason ?? null
      return {
        name,
        carrier: carrier.name,
        account: carrier.account,
        state: stateOf(reason, pause?.needsAdministrator ?? false, down.includes(carrier.account)),
        reason,
        since: reason === null ? null : (pause?.since ?? null),
        // An account that does not answer is shown all the same.
        balance: await fetchCarrierBalance({ ...ctx, carrier }).catch(() => null),
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
