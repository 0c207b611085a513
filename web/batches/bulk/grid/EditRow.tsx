/** The grid row in edit mode: an input per cell, its error below. Enter saves, Escape cancels. */
import { IconX } from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import type { Field } from '#contract/rows.ts'
import { STATES } from '#contract/states.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { shownCell } from '#web/batches/grid-row.ts'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { focusFirstError } from '#web/ui/Form.tsx'
import { CellInput } from './CellInput.tsx'
import type { GridColumn } from './columns.ts'
import { HEAD_ROWS } from './RowView.tsx'
import type { RowEditing } from './use-row-editing.ts'
import styles from './Grid.module.css'

type EditRowProps = {
  editing: RowEditing
  index: number
  /** The row's place in the shown table. */
  place: number
  columns: readonly GridColumn[]
  services: readonly AvailableService[]
  /** The last row shows its errors above the inputs. */
  upwards: boolean
}

export function EditRow({ editing, index, place, columns, services, upwards }: EditRowProps) {
  const line = useRef<HTMLTableRowElement>(null)
  const { focus, edited, errors, change, leave } = editing
  useLayoutEffect(() => {
    const field = line.current?.querySelector<HTMLElement>(`[name="${focus}"]`)
    field?.focus({ preventScroll: true })
    field?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (field instanceof HTMLInputElement) field.select()
  }, [focus])

  const save = () => {
    if (!editing.save() && line.current) focusFirstError(line.current)
  }
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') editing.cancel()
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      save()
    }
  }
  return (
    <tr
      ref={line}
      aria-rowindex={place + 1 + HEAD_ROWS}
      className={styles.row}
      onKeyDown={handleKey}
      data-editing
      data-upwards={upwards || undefined}
    >
      <th scope="row" className={styles.number} aria-colindex={1}>
        <span className={styles.numberLine}>{index + 1}</span>
      </th>
      {columns.map((column, offset) => (
        <td
          key={column.key}
          className={offset === 0 ? styles.lead : styles.field}
          aria-colindex={offset + 2}
          data-group={column.group}
          data-figure={column.isFigure || undefined}
        >
          <span className={styles.inputs}>
            {column.fields.map(field => (
              <CellInput
                key={field.name}
                field={field}
                options={cellOptions(field, services)}
                value={shownCell(edited, field.name)}
                error={errors[field.name]}
                onChange={change}
                onLeave={leave}
              />
            ))}
          </span>
        </td>
      ))}
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the buttons in it are named */}
      <td className={styles.actions} aria-colindex={columns.length + 2} data-editing>
        <span className={styles.buttons}>
          <Button kind="ink" size="small" className={styles.tight} onClick={save}>
            {texts.save}
          </Button>
          <IconButton name={texts.cancel} outline onClick={editing.cancel}>
            <IconX aria-hidden="true" />
          </IconButton>
        </span>
      </td>
    </tr>
  )
}

function cellOptions({ kind }: Field, services: readonly AvailableService[]): string[] | null {
  if (kind === 'state') return STATES.map(state => state.code)
  return kind === 'service' ? services.map(service => service.name) : null
}
