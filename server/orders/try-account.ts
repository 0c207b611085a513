import { insertAudit } from '#server/accounts/store.ts'
import { findRest, tryAgain } from '#server/carriers/budget-store.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { makeDue } from './queue-store.ts'
import { WAITING_FOR_ACCOUNT } from './rules.ts'
import type { WithOrders } from './settle.ts'

/** As many as may be tried before the next one comes by itself. */
const TRIED_AT_ONCE = 50

/**
 * An operator has put the carrier account in order and does not want to wait: buying is tried again at once. Throws Refusal
 * 'conflict' when it is not waiting for him.
 */
export async function tryAccountNow(house: WithOrders, actorId: number): Promise<void> {
  const { account } = house.carrier
  const rest = await findRest(house.database.db, account)
  if (!rest?.reason) throw new Refusal('conflict', 'Buying is not waiting for the carrier account')
  const { reason } = rest
  await house.database.tx(async tx => {
    await insertAudit(tx, { actorId, subjectId: null, action: 'carrier-tried', detail: { reason } })
    await makeDue(tx, WAITING_FOR_ACCOUNT, TRIED_AT_ONCE)
    await tryAgain(tx, account)
  })
}
