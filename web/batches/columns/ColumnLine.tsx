import { memo } from 'react'
import { unitsFor } from '#contract/imports.ts'
import type { ColumnUnit, MappedUse } from '#contract/imports.ts'
import { OPTION_FIELD_LABELS, OPTION_FIELDS } from '#contract/label-options.ts'
import { fieldByName } from '#contract/rows.ts'
import type { FieldGroup, RowField } from '#contract/rows.ts'
import { Button } from '#web/ui/Button.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { fieldTitle, MAPPED_FIELDS } from './match-columns.ts'
import type { MappedColumn } from './match-columns.ts'
import { ServiceValues } from './ServiceValues.tsx'
import { texts } from './texts.ts'
import styles from './MatchColumns.module.css'

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
        {group === 'To' && (
          <>
            <option value="CityStateZip">{texts.cityStateZip}</option>
            <option value="ToEmail">{texts.email}</option>
          </>
        )}
      </optgroup>
    ))}
    <optgroup label={texts.partsOfName}>
      <option value="FirstName">{texts.firstName}</option>
      <option value="LastName">{texts.lastName}</option>
    </optgroup>
    <optgroup label={texts.partOfStreet}>
      <option value="StreetNumber">{texts.streetNumber}</option>
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

export type ColumnLineProps = {
  at: number
  column: MappedColumn
  name: string
  samples: readonly string[]
  values: readonly string[]
  error: string | null
  /** What its values look like, for a field that has no column yet. */
  proposal: RowField | null
  /** It was chosen by what its values look like. */
  isSuggested: boolean
  /** Says that it is read beside the fields, such as the status of an order; null if it is not. */
  alsoRead: string | null
  isFirst: boolean
  onChange: (at: number, use: MappedUse, unit?: ColumnUnit) => void
  onValues: (at: number, values: Record<string, string>) => void
}

/** A column of the file with the field that it is read as. */
export const ColumnLine = memo(function ColumnLine(props: ColumnLineProps) {
  const { at, column, name, samples, values, error } = props
  const { proposal, isSuggested, alsoRead, isFirst, onChange, onValues } = props
  const units = unitsFor(column.use)
  const isOpen = isSuggested || (column.use === 'unused' && alsoRead === null)
  return (
    <li className={styles.column} data-open={isOpen || undefined}>
      <NativeSelectField
        systemList
        className={styles.use}
        label={name}
        description={
          <>
            {samples.length === 0 ? texts.noSamples : samples.map(texts.sample).join(' · ')}{' '}
            {alsoRead !== null && <span className={styles.alsoRead}>{alsoRead}</span>}
          </>
        }
        error={error}
        data-autofocus={isFirst || undefined}
        value={column.use}
        onChange={event => onChange(at, event.currentTarget.value as MappedUse)}
      >
        {OPTIONS}
      </NativeSelectField>
      {isSuggested && <p className={styles.suggested}>{texts.suggested}</p>}
      {proposal && (
        <Button
          size="small"
          className={styles.proposal}
          onClick={event => {
            // The button goes; the keyboard goes on at the choice.
            event.currentTarget.closest('li')?.querySelector('select')?.focus()
            onChange(at, proposal)
          }}
        >
          {texts.useAs(fieldTitle(fieldByName(proposal)))}
        </Button>
      )}
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
