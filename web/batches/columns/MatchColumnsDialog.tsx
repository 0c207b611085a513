import { memo, useCallback, useMemo, useState } from 'react'
import { unitsFor } from '#contract/imports.ts'
import type { ColumnMapping, ColumnUnit, MappedUse } from '#contract/imports.ts'
import { OPTION_FIELD_LABELS, OPTION_FIELDS } from '#contract/label-options.ts'
import { cellError } from '#contract/row-rules.ts'
import { emptyRow, fieldByName, tidyRow } from '#contract/rows.ts'
import type { FieldGroup, RowField } from '#contract/rows.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import {
  fieldsWithoutColumn,
  fieldTitle,
  findClash,
  firstMissing,
  MAPPED_FIELDS,
  mappingOf,
  suggestColumns,
} from './match-columns.ts'
import type { MappedColumn } from './match-columns.ts'
import { ServiceValues } from './ServiceValues.tsx'
import { texts } from './texts.ts'
import styles from './MatchColumns.module.css'

/**
 * Of an unknown file: its header row, up to three values of each column, the different ones where they
 * are few, and its fingerprint.
 */
type ColumnPreview = {
  headers: string[]
  samples: string[][]
  values: string[][]
  fingerprint: string
}

/** The visible sheets of a workbook, which of them is shown, and what to do for another one. */
type SheetChoice = { names: string[]; current: string; onChoose: (name: string) => void }

type MatchColumnsDialogProps = {
  /** Null closes the dialog. */
  preview: ColumnPreview | null
  fileName: string
  /** As the columns of a known or remembered file are read now; without it they are suggested. */
  current?: ColumnMapping | null
  /** Whether rows without a sender get a saved address. */
  hasSender: boolean
  /** For a workbook of several sheets. */
  sheets?: SheetChoice
  /**
   * `mapping` has a column or a constant for every required field. Not called where `current` is
   * unchanged: the dialog closes.
   */
  onUse: (mapping: ColumnMapping) => void
  onClose: () => void
}

/** Asks which column of a file is which field. */
export function MatchColumnsDialog(props: MatchColumnsDialogProps) {
  const { preview } = props
  const [last, setLast] = useState(preview)
  // The dialog fades with its last content.
  if (preview !== null && preview !== last) setLast(preview)
  const shown = preview ?? last
  if (!shown) return null
  return (
    <MatchColumns
      key={`${shown.fingerprint} ${props.sheets?.current ?? ''}`}
      {...props}
      opened={preview !== null}
      preview={shown}
    />
  )
}

type MatchColumnsProps = MatchColumnsDialogProps & { opened: boolean; preview: ColumnPreview }

type Problem = { at: RowField | number; text: string }

