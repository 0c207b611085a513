import { exchangeWord } from '#server/platform/instance.ts'
import { Trouble } from '#server/platform/trouble.ts'
import { countAtCarrier } from './open-store.ts'
import type { WithOrders } from './settle.ts'

/**
 * Refuses a start with another carrier while labels are open with the one before: the new one would truly say that it never sold
 * them, and they would be bought again. Throws Trouble; nothing is changed then.
 */
export async function demandSameCarrier({ database, carrier: { name } }: WithOrders): Promise<void> {
  await database.tx(async tx => {
    const before = await exchangeWord(tx, 'carrier', name)
    if (before === null || before === name) return
    const open = await countAtCarrier(tx)
    if (open === 0) return
    const labels = open === 1 ? '1 label is' : `${open} labels are`
    throw new Trouble(`${labels} still being bought, checked or voided with CARRIER=${before}, and CARRIER=${name} knows nothing of `
      + `${open === 1 ? 'it' : 'them'}. Start with CARRIER=${before} until nothing of this is left on the administrator's dashboard.`)
  })
}
