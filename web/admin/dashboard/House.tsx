/** What the house owes and has: four cards. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { dashboard } from '#contract/admin.ts'
import type { Answered } from '#contract/call.ts'
import { carrierBalance } from '#contract/carriers.ts'
import { figure } from '#contract/format.ts'
import { fromDollars, sum, usd, usdFromDollars } from '#contract/money.ts'
import { house } from '#contract/system.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { FigureCard, FigureCards, FigureTicket } from '#web/ui/FigureCards.tsx'
import { Coming } from './Coming.tsx'
import { texts as all } from './texts.ts'
import { REFRESH_MS } from './use-dashboard.ts'
import styles from './AdminDashboard.module.css'

const texts = all.house

const COMING = <Coming height="var(--text-figure)" />

export function House({ data }: { data: Answered<typeof dashboard> | undefined }) {
  const { available, held } = data?.liabilities ?? {}
  const owed =
    available !== undefined && held !== undefined
      ? usd(sum([available, held].map(amount => fromDollars(amount)!)))
      : COMING
  return (
    <FigureCards name={texts.name}>
      <FigureTicket name={texts.liabilities} value={owed}>
        <p className={styles.owed}>
          {data
            && texts.owed(
              usdFromDollars(data.liabilities.available),
              usdFromDollars(data.liabilities.held),
            )}
        </p>
      </FigureTicket>
      <Figure
        name={texts.pending}
        value={data && usdFromDollars(data.depositsPending.amount)}
        more={data && texts.onTheirWay(data.depositsPending.count)}
      />
      <CarrierBalance />
      <Figure
        name={texts.users}
        value={data && figure(data.users)}
        more={data && texts.joined(data.periods[0]?.newUsers ?? 0)}
      />
    </FigureCards>
  )
}

/** Undefined while it is coming. */
function Figure({
  name,
  value,
  more,
}: {
  name: string
  value: string | undefined
  more: ReactNode
}) {
  return (
    <FigureCard name={name} value={value ?? COMING}>
      <div className={styles.more}>{more}</div>
    </FigureCard>
  )
}

/** Asked of the carrier itself, which may be away; nothing else waits for it. */
function CarrierBalance() {
  const { _id } = useUser()
  const { data: about } = useQuery({
    queryKey: keys.house(),
    queryFn: () => send(house, {}),
    staleTime: Infinity,
  })
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: keys.carrierBalance(_id),
    queryFn: ({ signal }) => send(carrierBalance, {}, { signal }),
    refetchInterval: REFRESH_MS,
    retry: false,
  })
  if (!data && isError) {
    return (
      <Figure
        name={texts.carrier}
        value={all.unknown}
        more={
          <span className={styles.away}>
            <span role="alert">{texts.carrierAway}</span>
            <Button size="small" busy={isFetching} onClick={() => void refetch()}>
              {all.tryAgain}
            </Button>
          </span>
        }
      />
    )
  }
  const says = about?.sandbox.carrier ? texts.carrierPlays : texts.carrierSays
  const value = data && (data.balance === null ? all.unknown : usdFromDollars(data.balance))
  return (
    <Figure
      name={texts.carrier}
      value={value}
      more={data && (data.balance === null ? texts.carrierSilent : says)}
    />
  )
}