function MatchColumns(props: MatchColumnsProps) {
  const { opened, preview, fileName, current, hasSender, sheets, onUse, onClose } = props
  const names = useMemo(() => shownNames(preview.headers), [preview.headers])
  const [columns, setColumns] = useState(() => firstColumns(preview, current))
  const [constants, setConstants] = useState(current?.constants ?? {})
  const [problem, setProblem] = useState<Problem | null>(null)
  const missing = fieldsWithoutColumn(columns, hasSender)
  const order = useState(() => unmatchedFirst(columns))[0]

  const change = useCallback((at: number, use: MappedUse, unit?: ColumnUnit) => {
    setProblem(null)
    setColumns(before => before.with(at, { header: before[at]!.header, use, unit }))
  }, [])
  const changeValues = useCallback((at: number, values: Record<string, string>) => {
    setColumns(before => before.with(at, { ...before[at]!, values }))
  }, [])
  const submit = () => {
    const mapping = mappingOf(columns, constants, hasSender)
    if (
      current
      && isSame(mapping, mappingOf(firstColumns(preview, current), current.constants, hasSender))
    )
      return onClose()
    const found = problemOf(mapping, names, hasSender)
    setProblem(found)
    if (!found) onUse(mapping)
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <p className={styles.intro}>{texts.intro(fileName, preview.headers.length)}</p>
      {sheets && sheets.names.length > 1 && (
        <NativeSelectField
          label={texts.sheet}
          error={null}
          data={sheets.names}
          value={sheets.current}
          onChange={event => sheets.onChoose(event.currentTarget.value)}
        />
      )}
      <Form className={styles.form} onSubmit={submit}>
        {missing.length > 0 && (
          <fieldset className={styles.missing}>
            <legend>{texts.missingTitle}</legend>
            <p>{texts.missingHint}</p>
            <div className={styles.constants}>
              {missing.map((name, index) => (
                <ConstantField
                  key={name}
                  isFirst={index === 0}
                  name={name}
                  value={constants[name] ?? ''}
                  error={problem?.at === name ? problem.text : null}
                  onChange={value => {
                    setProblem(null)
                    setConstants(before => ({ ...before, [name]: value }))
                  }}
                />
              ))}
            </div>
          </fieldset>
        )}
        <ul className={styles.columns} aria-label={texts.columnsTitle}>
          {order.map((at, place) => (
            <ColumnLine
              key={at}
              at={at}
              column={columns[at]!}
              name={names[at]!}
              samples={preview.samples[at] ?? NO_SAMPLES}
              values={preview.values[at] ?? NO_SAMPLES}
              isFirst={place === 0 && missing.length === 0}
              error={problem?.at === at ? problem.text : null}
              onChange={change}
              onValues={changeValues}
            />
          ))}
        </ul>
        <div className={styles.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="ink" type="submit">
            {texts.use}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** Columns that nothing is known of stand first; none moves while they are matched. */
function unmatchedFirst(columns: readonly MappedColumn[]): number[] {
  const isUnused = (at: number) => columns[at]!.use === 'unused'
  const all = columns.map((_, at) => at)
  return [...all.filter(isUnused), ...all.filter(at => !isUnused(at))]
}

const isSame = (a: ColumnMapping, b: ColumnMapping): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

const NO_SAMPLES: string[] = []

function firstColumns(
  { headers, samples }: ColumnPreview,
  current: ColumnMapping | null | undefined,
): MappedColumn[] {
  if (!current) return suggestColumns(headers, samples)
  return headers.map((header, at) => ({ use: 'unused', ...current.columns[at], header }))
}

/** The file's names of its columns, each of them once, so that no two fields have one name. */
function shownNames(headers: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return headers.map((header, at) => {
    const name = header.trim() || texts.unnamed(at + 1)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : texts.repeated(name, count)
  })
}

function problemOf(
  mapping: ColumnMapping,
  names: readonly string[],
  hasSender: boolean,
): Problem | null {
  const field = firstMissing(mapping, hasSender)
  if (field) return { at: field.name, text: texts.fieldMissing(fieldTitle(field)) }
  for (const [key, value] of Object.entries(mapping.constants)) {
    const name = key as RowField
    const row = tidyRow({ ...emptyRow(), [name]: value })
    const error = cellError(name, row[name], row)
    if (error !== null) return { at: name, text: `${error}.` }
  }
  const clash = findClash(mapping.columns)
  if (!clash) return null
  const [first, second] = clash
  return {
    at: second,
    text: texts.alreadyUsed(names[first]!, useTitle(mapping.columns[first]!.use)),
  }
}

const useTitle = (use: MappedUse): string => {
  if (use === 'unused') return texts.notUsed
  if (use === 'FirstName') return texts.firstName
  if (use === 'ServiceName') return texts.service
  if (use === 'WeightUnit') return texts.weightUnit
  if (use === 'SizeUnit') return texts.sizeUnit
  if (use === 'signature' || use === 'saturday') return OPTION_FIELD_LABELS[use]
  return use === 'LastName' ? texts.lastName : fieldTitle(fieldByName(use))
}

/** With the unit of a measure: 'Length (in)'. */
function constantTitle(name: RowField): string {
  const [unit] = unitsFor(name)
  const title = fieldTitle(fieldByName(name))
  return unit ? texts.inUnit(title, unit) : title
}

function ConstantField({
  name,
  value,
  error,
  isFirst,
  onChange,
}: {
  name: RowField
  value: string
  error: string | null
  isFirst: boolean
  onChange: (value: string) => void
}) {
  return (
    <TextField
      className={unitsFor(name).length > 0 ? styles.measure : styles.constant}
      label={constantTitle(name)}
      aria-label={texts.forAllRows(constantTitle(name))}
      error={error}
      value={value}
      autoComplete="off"
      data-autofocus={isFirst || undefined}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

const GROUPS: readonly FieldGroup[] = ['To', 'Package', 'Order', 'From']
/** The same elements for all columns: 200 lists of 30 options are built once. */
const OPTIONS = (
  <>
    <option value="unused">{texts.notUsed}</option>
    {GROUPS.map(group => (
      <optgroup key={group} label={texts.group[group]}>
        {MAPPED_FIELDS.filter(field => field.group === group).map(field => (
          <option key={field.name} value={field.name}>
            {fieldTitle(field)}
          </option>
        ))}
      </optgroup>
    ))}
    <optgroup label={texts.partsOfName}>
      <option value="FirstName">{texts.firstName}</option>
      <option value="LastName">{texts.lastName}</option>
    </optgroup>
    <optgroup label={texts.service}>
      <option value="ServiceName">{texts.service}</option>
    </optgroup>
    <optgroup label={texts.options}>
      {OPTION_FIELDS.map(name => (
        <option key={name} value={name}>
          {OPTION_FIELD_LABELS[name]}
        </option>
      ))}
    </optgroup>
    <optgroup label={texts.units}>
      <option value="WeightUnit">{texts.weightUnit}</option>
      <option value="SizeUnit">{texts.sizeUnit}</option>
    </optgroup>
  </>
)

type ColumnLineProps = {
  at: number
  column: MappedColumn
  name: string
  samples: readonly string[]
  values: readonly string[]
  error: string | null
  isFirst: boolean
  onChange: (at: number, use: MappedUse, unit?: ColumnUnit) => void
  onValues: (at: number, values: Record<string, string>) => void
}

const ColumnLine = memo(function ColumnLine(props: ColumnLineProps) {
  const { at, column, name, samples, values, error, isFirst, onChange, onValues } = props
  const units = unitsFor(column.use)
  return (
    <li className={styles.column} data-unused={column.use === 'unused' || undefined}>
      <NativeSelectField
        systemList
        className={styles.use}
        label={name}
        description={samples.length === 0 ? texts.noSamples : samples.map(texts.sample).join(' · ')}
        error={error}
        data-autofocus={isFirst || undefined}
        value={column.use}
        onChange={event => onChange(at, event.currentTarget.value as MappedUse)}
      >
        {OPTIONS}
      </NativeSelectField>
      {units.length > 0 && (
        <NativeSelectField
          className={styles.unit}
          label={texts.unitOf(name)}
          hideLabel
          error={null}
          data={[...units]}
          value={column.unit ?? units[0]}
          onChange={event => onChange(at, column.use, event.currentTarget.value as ColumnUnit)}
        />
      )}
      {column.use === 'ServiceName' && (
        <ServiceValues
          values={values}
          chosen={column.values}
          onChange={chosen => onValues(at, chosen)}
        />
      )}
    </li>
  )
})
