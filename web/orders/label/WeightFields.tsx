/** Pounds, with ounces beside them. The form keeps one weight in pounds. */
import { useState } from 'react'
import { NumberField } from '#web/ui/Field.tsx'
import { LabelNumberField } from './fields.tsx'
import { texts } from './texts.ts'
import type { FieldBinder } from './use-label-order.ts'
import { poundsOf } from './weight.ts'
import type { TypedWeight } from './weight.ts'
import styles from './Label.module.css'

type WeightFieldsProps = {
  bind: FieldBinder
  /** Pounds, of the chosen service. */
  maxWeight: number
}

export function WeightFields({ bind, maxWeight }: WeightFieldsProps) {
  const field = bind('PackageWeight')
  const [typed, setTyped] = useState<TypedWeight>({ pounds: field.value, ounces: '' })
  // A weight from elsewhere, as from a SKU or the limit of the service, replaces what was typed.
  const shown = poundsOf(typed) === field.value ? typed : { pounds: field.value, ounces: '' }
  const type = (change: Partial<TypedWeight>) => {
    const next = { ...shown, ...change }
    setTyped(next)
    field.onText(poundsOf(next))
  }
  const bindPounds: FieldBinder = () => ({
    ...field,
    value: shown.pounds,
    onText: pounds => type({ pounds }),
  })
  return (
    <>
      <LabelNumberField
        bind={bindPounds}
        name="PackageWeight"
        label={texts.weight}
        hint={texts.upTo(maxWeight)}
        className={styles.weight}
      />
      <NumberField
        label={texts.ounces}
        error={null}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={shown.ounces === '' ? undefined : texts.pounds(field.value)}
        value={shown.ounces}
        min={0}
        decimalScale={2}
        allowedDecimalSeparators={['.', ',']}
        autoComplete="off"
        onChange={ounces => type({ ounces: String(ounces) })}
        className={styles.weight}
      />
    </>
  )
}
