import { storeCarrierAccount } from '#server/carriers/account-store.ts'
import { carrierAccountNames } from '#server/carriers/service.ts'
import { countOpenInOtherAccounts } from '#server/orders/open-labels-store.ts'
import type { OtherAccountLabels } from '#server/orders/open-labels-store.ts'
import { replaceSetting } from '#server/platform/database/settings.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import type { LabelContext } from './settle.ts'

/**
 * Refuses a start with another carrier, or another account there, while labels are open with the one before: the new one would truly say
 * that it never sold them, and they would be bought again. Throws Trouble; nothing is changed then.
 */
export async function assertSameCarrier(ctx: LabelContext): Promise<void> {
  const {
    database,
    carrier: { name, account },
  } = ctx
  await database.tx(async tx => {
    const before = await replaceSetting(tx, 'carrier', name)
    // Labels of which no account was kept are the account's that is open now, unless that is another carrier's.
    const isOther = before !== null && before !== name
    const unnamed = isOther
      ? (await countOpenInOtherAccounts(tx, null)).filter(one => one.account === null)
      : []
    const [open] = [...unnamed, ...(await countOpenInOtherAccounts(tx, carrierAccountNames(ctx)))]
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
  const until = "until nothing of this is left on the administrator's dashboard"
  const other = carrierOfAccount(owner) ?? before
  if (other !== name) {
    return (
      `${labels} still being bought, checked or voided with CARRIER=${other}, and CARRIER=${name} knows nothing of ${them}. `
      + `Start with CARRIER=${other}${owner ? ` (account ${owner})` : ''} ${until}.`
    )
  }
  return (
    `${labels} still being bought, checked or voided with the carrier account ${owner}, and ${account} knows nothing of ${them}. `
    + `Start with the key of ${owner} ${until}; or, if it is the same account with a new key, with CARRIER_SAME_ACCOUNT=${owner}.`
  )
}

/** The carrier in an account's name: what stands before the colon. */
const carrierOfAccount = (account: string | null): string | null => account?.split(':')[0] ?? null
