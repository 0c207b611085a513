import { STATES } from '#contract/states.ts'
import { NativeSelectField, SelectField } from '#web/ui/Field.tsx'
import type { FieldError } from '#web/ui/Field.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'

type StateFieldProps = {
  label: string
  name: string
  /** Two letters; '' while none is chosen. */
  value: string
  error: FieldError
  onText: (code: string) => void
  placeholder: string
  required?: boolean
  hideLabel?: boolean
  className?: string
  form?: string
  'data-autofocus'?: boolean | undefined
}

export const STATE_OPTIONS = STATES.map(({ code, name }) => ({
  value: code,
  label: `${code} · ${name}`,
}))

/** Finds a state by code or name; on phones with the system's picker. */
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
      // The list gives its name to a hidden input.
      data-name={rest.name}
      data={STATE_OPTIONS}
      value={value === '' ? null : value}
      placeholder={placeholder}
      onChange={code => onText(code ?? '')}
    />
  )
}
