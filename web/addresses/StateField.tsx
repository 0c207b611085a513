import { STATES } from '#contract/states.ts'
import { NativeSelectField, SelectField } from '#web/ui/Field.tsx'
import type { FieldError } from '#web/ui/Field.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'

type StateFieldProps = {
  label: string
  name: string
  /** Two letters, or nothing while none is chosen. */
  value: string
  error: FieldError
  onText: (code: string) => void
  /** Stands where none is chosen. */
  placeholder: string
  required?: boolean
  hideLabel?: boolean
  className?: string
  /** The form it belongs to, where it does not stand inside it. */
  form?: string
}

const STATE_OPTIONS = STATES.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` }))

/** One of the states, found by its two letters or its name; on phones by the system's own picker, which needs no room. */
export function StateField({ value, onText, placeholder, ...rest }: StateFieldProps) {
  const phone = useIsPhone()
  if (phone) {
    return (
      <NativeSelectField
        {...rest}
        data={[{ value: '', label: placeholder, disabled: true }, ...STATE_OPTIONS]}
        value={value}
        onChange={event => onText(event.currentTarget.value)}
      />
    )
  }
  return (
    <SelectField
      {...rest}
      data={STATE_OPTIONS}
      value={value === '' ? null : value}
      placeholder={placeholder}
      onChange={code => onText(code ?? '')}
    />
  )
}
