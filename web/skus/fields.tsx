import type { SkuField } from '#contract/sku-rules.ts'
import { keyboardFor } from '#web/addresses/keyboard.ts'
import type { BindField } from '#web/client/use-form-draft.ts'
import { NumberField, TextField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'

type SkuFieldProps = {
  bind: BindField<SkuField>
  name: SkuField
  className?: string
  hint?: string
  /** In a table the column head is the visible label. */
  hideLabel?: boolean
  form?: string
  id?: string
  /** Gets the focus when its panel opens. */
  'data-autofocus'?: boolean
}

export function SkuTextField({ bind, name, hint, ...rest }: SkuFieldProps) {
  const { onText, ...field } = bind(name)
  return (
    <TextField
      {...rest}
      {...field}
      {...(name === 'sku' && keyboardFor('skuNumber'))}
      label={texts.fields[name]}
      description={hint}
      required={name === 'sku'}
      autoComplete="off"
      onChange={event => onText(event.currentTarget.value)}
    />
  )
}

/** From 0; arrow keys change a quantity by 1 and a measure by 0.1. */
export function SkuNumberField({ bind, name, hint, ...rest }: SkuFieldProps) {
  const { onText, ...field } = bind(name)
  const isCount = name === 'maxQty'
  return (
    <NumberField
      {...rest}
      {...field}
      label={texts.fields[name]}
      description={hint}
      required
      autoComplete="off"
      min={0}
      step={isCount ? 1 : 0.1}
      whole={isCount}
      decimalScale={4}
      allowedDecimalSeparators={['.', ',']}
      onChange={value => onText(String(value))}
    />
  )
}
