import { keepAccount } from '#server/carriers/account-store.ts'
import { accountsOf } from '#server/carriers/service.ts'
import { exchangeWord } from '#server/platform/instance.ts'
import { Trouble } from '#server/platform/trouble.ts'
import { countElsewhere } from './open-store.ts'
import type { Elsewhere } from './open-store.ts'
import type { WithOrders } from './settle.ts'

/**
 * Refuses a start with another carrier, or another account there, while labels are open with the one before: the new one would truly say
 * that it never sold them, and they would be bought again. Throws Trouble; nothing is changed then.
 */
export async function demandSameCarrier(house: WithOrders): Promise<void> {
  const {
    database,
    carrier: { name, account },
  } = house
  await database.tx(async tx => {
    const before = await exchangeWord(tx, 'carrier', name)
    // Labels of which no account was kept are the account's that is open now, unless that is another carrier's.
    const isOther = before !== null && before !== name
    const unnamed = isOther
      ? (await countElsewhere(tx, null)).filter(one => one.account === null)
      : []
    const [open] = [...unnamed, ...(await countElsewhere(tx, accountsOf(house)))]
    if (open) throw new Trouble(whyNot(open, before ?? name, name, account))
    await keepAccount(tx, account)
  })
}

function whyNot(
  { account: owner, count }: Elsewhere,
  before: string,
  name: string,
  account: string,
): string {
  const labels = count === 1 ? '1 label is' : `${count} labels are`
  const them = count === 1 ? 'it' : 'them'
  const until = "until nothing of this is left on the administrator's dashboard"
  const other = carrierOf(owner) ?? before
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
const carrierOf = (account: string | null): string | null => account?.split(':')[0] ?? null
