/** What the books say of each calendar month, on the page and as a file. */
import { IconDownload } from '@tabler/icons-react'
import type { BooksMonth } from '#contract/admin.ts'
import { countText } from '#contract/format.ts'
import { saveTextFile } from '#web/client/save-file.ts'
import { Button } from '#web/ui/Button.tsx'
import { monthText } from '#web/ui/date-text.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { Money, TwoLines } from '#web/ui/Value.tsx'
import { BOOKS_AMOUNTS, booksCsv } from './books-csv.ts'
import { texts } from './texts.ts'
import { useBooks } from './use-dashboard.ts'
import styles from './AdminDashboard.module.css'

const t = texts.months
const PAGE_SIZE = 6

export function BooksMonths() {
  const { data, isError, isFetching, refetch } = useBooks()
  const months = data?.months
  const paging = usePaging({ total: months?.length, size: PAGE_SIZE, param: 'months' })
  return (
    <ListTable
      title={t.title}
      note={t.note}
      columns={columnsFor(months?.[0])}
      rows={rowsOfPage(months, paging)}
      rowKey={({ from }) => from}
      paging={paging}
      empty={{ title: t.none, text: t.noneText }}
      action={
        months && months.length > 0 ? (
          <Button
            size="small"
            icon={<IconDownload />}
            onClick={() => saveTextFile(t.fileName, booksCsv(months))}
          >
            {t.file}
          </Button>
        ) : undefined
      }
      errorNotice={
        isError && !data ? (
          <LoadErrorNotice retrying={isFetching} onRetry={() => void refetch()}>
            {t.failed}
          </LoadErrorNotice>
        ) : undefined
      }
      card={month => ({
        title: nameOf(month),
        details: [labelsOf(month, month === months?.[0])],
        middle: [<Amounts key="amounts" of={month} />],
      })}
    />
  )
}

/** A day in the middle has the month of UTC in every time zone. */
const nameOf = ({ from }: BooksMonth): string => monthText(`${from.slice(0, 7)}-15`)

const labelsOf = ({ labels }: BooksMonth, isNewest: boolean): string =>
  `${countText(labels, 'label')}${isNewest ? ` ${t.soFar}` : ''}`

const Amounts = ({ of: month }: { of: BooksMonth }) => (
  <dl className={styles.amounts}>
    {BOOKS_AMOUNTS.map(name => (
      <div key={name}>
        <dt>{t[name]}</dt>
        <dd>
          <Money dollars={month[name]} />
        </dd>
      </div>
    ))}
  </dl>
)

/** `newest`: the month that is not over. */
const columnsFor = (newest: BooksMonth | undefined): Column<BooksMonth>[] => [
  {
    head: t.month,
    cell: month => <TwoLines first={nameOf(month)} second={labelsOf(month, month === newest)} />,
  },
  ...BOOKS_AMOUNTS.map((name): Column<BooksMonth> => ({
    head: t[name],
    align: 'end',
    cell: month => <Money dollars={month[name]} />,
  })),
]
