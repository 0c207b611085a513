import {
  accountsOfLastStart,
  carrierAccounts,
  namesOfAccount,
  namesOfCarrierAccounts,
  storeCarrierAccounts,
  storeTestAccounts,
} from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { countOpenInOtherAccounts, countUnknownQueuedBefore } from '#server/orders/service.ts'
import type { OtherAccountLabels } from '#server/orders/service.ts'
import { msSinceRestore } from '#server/platform/backup/restore-state.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { replaceSetting } from '#server/platform/database/settings.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'

/**
 * Throws OperatorError if labels are open with another carrier or account: the new one would deny
 * the sale, and they would be bought again.
 */
export async function assertSameCarrier(ctx: LabelContext): Promise<void> {
  const {
    database,
    carrier: { name, account },
  } = ctx
  await database.tx(async tx => {
    const before = await replaceSetting(tx, 'carrier', name)
    // A label without an account belongs to the connected account, unless the carrier changed.
    const hasChanged = before !== null && before !== name
    const unnamed = hasChanged
      ? (await countOpenInOtherAccounts(tx, null)).filter(one => one.account === null)
      : []
    const [open] = [
      ...unnamed,
      ...(await countOpenInOtherAccounts(tx, namesOfCarrierAccounts(ctx))),
    ]
    if (open) throw new OperatorError(otherCarrierText(open, before ?? name, name, account))
    await assertAccountsOfBackup(ctx, tx)
    await storeCarrierAccounts(tx, [
      account,
      ...carrierAccounts(ctx)
        .map(one => one.carrier.account)
        .filter(name => name !== account),
    ])
    await storeTestAccounts(
      tx,
      carrierAccounts(ctx)
        .filter(one => one.carrier.repeatsNumbers)
        .flatMap(namesOfAccount),
    )
  })
}

/**
 * A label that was open when a restored backup was made may have been sold by any account of that time: each of
 * them must be there to be asked.
 */
async function assertAccountsOfBackup(ctx: LabelContext, tx: Tx): Promise<void> {
  const restoredMs = await msSinceRestore(tx)
  if (restoredMs === null) return
  const names: string[] = namesOfCarrierAccounts(ctx)
  const missing = (await accountsOfLastStart(tx)).filter(account => !names.includes(account))
  const open = missing.length === 0 ? 0 : await countUnknownQueuedBefore(tx, restoredMs)
  if (open > 0)
    throw new OperatorError(
      `${open} of the labels that were open in the restored backup may have been bought with the carrier account ${missing[0]}, `
        + "which is not configured. Start with its key, too, until the administrator's dashboard shows no label that is being checked.",
    )
}

function otherCarrierText(
  { account: owner, count }: OtherAccountLabels,
  before: string,
  name: string,
  account: string,
): string {
  const labels = count === 1 ? '1 label is' : `${count} labels are`
  const them = count === 1 ? 'it' : 'them'
  const until = "until the administrator's dashboard shows none of them"
  const other = carrierOfAccount(owner) ?? before
  if (other !== name) {
    return (
      `${labels} still being bought, checked or voided with CARRIER=${other}, and CARRIER=${name} knows nothing about ${them}. `
      + `Start with CARRIER=${other}${owner ? ` (account ${owner}), or with it among CARRIER_ACCOUNTS,` : ''} ${until}.`
    )
  }
  return (
    `${labels} still being bought, checked or voided with the carrier account ${owner}, and ${account} knows nothing about ${them}. `
    + `Start with the key of ${owner} ${until}; or, if it is the same account under a new key or name, with CARRIER_SAME_ACCOUNT=${owner}.`
  )
}

const carrierOfAccount = (account: string | null): string | null => account?.split(':')[0] ?? null
