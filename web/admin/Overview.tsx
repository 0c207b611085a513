/** Cards: what is owed, pending deposits, the balance of each carrier account, users. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { getAdminDashboard } from '#contract/admin.ts'
import { carrierBalance } from '#contract/carriers.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { countText, numberText } from '#contract/format.ts'
import { fromDollars, sum, usd, usdFromDollars } from '#contract/money.ts'
import { LOW_BALANCE_DAYS } from '#contract/reports.ts'
import type { AccountRunway } from '#contract/reports.ts'
import { runwayText } from '#web/carriers/runway-text.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { FigureCard, FigureCards, FigureTicket } from '#web/ui/FigureCards.tsx'
import { texts } from './texts.ts'
import { DASHBOARD_REFRESH_MS, useRunwayReport } from './use-dashboard.ts'
import { ValuePlaceholder } from './ValuePlaceholder.tsx'
import styles from './AdminDashboard.module.css'

const t = texts.overview

/** Keeps the height of an empty line. */
const BLANK_LINE = '\u00a0'

const FIGURE_PLACEHOLDER = <ValuePlaceholder height="var(--text-figure)" />

export function Overview({ data }: { data: ResponseData<typeof getAdminDashboard> | undefined }) {
  const { available, held } = data?.liabilities ?? {}
  const owed =
    available !== undefined && held !== undefined
      ? usd(sum([available, held].map(amount => fromDollars(amount)!)))
      : FIGURE_PLACEHOLDER
  return (
    <FigureCards name={t.name}>
      <FigureTicket name={t.liabilities} value={owed}>
        <p className={styles.breakdown}>
          {held === 0 && <span>{t.allInBalances}</span>}
          {held !== undefined && held > 0 && available !== undefined && (
            <>
              <span>{t.inBalances(usdFromDollars(available))}</span>{' '}
              <span>{t.onHold(usdFromDollars(held))}</span>
            </>
          )}
        </p>
      </FigureTicket>
      <OverviewFigure
        name={t.pending}
        value={data && usdFromDollars(data.depositsPending.amount)}
        more={data && t.pendingCount(data.depositsPending.count)}
      />
      <CarrierBalances />
      <OverviewFigure
        name={t.users}
        value={data && numberText(data.users)}
        more={data && t.joined(data.periods[0]?.newUsers ?? 0)}
      />
    </FigureCards>
  )
}

/** `value` is undefined while loading. */
function OverviewFigure({
  name,
  value,
  more,
}: {
  name: string
  value: string | undefined
  more: ReactNode
}) {
  return (
    <FigureCard name={name} value={value ?? FIGURE_PLACEHOLDER}>
      <div className={styles.more}>{more}</div>
    </FigureCard>
  )
}

/** How long a carrier balance lasts; nothing where that is not known. */
function CarrierRunway({ runway }: { runway: AccountRunway | undefined }) {
  if (!runway?.pace || runway.daysLeft === null) return null
  const { daysLeft, pace } = runway
  return (
    <span className={styles.runway} data-tone={daysLeft < LOW_BALANCE_DAYS ? 'red' : undefined}>
      {t.lasts(runwayText(daysLeft, days => countText(days, t.day)))}{' '}
      {t.atPace(usdFromDollars(pace.perDay))}
    </span>
  )
}

function CarrierBalances() {
  const { data, isPending } = useRunwayReport()
  const accounts = data?.accounts ?? []
  if (accounts.length > 1)
    return accounts.map(({ name, runway }) => (
      <AccountBalance key={name} name={name} runway={runway} />
    ))
  return (
    <CarrierBalance
      lasting={
        isPending ? (
          <span className={styles.runway}>{BLANK_LINE}</span>
        ) : (
          <CarrierRunway runway={accounts[0]?.runway} />
        )
      }
    />
  )
}

const BALANCE_NOTES = { 'not-reported': t.carrierSilent, unavailable: t.carrierUnreachable }

/** Of one account of several. */
function AccountBalance({ name, runway }: { name: string; runway: AccountRunway }) {
  const { balance, reason } = runway
  return (
    <OverviewFigure
      name={t.accountNamed(name)}
      value={balance === null ? texts.unknown : usdFromDollars(balance)}
      more={
        <>
          {reason === null ? t.carrierAccount : BALANCE_NOTES[reason]}
          <CarrierRunway runway={runway} />
        </>
      }
    />
  )
}

/** The carrier itself is asked, which can fail; nothing else waits for it. */
function CarrierBalance({ lasting }: { lasting: ReactNode }) {
  const { _id } = useUser()
  const { data: settings } = usePublicSettings()
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: queryKeys.carrierBalance(_id),
    queryFn: ({ signal }) => send(carrierBalance, {}, { signal }),
    refetchInterval: DASHBOARD_REFRESH_MS,
    retry: false,
  })
  if (!data && isError) {
    return (
      <OverviewFigure
        name={t.carrier}
        value={texts.unknown}
        more={
          <span className={styles.unreachable}>
            <span role="alert">{t.carrierUnreachable}</span>
            <Button size="small" busy={isFetching} onClick={() => void refetch()}>
              {texts.tryAgain}
            </Button>
          </span>
        }
      />
    )
  }
  const note = settings?.sandbox.carrier ? t.carrierSandbox : t.carrierAccount
  const value = data && (data.balance === null ? texts.unknown : usdFromDollars(data.balance))
  return (
    <OverviewFigure
      name={t.carrier}
      value={value}
      more={
        <>
          {data ? (data.balance === null ? t.carrierSilent : note) : BLANK_LINE}
          {lasting}
        </>
      }
    />
  )
}
