import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { unitsFor } from '#contract/imports.ts'
import type { ColumnMapping, ColumnUnit, MappedUse } from '#contract/imports.ts'
import { OPTION_FIELD_LABELS } from '#contract/label-options.ts'
import { cellError } from '#contract/row-rules.ts'
import { emptyRow, fieldByName, tidyRow } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import type { SourceId } from '#contract/sources.ts'
import { keyboardFor } from '#web/addresses/keyboard.ts'
import type { AlsoRead } from '#web/batches/import/import-file.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ColumnLine } from './ColumnLine.tsx'
import { FirstRow } from './FirstRow.tsx'
import {
  fieldsWithoutColumn,
  fieldTitle,
  findClash,
  firstMissing,
  isStillRead,
  mappingOf,
  proposeColumn,
  suggestColumns,
} from './match-columns.ts'
import type { MappedColumn } from './match-columns.ts'
import { texts } from './texts.ts'
import styles from './MatchColumns.module.css'

/**
 * Of an unknown file: its header row, up to three values of each column, the different ones where they
 * are few, its first row, and its fingerprint.
 */
type ColumnPreview = {
  headers: string[]
  samples: string[][]
  values: string[][]
  first: string[]
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
  /** The source of the file, and the columns that it also reads. */
  source?: { id: SourceId; alsoRead: readonly AlsoRead[] }
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
  const [{ start, open, matched, suggested }] = useState(() => startOf(props))
  const [columns, setColumns] = useState(start)
  const [constants, setConstants] = useState(current?.constants ?? {})
  const [problem, setProblem] = useState<Problem | null>(null)
  const missing = fieldsWithoutColumn(columns, hasSender)
  const [isMatchedOpen, setMatchedOpen] = useState(Boolean(current))
  const proposal = proposeColumn(columns, preview.samples, missing)
  const ofReceiver = missing.filter(name => fieldByName(name).group === 'To')
  const ofAll = missing.filter(name => !ofReceiver.includes(name))
  const [isReceiverOpen, setReceiverOpen] = useState(
    open.length === 0 || ofReceiver.some(name => current?.constants[name]),
  )

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
    if (!found) return onUse(mapping)
    const isOfReceiver = ofReceiver.some(name => name === found.at)
    // The answer is mostly a column.
    const column = proposal?.at ?? open.find(at => columns[at]!.use === 'unused')
    const at = isOfReceiver && !isReceiverOpen && column !== undefined ? column : found.at
    setProblem({ ...found, at })
    if (isOfReceiver && at === found.at) setReceiverOpen(true)
    if (typeof at === 'number' && matched.includes(at)) setMatchedOpen(true)
  }
  const columnList = (name: string, order: readonly number[], isFirst: boolean) => (
    <ul className={styles.columns} aria-label={name}>
      {order.map((at, place) => (
        <ColumnLine
          key={at}
          at={at}
          column={columns[at]!}
          name={names[at]!}
          samples={preview.samples[at] ?? NO_SAMPLES}
          values={preview.values[at] ?? NO_SAMPLES}
          proposal={proposal?.at === at ? proposal.use : null}
          isSuggested={suggested?.at === at && columns[at]!.use === suggested.use}
          alsoRead={alsoReadText(props, at, names, columns)}
          isFirst={isFirst && place === 0}
          error={problem?.at === at ? problem.text : null}
          onChange={change}
          onValues={changeValues}
        />
      ))}
    </ul>
  )
  const constantFields = (fields: readonly RowField[], isFirst: boolean) => (
    <div className={styles.constants}>
      {fields.map((name, index) => (
        <ConstantField
          key={name}
          isFirst={isFirst && index === 0}
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
  )
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <p className={styles.intro}>{introText(fileName, matched.length, preview.headers.length)}</p>
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
        {open.length > 0 && (
          <section className={styles.part}>
            <h3>{texts.openTitle(open.length)}</h3>
            {columnList(texts.openName, open, true)}
          </section>
        )}
        {ofReceiver.length > 0 && (
          <section className={styles.part}>
            <h3>{texts.receiverTitle(ofReceiver.map(name => fieldTitle(fieldByName(name))))}</h3>
            <Fold summary={texts.receiverFold} isOpen={isReceiverOpen} onToggle={setReceiverOpen}>
              {constantFields(ofReceiver, false)}
            </Fold>
          </section>
        )}
        {ofAll.length > 0 && (
          <fieldset className={styles.missing}>
            <legend>{texts.missingTitle}</legend>
            <p>{texts.missingHint}</p>
            {constantFields(ofAll, open.length === 0)}
          </fieldset>
        )}
        {matched.length > 0 && (
          <Fold
            summary={texts.matchedTitle(matched.length)}
            isOpen={isMatchedOpen}
            onToggle={setMatchedOpen}
          >
            {columnList(texts.columnsTitle, matched, open.length + ofAll.length === 0)}
          </Fold>
        )}
        <FirstRow columns={columns} constants={constants} first={preview.first} />
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

type FoldProps = {
  summary: string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  children: ReactNode
}

const Fold = ({ summary, isOpen, onToggle, children }: FoldProps) => (
  <details
    className={styles.fold}
    open={isOpen}
    onToggle={event => onToggle(event.currentTarget.open)}
  >
    <summary>{summary}</summary>
    {children}
  </details>
)

type Start = {
  /** With the suggestion, which is to be checked: a label with the wrong name is a lost parcel. */
  start: MappedColumn[]
  /** The columns to check, and the others. No column changes its place while it is matched. */
  open: number[]
  matched: number[]
  suggested: ReturnType<typeof proposeColumn>
}

function startOf({ preview, current, source, hasSender }: MatchColumnsProps): Start {
  const known = firstColumns(preview, current)
  const suggested = current
    ? null
    : proposeColumn(known, preview.samples, fieldsWithoutColumn(known, hasSender))
  const isUnread = (at: number) =>
    known[at]!.use === 'unused' && !source?.alsoRead.some(one => one.at === at)
  const all = known.map((_, at) => at)
  return {
    start: suggested
      ? known.with(suggested.at, { ...known[suggested.at]!, use: suggested.use })
      : known,
    open: all.filter(isUnread),
    matched: all.filter(at => !isUnread(at)),
    suggested,
  }
}

function introText(file: string, matched: number, columns: number): string {
  if (matched === columns) return texts.introAll(file, columns)
  return matched === 0 ? texts.intro(file, columns) : texts.introMatched(file, matched, columns)
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

function alsoReadText(
  { source, current }: MatchColumnsProps,
  at: number,
  names: readonly string[],
  columns: readonly MappedColumn[],
): string | null {
  const found = source?.alsoRead.find(one => one.at === at)
  if (!source || !found || !isStillRead(found, current?.columns ?? [], columns)) return null
  return found.ifEmpty === undefined
    ? texts.alsoRead(source.id)
    : texts.readIfEmpty(names[found.ifEmpty]!)
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
  if (use === 'CityStateZip') return texts.cityStateZip
  if (use === 'ToEmail') return texts.email
  if (use === 'StreetNumber') return texts.streetNumber
  if (use === 'ServiceName') return texts.service
  if (use === 'WeightUnit') return texts.weightUnit
  if (use === 'SizeUnit') return texts.sizeUnit
  if (use === 'signature' || use === 'saturday') return OPTION_FIELD_LABELS[use]
  return use === 'LastName' ? texts.lastName : fieldTitle(fieldByName(use))
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
  const title = fieldTitle(fieldByName(name))
  const [unit] = unitsFor(name)
  return (
    <TextField
      className={unit ? styles.measure : styles.constant}
      label={title}
      aria-label={texts.forAllRows(title)}
      {...(unit && {
        rightSection: <span aria-hidden="true">{unit}</span>,
        rightSectionPointerEvents: 'none',
        description: texts.measuredIn[unit],
        descriptionProps: { className: 'visually-hidden' },
      })}
      error={error}
      placeholder={texts.examples[name]}
      value={value}
      autoComplete="off"
      {...keyboardFor(name)}
      data-autofocus={isFirst || undefined}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
