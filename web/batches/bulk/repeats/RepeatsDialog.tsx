import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SeenBar } from './SeenBar.tsx'
import { useLeaveOut } from './use-leave-out.ts'
import type { SeenState } from './use-seen-before.ts'

type RepeatsDialogProps = {
  opened: boolean
  seen: SeenState
  table: BulkTableState
  /** Buys the rows again. */
  onKeep: () => void
  onClose: () => void
}

/** Asked on Submit, while it is open whether rows that have a label are bought again. */
export function RepeatsDialog({ opened, seen, table, onKeep, onClose }: RepeatsDialogProps) {
  const leaveOut = useLeaveOut(table, seen)
  return (
    <Dialog
      opened={opened && seen.seen !== null}
      onClose={onClose}
      title={texts.repeats.title}
      closeButton={false}
      actions={
        <Button data-autofocus onClick={onClose}>
          {texts.cancel}
        </Button>
      }
    >
      <p>{texts.repeats.text}</p>
      {seen.seen && (
        <SeenBar
          seen={seen.seen}
          rows={table.draft.rows}
          onLeaveOut={ids => {
            leaveOut(ids)
            onClose()
          }}
          onKeep={onKeep}
        />
      )}
    </Dialog>
  )
}
