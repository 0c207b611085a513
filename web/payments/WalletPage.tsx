/** The wallet statement with what the balance buys. */
import { affordableCount } from '#web/catalogue/affordable.ts'
import { useCheapestPrice } from '#web/catalogue/use-cheapest-price.ts'
import { useUser } from '#web/client/session.ts'
import { StatementPage } from '#web/ledger/StatementPage.tsx'

export function WalletPage() {
  const { balance } = useUser()
  const price = useCheapestPrice()
  return <StatementPage labelPrice={price ?? null} labels={affordableCount(balance, price)} />
}
