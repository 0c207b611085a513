/** Edits a row on a phone: all fields in one column. */
import type { ClipboardEvent } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import type { Field } from '#contract/rows.ts'
import { keyboardFor } from '#web/addresses/keyboard.ts'
import { STATE_OPTIONS } from '#web/addresses/StateField.tsx'
import { texts } from '#web/batches/bulk/texts.ts'
import { shownCell } from '#web/batches/grid-row.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { Button } from '#web/ui/Button.tsx'
import { SidePanel } from '#web/ui/Dialog.tsx'
import { NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { columnsFrom, isBlock } from './paste.ts'
import type { ColumnKey } from './row-filter.ts'
import { gridTexts } from './texts.ts'
import type { RowEditing } from './use-row-editing.ts'
import styles from './RowCards.module.css'

type EditSheetProps = {
  editing: RowEditing
  index: number
  columns: readonly Field[]
  services: readonly AvailableService[]
  /** Pastes a block of cells from a field on; `keys` are the columns it fills. */
  onPasteCells: (edited: GridRow, keys: ColumnKey[], text: string) => void
}

export function EditSheet({ editing, index, columns, services, onPasteCells }: EditSheetProps) {
  const groups = Map.groupBy(columns, ({ group }) => group)
  const paste = (event: ClipboardEvent) => {
    const { target } = event
    const text = event.clipboardData.getData('text/plain')
    const html = event.clipboardData.getData('text/html')
    if (!(target instanceof HTMLInputElement) || !isBlock(text, html)) return
    event.preventDefault()
    const names = [...groups.values()].flat().map(({ name }) => name)
    const first = names.find(name => name === target.name)
    if (!first) return
    editing.cancel()
    onPasteCells(editing.edited, columnsFrom(names, first), text)
  }
  return (
    <SidePanel opened onClose={editing.cancel} title={texts.editSheet(index)}>
      <Form
        className={styles.form}
        onSubmit={() => void editing.save()}
        onPaste={paste}
        onFocus={event => event.target.scrollIntoView({ block: 'nearest' })}
      >
        <p className={styles.hint}>{gridTexts.sheetHint}</p>
        {Array.from(groups, ([group, fields]) => (
          <fieldset key={group} className={styles.group}>
            <legend>{group}</legend>
            {fields.map(field => (
              <SheetField key={field.name} field={field} editing={editing} services={services} />
            ))}
          </fieldset>
        ))}
        <div className={styles.actions}>
          <Button size="large" wide onClick={editing.cancel}>
            {texts.cancel}
          </Button>
          <Button kind="ink" size="large" wide type="submit">
            {texts.save}
          </Button>
        </div>
      </Form>
    </SidePanel>
  )
}

function SheetField({
  field,
  editing,
  services,
}: {
  field: Field
  editing: RowEditing
  services: readonly AvailableService[]
}) {
  const { name, kind, label, required } = field
  const value = shownCell(editing.edited, name)
  const shared = {
    label,
    error: editing.errors[name],
    required,
    name,
    ...(name === editing.focus && { 'data-autofocus': true }),
  }
  if (kind === 'state' || kind === 'service') {
    const options =
      kind === 'state'
        ? STATE_OPTIONS
        : services.map(service => ({ value: service.name, label: service.name }))
    const known = options.some(option => option.value === value)
    return (
      <NativeSelectField
        {...shared}
        data={known ? options : [{ value, label: value || '–' }, ...options]}
        value={value}
        onChange={event => editing.change(name, event.currentTarget.value)}
      />
    )
  }
  return (
    <TextField
      {...shared}
      value={value}
      autoComplete="off"
      {...keyboardFor(name)}
      onChange={event => editing.change(name, event.currentTarget.value)}
      onBlur={() => editing.leave(name)}
    />
  )
}
