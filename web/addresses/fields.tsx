/** The fields of an address, for the panel and for a row of the table. */
import { STATES } from '#contract/states.ts'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { REQUIRED } from './draft.ts'
import type { AddressField } from './sender.ts'
import { texts } from './texts.ts'
import type { Bind } from './use-draft.ts'

type FieldProps = {
  bind: Bind
  name: AddressField
  className?: string
  hint?: string
  /** In a row the head of the column is the label for the eye. */
  hideLabel?: boolean
  /** The form it belongs to, where it does not stand inside it. */
  form?: string
  id?: string
}

export function AddressText({ bind, name, hint, ...rest }: FieldProps) {
  const { onText, ...field } = bind(name)
  const label = texts.fields[name]
  return (
    <TextField {...rest} {...field} label={label} description={hint} required={REQUIRED.has(name)} autoComplete="off"
      placeholder={rest.hideLabel ? label : undefined} onChange={event => onText(event.currentTarget.value)} />
  )
}

const NAMED = STATES.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` }))

export function AddressState({ bind, name, ...rest }: Omit<FieldProps, 'hint'>) {
  const { onText, value, ...field } = bind(name)
  return (
    <SelectField {...rest} {...field} label={texts.fields[name]} required={REQUIRED.has(name)} data={NAMED}
      value={value === '' ? null : value} placeholder={rest.hideLabel ? texts.fields[name] : texts.chooseState} onChange={code => onText(code ?? '')} />
  )
}
