/** What the rows cost with each service, and with the cheapest one that takes each of them. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { priceTotals } from '#contract/price-options.ts'
import type { ServiceTotal } from '#contract/price-options.ts'
import { randomUuid } from '#web/client/attempt.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { COMPARE_SCOPES, militaryRows, mixOf, parcelsOf, scopesOf } from './compare.ts'
import type { CompareScope } from './compare.ts'
import { gridTexts } from './texts.ts'
import type { GridModel } from './use-grid.ts'
import styles from './CompareServices.module.css'

const t = gridTexts.compare

type CompareServicesProps = {
  grid: GridModel
  /** Indexes of the selected rows; all rows where none are. */
  chosen: readonly number[]
  close: () => void
}

export function CompareServices({ grid, chosen, close }: CompareServicesProps) {
  const { rows } = grid
  const scopes = useMemo(() => scopesOf(rows, chosen), [rows, chosen])
  const isPart = chosen.length < rows.length
  const [scope, setScope] = useState<CompareScope>(isPart ? 'chosen' : 'all')
  const offered = COMPARE_SCOPES.filter(one => {
    if (one === 'chosen') return isPart
    return one === 'all' || (scopes.empty.length > 0 && scopes.empty.length < rows.length)
  })
  const indexes = scopes[scope]
  return (
    <Dialog opened onClose={close} title={t.title}>
      <div className={styles.body}>
        {offered.length > 1 && (
          <RadioGroup
            label={t.scope}
            inRow
            data-autofocus
            options={offered.map(value => ({ value, text: t.scopes[value](scopes[value].length) }))}
            value={scope}
            onChange={setScope}
          />
        )}
        <div
          className={styles.totals}
          tabIndex={-1}
          data-autofocus={offered.length === 1 || undefined}
        >
          <Totals key={scope} grid={grid} indexes={indexes} close={close} />
        </div>
      </div>
    </Dialog>
  )
}

type TotalsProps = { grid: GridModel; indexes: readonly number[]; close: () => void }

function Totals({ grid, indexes, close }: TotalsProps) {
  const { _id: userId } = useUser()
  // The rows cannot change while the dialog is open.
  const [content] = useState(() => {
    const services = queryClient.getQueryData<AvailableService[]>(queryKeys.services(userId))
    const rows = indexes.map(index => grid.rows[index]!)
    const wholeZips = services?.some(({ pricedByCarrier }) => pricedByCarrier) ?? true
    return { ...parcelsOf(rows, wholeZips), military: militaryRows(rows) }
  })
  const [opening] = useState(randomUuid)
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.price(userId, 'totals', opening),
    queryFn: ({ signal }) =>
      send(priceTotals, { params: { userId }, body: { parcels: content.parcels } }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  if (error)
    return (
      <LoadErrorNotice onRetry={() => void refetch()}>{messageOf(error, t.failed)}</LoadErrorNotice>
    )
  if (!data) return <Waiting />
  const { services, cheapest } = data
  const nameOf = (at: number): string => services[at]!.name
  const mix = mixOf(content, cheapest.choices)
  const use = (choose: (place: number) => number | null) => {
    grid.edits.setServices(
      new Map(
        indexes.flatMap((index, turn) => {
          const service = choose(content.parcelOf[turn]!)
          return service === null ? [] : [[index, nameOf(service)] as const]
        }),
      ),
    )
    close()
  }
  const now = totalNow(grid, indexes)
  return (
    <ul className={styles.list} aria-label={t.list}>
      {cheapest.labels > 0 && (
        <Choice
          name={t.cheapest}
          total={cheapest.total}
          now={now}
          isBest
          use={t.useCheapest}
          onUse={() => use(place => cheapest.choices[place] ?? null)}
        >
          <span>
            {mix.parts
              .map(({ service, labels }) => t.part(numberText(labels), nameOf(service)))
              .join(' + ')}
          </span>
          {mix.left > 0 && <span>{t.fitsNone(mix.left)}</span>}
        </Choice>
      )}
      {services.map((service, at) => (
        <Choice
          key={service.uid}
          name={service.name}
          total={service.labels > 0 ? service.total : null}
          now={service.labels === indexes.length ? now : null}
          use={t.use(service.name)}
          onUse={() => use(() => at)}
        >
          <ServiceFacts service={service} rows={indexes.length} military={content.military} />
        </Choice>
      ))}
    </ul>
  )
}

/** In dollars; null unless all rows have a price. */
function totalNow(grid: GridModel, indexes: readonly number[]): number | null {
  let sum = 0
  for (const index of indexes) {
    const { cents } = grid.priceOf(grid.rows[index]!)
    if (cents === null) return null
    sum += cents
  }
  return sum / 100
}

type ServiceFactsProps = {
  service: ServiceTotal
  rows: number
  /** How many of the rows go to military addresses. */
  military: number
}

function ServiceFacts({ service, rows, military }: ServiceFactsProps) {
  const { deliveryDays: days, labels, reason } = service
  return (
    <>
      {days && military < rows && <span>{t.days(days.from, days.to)}</span>}
      {days && military > 0 && military < rows && <span>{t.militaryLonger(military)}</span>}
      {labels < rows && (
        <span className={styles.misfit}>
          {t.doNotFit(rows - labels)}
          {reason && `: ${reason.text}`}
        </span>
      )}
    </>
  )
}

type ChoiceProps = {
  name: string
  /** Dollars; null where no row fits. */
  total: number | null
  /** What the rows cost now, where it compares. */
  now: number | null
  isBest?: boolean
  /** Accessible name of the button. */
  use: string
  onUse: () => void
  children: ReactNode
}

function Choice({ name, total, now, isBest, use, onUse, children }: ChoiceProps) {
  const saved = total === null || now === null ? 0 : Math.round((now - total) * 100) / 100
  return (
    <li className={styles.choice} data-best={isBest || undefined}>
      <div className={styles.words}>
        <b>{name}</b>
        <p className={styles.facts}>{children}</p>
      </div>
      <div className={styles.money}>
        <span className={styles.total}>{total === null ? t.none : usdFromDollars(total)}</span>
        {saved > 0 && <span className={styles.saved}>{t.saves(usdFromDollars(saved))}</span>}
      </div>
      <Button
        size="small"
        {...(isBest && { kind: 'ink' as const })}
        aria-label={use}
        disabledReason={total === null ? t.noRowFits : null}
        onClick={onUse}
      >
        {t.useShort}
      </Button>
    </li>
  )
}

const PLACEHOLDERS = [1, 2, 3]

const Waiting = () => (
  <div className={styles.list} role="status" aria-label={t.loading}>
    {PLACEHOLDERS.map(n => (
      <div key={n} className={styles.choice}>
        <Skeleton width="60%" />
      </div>
    ))}
  </div>
)
