import type { LabelContext } from '#server/orders/context.ts'
import { Groups } from '#server/platform/process/groups.ts'
import { storeDeliveredFiles } from './label-files.ts'
import { settlePurchases } from './settle.ts'
import type { AnsweredPurchase } from './settle.ts'

const SIZES = { most: 50, mostGroups: 4, slowMs: 50 }

const groupsOfAccounts = new WeakMap<LabelContext['carrier'], Groups<AnsweredPurchase, void>>()

/**
 * Settles the answer about a single label together with others of its carrier account. Resolves when the label is settled and its
 * file is stored. Rejects if its group could not be settled.
 */
export function settleSingle(ctx: LabelContext, answer: AnsweredPurchase): Promise<void> {
  const groups =
    groupsOfAccounts.get(ctx.carrier) ?? new Groups(group => settleGroup(ctx, group), SIZES)
  groupsOfAccounts.set(ctx.carrier, groups)
  return groups.add(answer)
}

async function settleGroup(ctx: LabelContext, group: AnsweredPurchase[]): Promise<void[]> {
  await settlePurchases(ctx, group)
  await storeDeliveredFiles(ctx, group).catch(error =>
    ctx.log.warn({ err: error }, 'label files could not be stored; they will be fetched'),
  )
  return []
}
