/** The fields of a SKU record, for the panel and for a row of the table. */
import type { SkuField } from '#contract/sku-rules.ts'
import type { BindField } from '#web/client/use-form-draft.ts'
import { NumberField, TextField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'

type SkuFieldProps = {
  bind: BindField<SkuField>
  name: SkuField
  className?: string
  hint?: string
  /** In a row the head of the column is the label for the eye. */
  hideLabel?: boolean
  /** The form it belongs to, where it does not stand inside it. */
  form?: string
  id?: string
  /** Takes the focus when its panel opens. */
  'data-autofocus'?: boolean
}

export function SkuTextField({ bind, name, hint, ...rest }: SkuFieldProps) {
  const { onText, ...field } = bind(name)
  return (
    <TextField
      {...rest}
      {...field}
      label={texts.fields[name]}
      description={hint}
      required={name === 'sku'}
      autoComplete="off"
      onChange={event => onText(event.currentTarget.value)}
    />
  )
}

/** A figure from 0 on; arrow keys move a quantity by 1 and a measure by 0.1 (specification, 5). */
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
      allowNegative={false}
      allowDecimal={!isCount}
      decimalScale={4}
      allowedDecimalSeparators={['.', ',']}
      onChange={value => onText(String(value))}
    />
  )
}
