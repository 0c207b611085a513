/** What a house that was restored from a backup finds out while it works: which of its labels were voided since. */
import { callLookup } from '#server/carriers/calls.ts'
import { recordCalls, availableCalls } from '#server/carriers/rate-limit.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import { deleteRestoreChecks, claimRestoreChecks } from './after-restore-store.ts'
import { requestVoidsKnownToCarrier } from './settle.ts'
import type { LabelContext } from './settle.ts'

const CHECKS_AT_ONCE = 100
/** Longer than any question takes; what has no answer is asked again after it. */
const CHECK_LEASE_MS = 60_000

/**
 * Asks the carrier about labels that the backup had as bought. One that was voided since is voided here as well, so that its price is
 * paid back; of the others nothing changes. A carrier that cannot tell is not asked. Answers how many it asked about.
 */
export async function checkLabelsAfterRestore(ctx: LabelContext): Promise<number> {
  const { carrier, config, database } = ctx
  if (carrier.lookupReportsVoids === false) return 0
  const taken = await database.tx(async tx => {
    // As with parcels: those who buy come first.
    const room = await availableCalls(tx, carrier, 'track', CHECKS_AT_ONCE)
    const due =
      room === 0 ? [] : await claimRestoreChecks(tx, carrierAccountNames(ctx), room, CHECK_LEASE_MS)
    await recordCalls(tx, carrier, 'track', due.length)
    return due
  })
  const answers = await Promise.all(
    taken.map(async ({ id, round }) => ({
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
  return taken.length
}
