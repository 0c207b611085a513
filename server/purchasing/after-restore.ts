import { callLookup } from '#server/carriers/calls.ts'
import { claimWithBudget } from '#server/carriers/rate-limit.ts'
import {
  insertEndedCalls,
  namesOfOtherCarrierAccounts,
  namesOfOwnCarrierAccount,
} from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { requestVoidsKnownToCarrier } from '#server/voids/service.ts'
import {
  claimRestoreChecks,
  deleteRestoreChecks,
  enqueueRestoreChecks,
  markOpenLabelsUnknown,
} from './after-restore-store.ts'

const CHECKS_AT_ONCE = 100
/** A label without an answer is looked up again afterwards. */
const CHECK_LEASE_MS = 60_000

/** Call it before anything is bought. Returns how many labels are open, and how many bought ones are to be checked. */
export const resetLabelsAfterRestore = async (
  tx: Tx,
): Promise<{ open: number; bought: number }> => {
  const { open, calls } = await markOpenLabelsUnknown(tx)
  await insertEndedCalls(
    tx,
    calls.map(call => ({ call, outcome: null })),
  )
  return { open, bought: await enqueueRestoreChecks(tx) }
}

/**
 * Looks up labels that the backup has as bought, and voids those that were voided after it. Does
 * nothing if the carrier's look-ups do not report voids. Returns the number of look-ups.
 */
export async function checkLabelsAfterRestore(ctx: LabelContext): Promise<number> {
  const { carrier, config, database } = ctx
  if (carrier.lookupReportsVoids === false) return 0
  const claims = await database.tx(tx =>
    claimWithBudget(tx, carrier, 'track', CHECKS_AT_ONCE, available =>
      claimRestoreChecks(
        tx,
        namesOfOwnCarrierAccount(ctx),
        namesOfOtherCarrierAccounts(ctx),
        available,
        CHECK_LEASE_MS,
      ),
    ),
  )
  const answers = await Promise.all(
    claims.map(async ({ id, round }) => ({
      id,
      found: await callLookup(carrier, { reference: String(id), round }, config.carrierTimeoutMs),
    })),
  )
  const known = answers.filter(({ found }) => found.found !== 'unknown')
  if (known.length > 0) {
    await database.tx(async tx => {
      await requestVoidsKnownToCarrier(
        ctx,
        tx,
        known.flatMap(({ id, found }) =>
          found.found === 'purchased' && found.purchase.isVoided ? [id] : [],
        ),
      )
      await deleteRestoreChecks(
        tx,
        known.map(({ id }) => id),
      )
    })
  }
  return claims.length
}
