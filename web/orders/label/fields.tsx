import type { ChangeEvent, ComponentProps } from 'react'
import { fieldByName } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import { keyboardFor } from '#web/addresses/keyboard.ts'
import { StateField } from '#web/addresses/StateField.tsx'
import { NumberField, TextField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'
import type { FieldBinder } from './use-label-order.ts'

type TextFieldProps = ComponentProps<typeof TextField>

type LabelFieldProps = {
  bind: FieldBinder
  name: RowField
  label: string
  className?: string
  hint?: string
  autoComplete?: string
}

// The hint is below the input and an error replaces it, so the fields of one line stay level.
const HINT_BELOW: { inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] } = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
}
const hintProps = (hint: string | undefined, error: string | undefined) => ({
  ...HINT_BELOW,
  description: error ? undefined : hint,
})

/** Whether the text was chosen from the field's list. Some browsers send a plain event then. */
const isChosen = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText'

type LabelTextFieldProps = LabelFieldProps
  & Pick<TextFieldProps, 'onFocus' | 'onBlur' | 'onKeyDown'> & {
    list?: string
    /** Gets a text that was chosen from `list` instead of typed. */
    onChoose?: (text: string) => void
  }

/** Whether the field is required follows the row rules. */
export function LabelTextField({ bind, name, hint, onChoose, ...rest }: LabelTextFieldProps) {
  const { onText, ...field } = bind(name)
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const take = isChosen(event.nativeEvent) ? (onChoose ?? onText) : onText
    take(event.currentTarget.value)
  }
  return (
    <TextField
      {...rest}
      {...field}
      {...hintProps(hint, field.error)}
      {...keyboardFor(name)}
      required={fieldByName(name).required}
      onChange={change}
    />
  )
}

/** A number from 0; with `whole`, an integer from 1. */
export function LabelNumberField({
  bind,
  name,
  hint,
  whole = false,
  ...rest
}: LabelFieldProps & { whole?: boolean }) {
  const { onText, ...field } = bind(name)
  return (
    <NumberField
      {...rest}
      {...field}
      {...hintProps(hint, field.error)}
      required={fieldByName(name).required}
      min={whole ? 1 : 0}
      whole={whole}
      decimalScale={4}
      allowedDecimalSeparators={['.', ',']}
      autoComplete="off"
      onChange={value => onText(String(value))}
      onBlur={whole ? () => field.value === '' && onText('1') : undefined}
    />
  )
}

export function LabelStateField({ bind, name, ...rest }: LabelFieldProps) {
  return <StateField {...rest} {...bind(name)} required placeholder={texts.chooseState} />
}
