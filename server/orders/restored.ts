/** What a house that was restored from a backup finds out while it works: which of its labels were voided since. */
import { askWhatBecame } from '#server/carriers/ask.ts'
import { asking, roomAtCarrier } from '#server/carriers/pace.ts'
import { accountsOf } from '#server/carriers/service.ts'
import { dropAsked, takeBought } from './restored-store.ts'
import { voidAgain } from './settle.ts'
import type { WithOrders } from './settle.ts'

const ASKED_AT_ONCE = 100
/** Longer than any question takes; what has no answer is asked again after it. */
const ASK_AGAIN_MS = 60_000

/**
 * Asks the carrier about labels that the backup had as bought. One that was voided since is voided here as well, so that its price is
 * paid back; of the others nothing changes. A carrier that cannot tell is not asked. Answers how many it asked about.
 */
export async function askAboutBought(house: WithOrders): Promise<number> {
  const { carrier, config, database } = house
  if (carrier.lookupTellsVoids === false) return 0
  const taken = await database.tx(async tx => {
    // As with parcels: those who buy come first.
    const room = await roomAtCarrier(tx, carrier, 'track', ASKED_AT_ONCE)
    const due = room === 0 ? [] : await takeBought(tx, accountsOf(house), room, ASK_AGAIN_MS)
    await asking(tx, carrier, 'track', due.length)
    return due
  })
  const answers = await Promise.all(
    taken.map(async ({ id, round }) => ({
      id,
      found: await askWhatBecame(
        carrier,
        { reference: String(id), round },
        config.carrierTimeoutMs,
      ),
    })),
  )
  const known = answers.filter(({ found }) => found.found !== 'unknown')
  if (known.length > 0) {
    await database.tx(async tx => {
      await voidAgain(
        house,
        tx,
        known.flatMap(({ id, found }) =>
          found.found === 'purchased' && found.purchase.isVoided ? [id] : [],
        ),
      )
      await dropAsked(
        tx,
        known.map(({ id }) => id),
      )
    })
  }
  return taken.length
}
