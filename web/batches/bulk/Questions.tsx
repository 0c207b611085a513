/** What the bulk page asks before something is lost. */
import type { GridRow } from '#contract/rows.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { texts } from './texts.ts'
import type { Table } from './use-table.ts'
import type { Upload } from './use-upload.ts'

type QuestionsProps = {
  table: Table
  upload: Upload
  resetting: boolean
  onReset: () => void
  onKeep: () => void
}

export function Questions({ table, upload, resetting, onReset, onKeep }: QuestionsProps) {
  const {
    draft: { rows, lost },
    deleting,
  } = table
  return (
    <>
      <ConfirmDialog
        opened={deleting !== null}
        question={texts.askDelete}
        confirm={texts.remove}
        onConfirm={table.remove}
        onCancel={table.keepRow}
        thing={deleting && texts.thingDelete(nameOfRow(deleting, rows))}
      />
      <ConfirmDialog
        opened={resetting}
        question={texts.askReset}
        confirm={texts.reset}
        onConfirm={onReset}
        onCancel={onKeep}
        thing={lost ? texts.thingLost(rows.length) : texts.thingReset(rows.length)}
      />
      <ConfirmDialog
        opened={upload.waiting !== null}
        question={texts.askReplace}
        confirm={texts.replace}
        thing={lost ? texts.thingLost(rows.length) : texts.thingReplace(rows.length)}
        onConfirm={() => upload.answer(true)}
        onCancel={() => upload.answer(false)}
      />
    </>
  )
}

/** 'row 111-4820448', or 'row 17' where the file has no order ids. */
const nameOfRow = (row: GridRow, rows: readonly GridRow[]): string =>
  `row ${row.orderId || rows.indexOf(row) + 1}`
