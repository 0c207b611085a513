/** The bulk page once its table is known: tools, warning, rows, footer, and the questions in between. */
import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { DragEvent } from 'react'
import { rowMessage, SERVICE_MISSING, uploadWarning } from '#contract/row-rules.ts'
import type { Field, GridRow } from '#contract/rows.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { Empty } from '#web/ui/ListTable.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { usePhone } from '#web/ui/use-phone.ts'
import styles from './Bulk.module.css'
import { Cards } from './Cards.tsx'
import { withService } from './draft.ts'
import { EditSheet } from './EditSheet.tsx'
import { ErrorsDialog } from './ErrorsDialog.tsx'
import { Footer } from './Footer.tsx'
import { Grid } from './Grid.tsx'
import { invalidPlaces, judgeOf } from './judge.ts'
import type { Judge } from './judge.ts'
import { chooseService, clearTable, useBulk } from './store.ts'
import { submitTable } from './submit.ts'
import { texts } from './texts.ts'
import { FileNotices, Tools, UploadProblem } from './Tools.tsx'
import { useFailedRows } from './use-failed.ts'
import { usePrice } from './use-price.ts'
import { useTable } from './use-table.ts'
import { addressesQuery, useUpload } from './use-upload.ts'

export function BulkTable({ userId }: { userId: string }) {
  const phone = usePhone()
  const table = useTable(userId)
  const { draft, services, judge, invalid, columns, editing, active } = table
  const { rows } = draft
  const addresses = useQuery(addressesQuery(userId))
  const [senderId, setSenderId] = useState<string | null>(null)
  const upload = useUpload(userId, senderId)
  const failedProblem = useFailedRows(userId, upload.offer)
  const price = usePrice(userId, rows)
  const { submitting, trouble, refused, history } = useBulk()
  const [over, setOver] = useState(false)
  const [asking, setAsking] = useState<'errors' | 'reset' | null>(null)

  const submit = async () => {
    if (submitting) return
    // A missing service counts now, though the table did not speak of it before.
    const wrong = invalidPlaces(rows, judgeOf(services.data, true, refused))
    table.ask()
    if (wrong.length > 0) return setAsking('errors')
    if (await submitTable() === 'invalid') setAsking('errors')
  }
  const reset = () => {
    clearTable()
    setAsking(null)
    toastSuccess(texts.wasReset)
  }
  const fix = () => {
    setAsking(null)
    // The dialog gives the focus back first.
    setTimeout(() => table.goToError(null))
  }
  // Wherever a file is dropped it is meant for the table; the browser would leave the page for it.
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(event.type === 'dragover')
    if (event.type === 'drop') void upload.take([...event.dataTransfer.files])
  }
  const serviceError = table.asked && draft.service === '' && rows.some(row => row.ServiceName === '') ? SERVICE_MISSING : null
  const dataFailed = addresses.isError || table.skuRecords.isError
  const again = () => void Promise.all([services.refetch(), addresses.refetch(), table.skuRecords.refetch()])
  const tryAgain = <button type="button" className={styles.again} onClick={again}>{texts.tryAgain}</button>

  return (
    <div className={styles.page} onDragOver={drag} onDragLeave={drag} onDrop={drag}>
      <Tools services={services.data} service={draft.service} serviceError={serviceError} onService={name => chooseService(withService(draft, name))}
        addresses={addresses.data?.savedAddress} senderId={senderId} onSender={setSenderId} upload={upload} over={over} />
      {services.isError && <Notice tone="red" action={tryAgain}>{texts.servicesFailed}</Notice>}
      {dataFailed && <Notice tone="red" action={tryAgain}>{texts.dataFailed}</Notice>}
      <UploadProblem upload={upload} />
      {failedProblem && <Notice tone="red">{failedProblem}</Notice>}
      {invalid.length > 0 && (
        <Notice tone="yellow" action={<button type="button" className={styles.again} onClick={() => table.goToError(active.turn === 0 ? null : active)}>{texts.nextError}</button>}>
          {uploadWarning(invalid.length)}
        </Notice>
      )}
      <FileNotices notices={draft.notices} rows={rows} />

      <section className={styles.items} aria-labelledby="bulk-items" inert={submitting}>
        <div className={styles.head}>
          <h2 id="bulk-items">{texts.title}</h2>
          {rows.length > 0 && <p>{texts.rowsHint(rows.length)}</p>}
          {history.length > 0 && <Button kind="quiet" size="small" icon={<IconArrowBackUp />} onClick={table.takeBack}>{texts.undo}</Button>}
          {rows.length > 0 && <Button size="small" onClick={() => setAsking('reset')}>{texts.reset}</Button>}
        </div>
        {rows.length === 0
          ? <Empty title={texts.empty.title} text={texts.empty.text} />
          : phone
            ? <Cards rows={rows} judge={judge} goTo={active} onEdit={place => table.edit({ row: place, column: -1 })} onDelete={table.askDelete} />
            : <>
                <Grid rows={rows} invalid={invalid} columns={columns} judge={judge} services={services.data ?? []} editing={editing} active={active}
                  onActive={(cell, focus) => focus ? table.moveTo(cell) : table.follow(cell)} onEdit={table.edit} onDelete={table.askDelete}
                  onPaste={table.paste} onUndo={table.takeBack} />
                <StatusLine row={rows[active.row]} place={active.row} field={columns[active.column]} judge={judge} />
              </>}
      </section>
      <Footer count={rows.length} price={price} submitting={submitting} trouble={trouble} onSubmit={() => void submit()}
        closed={rows.length === 0 ? texts.nothingToSubmit : editing ? texts.finishEditing : null} />

      {phone && editing && (
        <EditSheet editing={editing} place={rows.findIndex(row => row.id === editing.id)} columns={columns} services={services.data ?? []} />
      )}
      <ErrorsDialog opened={asking === 'errors'} rows={rows} invalid={invalid} judge={judge} onClose={() => setAsking(null)} onFix={fix} />
      <ConfirmDialog opened={table.deleting !== null} question={texts.askDelete} thing={table.deleting && texts.thingDelete(nameOfRow(table.deleting, rows))}
        confirm={texts.remove} onConfirm={table.remove} onCancel={table.keepRow} />
      <ConfirmDialog opened={asking === 'reset'} question={texts.askReset} confirm={texts.reset} onConfirm={reset} onCancel={() => setAsking(null)}
        thing={draft.lost ? texts.thingResetLost(rows.length) : texts.thingReset(rows.length)} />
      <ConfirmDialog opened={upload.waiting !== null} question={texts.askReplace} confirm={texts.replace}
        thing={draft.lost ? texts.thingResetLost(rows.length) : texts.thingReplace(rows.length)}
        onConfirm={() => upload.answer(true)} onCancel={() => upload.answer(false)} />
    </div>
  )
}

type StatusLineProps = { row: GridRow | undefined, place: number, field: Field | undefined, judge: Judge }

/** What there is to say about the cell where one is, in full; else which keys there are. A narrow column shows only a beginning. */
function StatusLine({ row, place, field, judge }: StatusLineProps) {
  const error = row && field && judge(row)[field.name]
  const text = error ? rowMessage(field.name, error) : row?.notices.join(' ')
  return <p className={styles.status} data-wrong={error ? true : undefined}>{text ? `${texts.rowName(place)}: ${text}` : texts.keysHint}</p>
}

/** 'row 111-4820448', or 'row 17' where the file has no order ids. */
const nameOfRow = (row: GridRow, rows: readonly GridRow[]): string => `row ${row.orderId || rows.indexOf(row) + 1}`
