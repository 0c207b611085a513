import { namesOfOwnCarrierAccount, storeCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { countOpenInOtherAccounts } from '#server/orders/service.ts'
import type { OtherAccountLabels } from '#server/orders/service.ts'
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
      ...(await countOpenInOtherAccounts(tx, namesOfOwnCarrierAccount(ctx))),
    ]
    if (open) throw new OperatorError(otherCarrierText(open, before ?? name, name, account))
    await storeCarrierAccount(tx, account)
  })
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
      + `Start with CARRIER=${other}${owner ? ` (account ${owner})` : ''} ${until}.`
    )
  }
  return (
    `${labels} still being bought, checked or voided with the carrier account ${owner}, and ${account} knows nothing about ${them}. `
    + `Start with the key of ${owner} ${until}; or, if it is the same account with a new key, with CARRIER_SAME_ACCOUNT=${owner}.`
  )
}

const carrierOfAccount = (account: string | null): string | null => account?.split(':')[0] ?? null
