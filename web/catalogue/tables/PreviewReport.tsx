import { useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { IMPACT_LABELS } from '#contract/price-tables.ts'
import type { PricePreview, ServiceImpact } from '#contract/price-tables.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { moneyText, signedMoneyText } from '#web/ui/money-text.ts'
import { useFocusNewRow } from '#web/ui/use-focus-new-row.ts'
import { TwoLines } from '#web/ui/Value.tsx'
import { weightText } from './step-text.ts'
import { texts } from './texts.ts'
import styles from './PriceTables.module.css'

const t = texts.preview

/** Those with the largest difference. */
const SHOWN_CUSTOMERS = 10

type Faults = PricePreview['faults']

/** Each fault in its row and column, with what to do. */
export function PreviewFaults({ faults }: { faults: Faults }) {
  return (
    <>
      <Notice tone="red">{t.faults(faults.length)}</Notice>
      <FaultList faults={faults} />
    </>
  )
}

const rowText = (row: number): string => (row === 1 ? t.header : t.row(row))

function FaultList({ faults }: { faults: Faults }) {
  return (
    <ul className={styles.faults}>
      {faults.map(({ row, column, text }) => (
        <li key={`${row}.${column}.${text}`}>
          {row > 0 && (
            <strong>
              {rowText(row)}
              {column && `, ${column}`}
            </strong>
          )}{' '}
          {text}
        </li>
      ))}
    </ul>
  )
}

/** Who pays what: services, customers and margins, before anything counts. */
export function PreviewReport({ preview }: { preview: PricePreview }) {
  const { services, warnings, totals, costs } = preview
  const changed = services.filter(one => one.changes)
  const unchanged = services.filter(one => !one.changes).map(nameOf)
  return (
    <>
      {changed.length === 0 && (
        <Notice tone={costs.length > 0 ? 'neutral' : 'yellow'}>{sameText(preview)}</Notice>
      )}
      {changed.some(one => one.needsZones) && !preview.hasZoneMatrix && (
        <Notice tone="red">{t.noMatrix}</Notice>
      )}
      {totals.unsold > 0 && <Notice tone="yellow">{t.unsold(totals.unsold)}</Notice>}
      {preview.usersWithOwnPrices > 0 && (
        <Notice tone="neutral">{t.ownPrices(preview.usersWithOwnPrices)}</Notice>
      )}
      {warnings.length > 0 && (
        <details className={styles.more} open>
          <summary>{t.warnings}</summary>
          <FaultList faults={warnings} />
        </details>
      )}
      {costs.length > 0 && <Costs costs={costs} />}
      {changed.length > 0 && <Services services={changed} />}
      {preview.omittedServices > 0 && (
        <p className={styles.quiet}>{t.moreServices(preview.omittedServices)}</p>
      )}
      {unchanged.length > 0 && changed.length > 0 && (
        <p className={styles.quiet}>{t.unchanged(unchanged)}</p>
      )}
      {changed.map(service => (
        <Steps key={keyOf(service)} service={service} />
      ))}
      {changed.length > 0 && <Customers preview={preview} />}
    </>
  )
}

const sameText = ({ kind, costs }: PricePreview): string =>
  costs.length > 0 ? t.costsOnly : kind === 'costs' ? t.sameCosts : t.same

function Costs({ costs }: { costs: PricePreview['costs'] }) {
  return (
    <Table
      title={t.costs}
      heads={[t.service, t.costs]}
      textColumns={2}
      rows={costs.map(({ name, before, after }) => ({
        key: name,
        cells: [name, <Pair key="costs" before={before} after={after} />],
      }))}
    />
  )
}

function Pair({ before, after }: { before: string; after: string }) {
  return (
    <ul className={styles.pair}>
      <li>
        <span>{t.now}</span> {before}
      </li>
      <li>
        <span>{t.after}</span> <strong>{after}</strong>
      </li>
    </ul>
  )
}

const keyOf = ({ uid, owner }: ServiceImpact): string => `${owner?._id ?? ''} ${uid}`

const nameOf = ({ name, owner }: ServiceImpact): string =>
  owner ? t.ofUser(name, owner.name) : name

function Services({ services }: { services: readonly ServiceImpact[] }) {
  return (
    <Table
      title={t.services}
      heads={[t.service, t.prices, t.labels, t.paysNow, t.paysAfter, t.difference, t.margin]}
      textColumns={2}
      rows={services.map(one => ({
        key: keyOf(one),
        cells: [
          nameOf(one),
          <Pair key="prices" before={one.pricesBefore} after={one.pricesAfter} />,
          ...figureCells(one),
          <MarginChange key="margin" before={one.marginBefore} after={one.marginAfter} />,
        ],
      }))}
    />
  )
}

function MarginChange({ before, after }: { before: number | null; after: number | null }) {
  if (before === null || after === null) return t.unknown
  return (
    <span className={styles.margin} data-tone={after < 0 ? 'red' : undefined}>
      {t.marginChange(moneyText(before), moneyText(after))}
    </span>
  )
}

type Figures = PricePreview['totals']

const figureCells = ({ labels, before, after }: Figures): string[] => [
  numberText(labels),
  usdFromDollars(before),
  usdFromDollars(after),
  signedMoneyText(after - before),
]

function Customers({ preview }: { preview: PricePreview }) {
  const { customers, omittedCustomers, totals, isSample } = preview
  const [all, setAll] = useState(false)
  const list = useRef<HTMLTableSectionElement>(null)
  const focusNewRow = useFocusNewRow(list)
  if (customers.length === 0) return <p className={styles.quiet}>{t.noLabels}</p>
  return (
    <>
      <Table
        title={t.customers}
        heads={[t.customer, t.labels, t.paysNow, t.paysAfter, t.difference]}
        textColumns={1}
        rowsRef={list}
        rows={[
          { key: 'total', cells: [<strong key="all">{t.total}</strong>, ...figureCells(totals)] },
          ...customers.slice(0, all ? undefined : SHOWN_CUSTOMERS).map(one => ({
            key: one.user._id,
            cells: [
              <TwoLines key="user" first={one.user.name} second={one.user.email} />,
              ...figureCells(one),
            ],
          })),
        ]}
      />
      {!all && customers.length > SHOWN_CUSTOMERS && (
        <div>
          <Button
            size="small"
            onClick={() => {
              focusNewRow()
              setAll(true)
            }}
          >
            {t.showAll(customers.length)}
          </Button>
        </div>
      )}
      {omittedCustomers > 0 && <p className={styles.quiet}>{t.more(omittedCustomers)}</p>}
      {isSample && <p className={styles.quiet}>{t.sample(IMPACT_LABELS)}</p>}
    </>
  )
}

/** Margins per range, of those with labels. */
function Steps({ service }: { service: ServiceImpact }) {
  const steps = service.steps.filter(({ labels }) => labels > 0)
  if (steps.length === 0) return null
  return (
    <details className={styles.more}>
      <summary>{t.steps(nameOf(service))}</summary>
      <Table
        title={t.steps(nameOf(service))}
        hideTitle
        heads={[t.range, t.labels, t.paysAfter, t.margin]}
        textColumns={1}
        rows={steps.map(({ fromOz, toOz, labels, after, margin }) => ({
          key: String(toOz),
          cells: [
            fromOz === 0
              ? t.upToFirst(weightText(toOz))
              : t.upTo(weightText(fromOz), weightText(toOz)),
            numberText(labels),
            usdFromDollars(after),
            margin === null ? t.unknown : moneyText(margin),
          ],
          isLoss: margin !== null && margin < 0,
        }))}
      />
    </details>
  )
}

type TableRow = { key: string; cells: ReactNode[]; isLoss?: boolean }

type TableProps = {
  title: string
  hideTitle?: boolean
  heads: readonly string[]
  /** The first so many columns are texts, the others figures. */
  textColumns: number
  rows: readonly TableRow[]
  rowsRef?: Ref<HTMLTableSectionElement>
}

/** On a phone each row is a block, whose cells name their column. */
function Table({ title, hideTitle, heads, textColumns, rows, rowsRef }: TableProps) {
  const alignOf = (at: number) => (at < textColumns ? undefined : 'end')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls sideways must be reached by keyboard
    <div className={styles.tableBox} role="region" aria-label={title} tabIndex={0}>
      <table className={styles.table}>
        <caption className={hideTitle ? 'visually-hidden' : undefined}>{title}</caption>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" data-align={alignOf(at)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={rowsRef}>
          {rows.map(({ key, cells, isLoss }) => (
            <tr key={key} data-tone={isLoss ? 'red' : undefined}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th key={heads[at]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={heads[at]} data-align={alignOf(at)} data-head={heads[at]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
