/** Every movement of the balance, newest first, with why it moved, what it was about and what was there after it. */
import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { statement, statementCsv } from '#contract/ledger.ts'
import type { StatementEntry } from '#contract/ledger.ts'
import { usdFromDollars } from '#contract/money.ts'
import { movementText, STATEMENT_FILTERS } from '#contract/statement.ts'
import type { StatementFilter } from '#contract/statement.ts'
import { keys } from '#web/client/keys.ts'
import { addressOf, send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useServerList } from '#web/client/use-server-list.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Ticket } from '#web/ui/Card.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { PickField } from '#web/ui/Field.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { DateTime, Money } from '#web/ui/Value.tsx'
import styles from './Statement.module.css'
import { texts } from './texts.ts'

const ROWS = 25

export function StatementPage() {
  const { _id: userId, balance } = useUser()
  const { filter, setFilter } = useFilter()
  // Labels may have been bought since the balance was last asked for.
  useEffect(() => void refreshUser(), [])
  const { rows, total, paging, failed, again } = useServerList<StatementEntry>({
    size: ROWS,
    // With the balance as it is known: when it has moved, so has the statement.
    queryKey: page => keys.statement(userId, page, filter, balance),
    load: async (page, signal) => {
      const { entries, totalCount } = await send(statement, { params: { userId }, query: { page, limit: ROWS, filter } }, { signal })
      return { rows: entries, total: totalCount }
    },
  })
  const empty = filter === 'all'
    ? { title: texts.none, text: texts.noneText, action: <ButtonLink to="/main/deposit">{texts.topUp}</ButtonLink> }
    : { title: texts.noneOfKind, text: texts.noneOfKindText, action: <Button onClick={() => setFilter('all')}>{texts.showAll}</Button> }
  return (
    <div className={styles.page}>
      <Ticket className={styles.ticket}>
        <div>
          <h2 className={styles.name}>{texts.balance}</h2>
          <p className={styles.balance}>{usdFromDollars(balance)}</p>
        </div>
        <p className={styles.how}>{texts.how}</p>
        <div className={styles.acts}>
          <ButtonLink href={addressOf(statementCsv, { params: { userId } })} target="_blank" icon={<IconDownload aria-hidden="true" />}>
            {texts.file}
          </ButtonLink>
          <ButtonLink kind="ink" to="/main/deposit">{texts.topUp}</ButtonLink>
        </div>
      </Ticket>
      <ListTable title={texts.title} columns={COLUMNS} rows={rows} rowKey={keyOf} paging={paging} lines={1} loadingText={texts.loading}
        empty={empty}
        action={<Filter filter={filter} onFilter={setFilter} found={total === undefined ? '' : texts.found(total)} />}
        failed={failed && (
          <Notice tone="red" action={<Button size="small" onClick={again}>{texts.tryAgain}</Button>}>{texts.failed}</Notice>
        )}
        card={entry => ({
          title: movementText(entry),
          details: [...(entry.note ? [entry.note] : []), <About key="about" entry={entry} />, <DateTime key="at" at={entry.at} />],
          aside: [<Amount key="amount" entry={entry} />, <span key="after">{texts.after(usdFromDollars(entry.balance))}</span>],
        })} />
    </div>
  )
}

const isFilter = (word: string | null): word is StatementFilter => (STATEMENT_FILTERS as readonly (string | null)[]).includes(word)

/** What is shown, held by the URL (`?show=hold`), so that Back and reload find it again. */
function useFilter(): { filter: StatementFilter, setFilter: (filter: StatementFilter) => void } {
  const [params, setParams] = useSearchParams()
  const word = params.get('show')
  const setFilter = (filter: StatementFilter) =>
    setParams(filter === 'all' ? {} : { show: filter }, { replace: true, preventScrollReset: true })
  return { filter: isFilter(word) ? word : 'all', setFilter }
}

type FilterProps = { filter: StatementFilter, onFilter: (filter: StatementFilter) => void, found: string }

/** `found` is said to those who listen. */
function Filter({ filter, onFilter, found }: FilterProps) {
  return (
    <>
      <PickField label={texts.filter} hideLabel error={null} value={filter}
        data={STATEMENT_FILTERS.map(value => ({ value, label: texts.filters[value] }))}
        onChange={event => onFilter(event.currentTarget.value as StatementFilter)} />
      <span className="visually-hidden" role="status">{filter === 'all' ? '' : found}</span>
    </>
  )
}

/** Entries have no number of their own; what they record happens once. */
const keyOf = ({ kind, at, orderId, batchId, invoiceId, round, balance }: StatementEntry): string =>
  [kind, at, orderId, batchId, invoiceId, round, balance].join()

const Amount = ({ entry }: { entry: StatementEntry }) => <Money signed dollars={entry.amount} className={styles.amount} />

function Reason({ entry }: { entry: StatementEntry }) {
  return <span className={styles.reason}>{movementText(entry)}{entry.note && <span className={styles.note}>{entry.note}</span>}</span>
}

/** Ways to the label, the bulk order or the deposit that moved the money. */
function About({ entry: { orderId, batchId, invoiceId } }: { entry: StatementEntry }) {
  return (
    <span className={styles.about}>
      {orderId && <Link to={`/main/orders?search=${orderId}`}>{texts.label(orderId)}</Link>}
      {batchId && <Link to="/main/batch-orders">{texts.batch(batchId)}</Link>}
      {invoiceId && <Link to="/main/deposit">{texts.invoice(invoiceId)}</Link>}
    </span>
  )
}

const COLUMNS: Column<StatementEntry>[] = [
  { head: texts.columns.at, cell: ({ at }) => <DateTime at={at} /> },
  { head: texts.columns.reason, cell: entry => <Reason entry={entry} /> },
  { head: texts.columns.about, cell: entry => <About entry={entry} /> },
  { head: texts.columns.amount, cell: entry => <Amount entry={entry} />, align: 'end' },
  { head: texts.columns.balance, cell: ({ balance }) => <Money dollars={balance} />, align: 'end' },
]
