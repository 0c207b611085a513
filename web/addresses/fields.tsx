import { SENDER_FIELDS } from '#contract/addresses.ts'
import type { RowField } from '#contract/rows.ts'
import { TextField } from '#web/ui/Field.tsx'
import { REQUIRED_ADDRESS_FIELDS } from './draft.ts'
import { keyboardFor } from './keyboard.ts'
import type { AddressField } from './sender.ts'
import { StateField } from './StateField.tsx'
import { texts } from './texts.ts'
import type { BindAddressField } from './use-address-draft.ts'

type AddressFieldProps = {
  bind: BindAddressField
  name: AddressField
  className?: string
  hint?: string
  /** Id of its form, for a field outside the form element. */
  form?: string
  id?: string
  /** Gets the focus when its panel opens. */
  'data-autofocus'?: boolean | undefined
}

const ROW_FIELDS = new Map<AddressField, RowField>(SENDER_FIELDS)

export function AddressTextField({ bind, name, hint, ...rest }: AddressFieldProps) {
  const { onText, ...field } = bind(name)
  const rowField = ROW_FIELDS.get(name)
  return (
    <TextField
      {...rest}
      {...field}
      label={texts.fields[name]}
      description={hint}
      required={REQUIRED_ADDRESS_FIELDS.has(name)}
      autoComplete="off"
      {...(rowField && keyboardFor(rowField))}
      onChange={event => onText(event.currentTarget.value)}
    />
  )
}

export function AddressStateField({ bind, name, ...rest }: Omit<AddressFieldProps, 'hint'>) {
  const label = texts.fields[name]
  return (
    <StateField
      {...rest}
      {...bind(name)}
      label={label}
      required={REQUIRED_ADDRESS_FIELDS.has(name)}
      placeholder={texts.chooseState}
    />
  )
}
