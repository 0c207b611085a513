/** The card 'Bulk Order Items': its rows as a grid, on phones as cards, and the line that says what is wrong where one is. */
import { IconArrowBackUp } from '@tabler/icons-react'
import { rowMessage } from '#contract/row-rules.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/ListTable.tsx'
import { usePhone } from '#web/ui/use-phone.ts'
import { Cards } from './Cards.tsx'
import { EditSheet } from './EditSheet.tsx'
import { Grid } from './Grid.tsx'
import { useBulk } from './store.ts'
import { texts } from './texts.ts'
import type { Table } from './use-table.ts'
import styles from './Bulk.module.css'

/** `closed`: the rows are on their way to the server and may not be changed. */
type ItemsProps = { table: Table; closed: boolean; onReset: () => void }

export function Items({ table, closed, onReset }: ItemsProps) {
  const { rows } = table.draft
  const canUndo = useBulk(bulk => bulk.history.length > 0)
  return (
    <section className={styles.items} aria-labelledby="bulk-items" inert={closed}>
      <div className={styles.head}>
        <h2 id="bulk-items">{texts.title}</h2>
        {rows.length > 0 && <p>{texts.rowsHint(rows.length)}</p>}
        {canUndo && (
          <Button kind="quiet" size="small" icon={<IconArrowBackUp />} onClick={table.takeBack}>
            {texts.undo}
          </Button>
        )}
        {rows.length > 0 && (
          <Button size="small" onClick={onReset}>
            {texts.reset}
          </Button>
        )}
      </div>
      {rows.length > 0 ? (
        <Rows table={table} />
      ) : (
        <Empty title={texts.empty.title} text={texts.empty.text} />
      )}
    </section>
  )
}

const NO_SERVICES: never[] = []

function Rows({ table }: { table: Table }) {
  const phone = usePhone()
  const {
    draft: { rows },
    columns,
    judge,
    invalid,
    editing,
    active,
  } = table
  const services = table.services.data ?? NO_SERVICES
  if (!phone) {
    return (
      <>
        <Grid
          rows={rows}
          invalid={invalid}
          columns={columns}
          judge={judge}
          services={services}
          editing={editing}
          active={active}
          onActive={(cell, focus) => (focus ? table.moveTo(cell) : table.follow(cell))}
          onEdit={table.edit}
          onDelete={table.askDelete}
          onPaste={table.paste}
          onUndo={table.takeBack}
        />
        <StatusLine table={table} />
      </>
    )
  }
  return (
    <>
      <Cards
        rows={rows}
        judge={judge}
        goTo={active}
        onEdit={place => table.edit({ row: place, column: -1 })}
        onDelete={table.askDelete}
      />
      {editing && (
        <EditSheet
          editing={editing}
          place={rows.findIndex(row => row.id === editing.id)}
          columns={columns}
          services={services}
        />
      )}
    </>
  )
}

/** What there is to say about the cell where one is, in full; else which keys there are. A narrow column shows only a beginning. */
function StatusLine({ table: { draft, columns, judge, active } }: { table: Table }) {
  const row = draft.rows[active.row]
  const field = columns[active.column]
  const error = row && field && judge(row)[field.name]
  const text = error ? rowMessage(field.name, error) : row?.notices.join(' ')
  return (
    <p className={styles.status} data-wrong={error ? true : undefined}>
      {text ? `${texts.rowName(active.row)}: ${text}` : texts.keysHint}
    </p>
  )
}
