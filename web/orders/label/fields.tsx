/** The kinds of fields this form has, bound to its state by name. */
import { fieldOf } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import { StateField } from '#web/addresses/StateField.tsx'
import { NumberField, TextField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'
import type { Bind } from './use-order.ts'

type FieldProps = {
  bind: Bind
  name: RowField
  label: string
  className?: string
  hint?: string
  autoComplete?: string
}

// Fields of one line stay level when only one of them has a hint, and an error takes the hint's place.
const HINT_BELOW: { inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] } = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
}
const hinted = (hint: string | undefined, error: string | undefined) => ({
  ...HINT_BELOW,
  description: error ? undefined : hint,
})

/** One line of text; whether it is required is the row's rule. */
export function Text({ bind, name, hint, ...rest }: FieldProps & { list?: string }) {
  const { onText, ...field } = bind(name)
  return (
    <TextField
      {...rest}
      {...field}
      {...hinted(hint, field.error)}
      required={fieldOf(name).required}
      onChange={event => onText(event.currentTarget.value)}
    />
  )
}

/** A figure that is not negative. `whole` numbers begin at 1. */
export function Figure({
  bind,
  name,
  hint,
  whole = false,
  ...rest
}: FieldProps & { whole?: boolean }) {
  const { onText, ...field } = bind(name)
  return (
    <NumberField
      {...rest}
      {...field}
      {...hinted(hint, field.error)}
      required={fieldOf(name).required}
      min={whole ? 1 : 0}
      allowNegative={false}
      allowDecimal={!whole}
      decimalScale={4}
      allowedDecimalSeparators={['.', ',']}
      autoComplete="off"
      onChange={value => onText(String(value))}
      onBlur={whole ? () => field.value === '' && onText('1') : undefined}
    />
  )
}

/** One of the states, found by its two letters or its name. */
export function StateSelect({ bind, name, ...rest }: FieldProps) {
  return <StateField {...rest} {...bind(name)} required placeholder={texts.chooseState} />
}
