/** One cell in edit mode. Enter, Tab and leaving it save; Escape restores it. */
import { IconX } from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'
import type { FocusEvent, KeyboardEvent } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { shownCell } from '#web/batches/grid-row.ts'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { CellInput } from './CellInput.tsx'
import { columnTitle } from './columns.ts'
import type { CellEditing, MoveAfterEdit } from './use-cell-editing.ts'
import styles from './Grid.module.css'

type CellEditorProps = { editing: CellEditing; services: readonly AvailableService[] }

const ARROWS: Record<string, MoveAfterEdit> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}
const NEXT_SIDE_KEYS = new Set(['x', 'X', '×', '*'])

export function CellEditor({ editing, services }: CellEditorProps) {
  const { column, typed, edited, errors, change, save, cancel } = editing
  const box = useRef<HTMLSpanElement>(null)
  /** Ending an edit removes the focused field, which is no reason to save it again. */
  const ended = useRef(false)
  const fields = () => [...(box.current?.querySelectorAll<HTMLElement>('input, select') ?? [])]

  useLayoutEffect(() => {
    const field = box.current?.querySelector<HTMLInputElement | HTMLSelectElement>('input, select')
    field?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (!(field instanceof HTMLInputElement)) return
    if (typed) field.setSelectionRange(field.value.length, field.value.length)
    else field.select()
  }, [typed])

  const end = (action: () => void) => {
    if (ended.current) return
    ended.current = true
    action()
  }
  const siblingField = (from: EventTarget, step: number): HTMLElement | undefined => {
    const all = fields()
    return all[all.indexOf(from as HTMLElement) + step]
  }
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    const { key, shiftKey, target } = event
    if (event.nativeEvent.isComposing) return
    const ctrl = event.ctrlKey || event.metaKey || event.altKey
    if (key === 'Escape') end(cancel)
    else if (key === 'Enter') end(() => save(typed ? (shiftKey ? 'up' : 'down') : 'stay'))
    else if (key === 'Tab') {
      if (siblingField(target, shiftKey ? -1 : 1)) return
      end(() => save(shiftKey ? 'left' : 'right'))
    } else if (!ctrl && NEXT_SIDE_KEYS.has(key) && column.key === 'size')
      siblingField(target, 1)?.focus()
    else if (typed && !ctrl && key in ARROWS && target instanceof HTMLInputElement)
      end(() => save(ARROWS[key]!))
    else return
    event.preventDefault()
  }
  const leave = (event: FocusEvent) => {
    if (!box.current?.contains(event.relatedTarget)) end(() => save(null))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its fields arrive here
    <span
      ref={box}
      role="group"
      aria-label={columnTitle(column)}
      className={styles.editor}
      data-size={column.key === 'size' || undefined}
      onKeyDown={handleKey}
      onBlur={leave}
    >
      {column.fields.map(field => (
        <CellInput
          key={field.name}
          field={field}
          options={field.kind === 'service' ? services.map(({ name }) => name) : null}
          value={shownCell(edited, field.name)}
          error={errors[field.name]}
          placeholder={column.key === 'size' ? field.label : undefined}
          onChange={change}
        />
      ))}
    </span>
  )
}

/** Save and Cancel in place of the row's buttons. A press leaves the focus in the editor. */
export function CellEditorButtons({ editing }: { editing: CellEditing }) {
  return (
    <span className={styles.buttons}>
      <Button
        kind="ink"
        size="small"
        className={styles.tight}
        onMouseDown={event => event.preventDefault()}
        onClick={() => editing.save('stay')}
      >
        {texts.save}
      </Button>
      <IconButton
        name={texts.cancel}
        outline
        onMouseDown={event => event.preventDefault()}
        onClick={editing.cancel}
      >
        <IconX aria-hidden="true" />
      </IconButton>
    </span>
  )
}
