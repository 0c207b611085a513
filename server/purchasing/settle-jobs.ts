import type { LabelContext } from '#server/orders/context.ts'
import { Groups } from '#server/platform/process/groups.ts'
import { storeDeliveredFilesInTime } from './label-files.ts'
import { settlePurchases } from './settle.ts'
import type { AnsweredPurchase } from './settle.ts'

const SIZES = { most: 50, mostGroups: 4, slowMs: 50 }

const groupsOfAccounts = new WeakMap<
  LabelContext['carrier'],
  Groups<AnsweredPurchase, AnsweredPurchase>
>()

/**
 * Settles the answer about a single label together with others of its carrier account, and stores its file. The group does not wait
 * for files: a store that does not answer delays no other label. Rejects if the group
 * could not be settled.
 */
export async function settleSingle(ctx: LabelContext, answer: AnsweredPurchase): Promise<void> {
  const groups =
    groupsOfAccounts.get(ctx.carrier)
    ?? new Groups((group: AnsweredPurchase[]) => settlePurchases(ctx, group), SIZES)
  groupsOfAccounts.set(ctx.carrier, groups)
  await storeDeliveredFilesInTime(ctx, [await groups.add(answer)])
}
