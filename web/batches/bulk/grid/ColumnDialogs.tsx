/** The dialogs of a column: filter it, set it, find and replace in it; and, on a phone, sort by it. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AvailableService } from '#contract/catalogue.ts'
import { cellError } from '#contract/row-rules.ts'
import { emptyRow } from '#contract/rows.ts'
import type { Field, RowField } from '#contract/rows.ts'
import { STATES } from '#contract/states.ts'
import { keyboardFor } from '#web/addresses/keyboard.ts'
import { CheckField, NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { splitSize, typedValue } from './cell-values.ts'
import { columnByKey, columnTitle, gridColumns } from './columns.ts'
import type { GridColumn } from './columns.ts'
import { CompareServices } from './CompareServices.tsx'
import { FormDialog } from './FormDialog.tsx'
import { OptionsDialog } from './OptionsDialog.tsx'
import type { ColumnKey } from './row-filter.ts'
import { replacerFor } from './row-operations.ts'
import type { CellValues, Replacement } from './row-operations.ts'
import { gridTexts } from './texts.ts'
import type { GridDialogState, GridModel } from './use-grid.ts'
import styles from './GridTools.module.css'

const t = gridTexts.dialogs

type DialogsProps = { grid: GridModel; services: readonly AvailableService[] }

export function ColumnDialogs({ grid, services }: DialogsProps) {
  const { dialog } = grid
  if (!dialog) return null
  return <OpenDialog key={dialog.kind} grid={grid} dialog={dialog} services={services} />
}

type OpenDialogProps = DialogsProps & { dialog: GridDialogState }

function OpenDialog({ grid, dialog, services }: OpenDialogProps) {
  const [key, setKey] = useState(dialog.column)
  const column = columnByKey(key)
  const close = () => {
    grid.openDialog(null)
    grid.table.refocus()
  }
  const choice = dialog.anyColumn && (
    <ColumnChoice
      columns={gridColumns(grid.table.draft.extra, grid.table.draft.files.length > 1).filter(one =>
        dialog.kind === 'sort' || dialog.kind === 'filter' ? true : one.fields.length > 0,
      )}
      value={key}
      onChange={setKey}
    />
  )
  const shared = { grid, dialog, column, services, choice, close }
  if (dialog.kind === 'compare')
    return <CompareServices grid={grid} chosen={dialog.rows} close={close} />
  if (dialog.kind === 'options')
    return <OptionsDialog grid={grid} chosen={dialog.rows} services={services} close={close} />
  if (dialog.kind === 'filter') return <FilterDialog key={key} {...shared} />
  if (dialog.kind === 'set') return <SetDialog key={key} {...shared} />
  if (dialog.kind === 'replace') return <ReplaceDialog {...shared} />
  return <SortDialog {...shared} />
}

type ColumnDialogProps = OpenDialogProps & {
  column: GridColumn
  /** The field that chooses the column, where it can be chosen. */
  choice: ReactNode
  close: () => void
}

function ColumnChoice({
  columns,
  value,
  onChange,
}: {
  columns: readonly GridColumn[]
  value: ColumnKey
  onChange: (key: ColumnKey) => void
}) {
  return (
    <NativeSelectField
      label={t.column}
      error={null}
      data-autofocus
      data={columns.map(column => ({ value: column.key, label: columnTitle(column) }))}
      value={value}
      onChange={event => onChange(event.currentTarget.value as ColumnKey)}
    />
  )
}

/** More values would be too many to choose from. */
const MAX_VALUES = 200

