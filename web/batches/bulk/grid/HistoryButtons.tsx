import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { texts } from '#web/batches/bulk/texts.ts'
import { useIsNarrow } from '#web/batches/bulk/use-is-narrow.ts'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { gridTexts } from './texts.ts'
import type { BulkTableState } from './use-bulk-table.ts'

/** Undo and Redo by the names of the changes, where there is something to undo or redo. */
export function HistoryButtons({ table }: { table: BulkTableState }) {
  const narrow = useIsNarrow()
  const { undoName, redoName } = table
  const steps = [
    undoName !== null && {
      name: gridTexts.undo(undoName),
      text: texts.undo,
      icon: <IconArrowBackUp aria-hidden="true" />,
      onClick: table.undo,
    },
    redoName !== null && {
      name: gridTexts.redo(redoName),
      text: gridTexts.redoButton,
      icon: <IconArrowForwardUp aria-hidden="true" />,
      onClick: table.redo,
    },
  ].filter(step => step !== false)
  return steps.map(({ name, text, icon, onClick }) =>
    narrow ? (
      <IconButton key={text} name={name} onClick={onClick}>
        {icon}
      </IconButton>
    ) : (
      <Button
        key={text}
        kind="quiet"
        size="small"
        icon={icon}
        aria-label={name}
        title={name}
        onClick={onClick}
      >
        {text}
      </Button>
    ),
  )
}