function FilterDialog({ grid, dialog, column, choice, close }: ColumnDialogProps) {
  const now = grid.columnFilter(column.key)
  const [value, setValue] = useState(now.startsWith('=') ? now : '')
  const [text, setText] = useState(now.startsWith('=') ? '' : now)
  const [values] = useState(() => {
    const counts = new Map<string, number>()
    for (const row of grid.rows) {
      const cell = grid.cellText(row, column.key)
      counts.set(cell, (counts.get(cell) ?? 0) + 1)
    }
    return [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_VALUES)
  })
  return (
    <FormDialog
      title={t.filterTitle(columnTitle(column))}
      action={t.apply}
      close={close}
      onSubmit={() => {
        grid.filterColumn(column.key, value === '' ? text.trim() : value)
        close()
      }}
    >
      {choice}
      <TextField
        label={t.contains}
        error={null}
        data-autofocus={!dialog.anyColumn || undefined}
        value={text}
        maxLength={200}
        onChange={event => {
          setText(event.currentTarget.value)
          setValue('')
        }}
      />
      <NativeSelectField
        label={t.value}
        error={null}
        data={[
          { value: '', label: t.anyValue },
          ...values.map(([cell, count]) => ({
            value: `=${cell}`,
            label: `${cell.slice(0, 80) || t.emptyValue} (${count})`,
          })),
        ]}
        value={value}
        onChange={event => setValue(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

/** Options of a field, or null for a text. */
function optionsOf({ kind }: Field, services: readonly AvailableService[]) {
  if (kind === 'state')
    return STATES.map(({ code, name }) => ({ value: code, label: `${code} ${name}` }))
  if (kind !== 'service') return null
  return services.map(({ name }) => ({ value: name, label: name }))
}

/** The sentence of a value that no row could have; an empty one is allowed. */
const valueError = (name: RowField, value: string): string | null => {
  const text = typedValue(name, value)
  return text === '' ? null : cellError(name, text, { ...emptyRow(), [name]: text }, {})
}

function SetDialog({ grid, dialog, column, services, choice, close }: ColumnDialogProps) {
  const { fields } = column
  const { rows } = dialog
  const first = fields.length === 1 ? optionsOf(fields[0]!, services)?.[0]?.value : undefined
  const [values, setValues] = useState<CellValues>({})
  const [tried, setTried] = useState(false)
  const all = rows.length === grid.rows.length
  const valueOf = (name: RowField) => values[name] ?? (fields.length === 1 ? (first ?? '') : '')
  const change = (name: RowField, text: string) => {
    const sides = column.key === 'size' ? splitSize(text) : null
    setValues(before =>
      sides
        ? Object.fromEntries(fields.map((field, at) => [field.name, sides[at]!]))
        : { ...before, [name]: text },
    )
  }
  const errors = fields.map(({ name }) => valueError(name, valueOf(name)))
  return (
    <FormDialog
      title={t.setTitle(columnTitle(column), all ? t.allRows : t.scope(rows.length))}
      action={t.set(rows.length)}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (errors.some(error => error !== null)) return
        grid.edits.setColumn(
          column,
          rows,
          Object.fromEntries(fields.map(({ name }) => [name, valueOf(name)])),
        )
        close()
      }}
    >
      {choice}
      {fields.map((field, at) => {
        const options = optionsOf(field, services)
        const shared = {
          label: field.label,
          name: field.name,
          error: tried ? errors[at] : null,
          value: valueOf(field.name),
          ...(at === 0 && !dialog.anyColumn && { 'data-autofocus': true }),
        }
        return options ? (
          <NativeSelectField
            key={field.name}
            {...shared}
            data={options}
            onChange={event => change(field.name, event.currentTarget.value)}
          />
        ) : (
          <TextField
            key={field.name}
            {...shared}
            autoComplete="off"
            {...keyboardFor(field.name)}
            onChange={event => change(field.name, event.currentTarget.value)}
          />
        )
      })}
    </FormDialog>
  )
}

/** Counting matches in more rows would slow down typing. */
const MAX_COUNTED_ROWS = 5000

function ReplaceDialog({ grid, dialog, column, choice, close }: ColumnDialogProps) {
  const [replacement, setReplacement] = useState<Replacement>({
    find: '',
    replace: '',
    matchCase: false,
    wholeCell: false,
  })
  const [tried, setTried] = useState(false)
  const change = (next: Partial<Replacement>) => setReplacement({ ...replacement, ...next })
  const { find } = replacement
  const matches =
    find !== '' && dialog.rows.length <= MAX_COUNTED_ROWS
      ? countMatches(grid, dialog.rows, column, replacement)
      : null
  return (
    <FormDialog
      title={t.replaceTitle(columnTitle(column))}
      action={t.replace}
      close={close}
      onSubmit={() => {
        setTried(true)
        if (find === '') return
        grid.edits.replace(column, dialog.rows, replacement)
        close()
      }}
    >
      {choice}
      <TextField
        label={t.find}
        error={tried && find === '' ? t.findMissing : null}
        data-autofocus={!dialog.anyColumn || undefined}
        value={find}
        maxLength={200}
        autoComplete="off"
        onChange={event => change({ find: event.currentTarget.value })}
      />
      <TextField
        label={t.replaceWith}
        error={null}
        value={replacement.replace}
        maxLength={200}
        autoComplete="off"
        onChange={event => change({ replace: event.currentTarget.value })}
      />
      <CheckField
        label={t.matchCase}
        checked={replacement.matchCase}
        onChange={event => change({ matchCase: event.currentTarget.checked })}
      />
      <CheckField
        label={t.wholeCell}
        checked={replacement.wholeCell}
        onChange={event => change({ wholeCell: event.currentTarget.checked })}
      />
      <p className={styles.matches} role="status">
        {matches === null ? '' : t.matches(matches)}
      </p>
    </FormDialog>
  )
}

/** Rows in which the column has a match. */
function countMatches(
  grid: GridModel,
  rows: readonly number[],
  { fields }: GridColumn,
  replacement: Replacement,
): number {
  const mark = replacerFor({ ...replacement, replace: `${replacement.find}.` })
  return grid.edits
    .rowsAt(rows)
    .filter(row => fields.some(({ name }) => mark(row[name]) !== row[name])).length
}

function SortDialog({ grid, column, choice, close }: ColumnDialogProps) {
  const [order, setOrder] = useState<'ascending' | 'descending'>('ascending')
  return (
    <FormDialog
      title={t.sortTitle}
      action={t.sort}
      close={close}
      onSubmit={() => {
        grid.sortBy({ column: column.key, descending: order === 'descending' })
        close()
      }}
    >
      {choice}
      <RadioGroup
        label={t.order}
        options={[
          { value: 'ascending', text: t.ascending },
          { value: 'descending', text: t.descending },
        ]}
        value={order}
        onChange={setOrder}
      />
    </FormDialog>
  )
}
