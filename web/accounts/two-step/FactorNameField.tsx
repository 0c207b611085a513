import { FACTOR_NAME_MAX } from '#contract/second-factor.ts'
import { TextField } from '#web/ui/Field.tsx'

type FactorNameFieldProps = {
  label: string
  description?: string
  value: string
  error: string | undefined
  /** The first field of its dialog gets the focus. */
  isFirst?: boolean
  onChange: (name: string) => void
}

/** What the user calls a sign-in method. */
export function FactorNameField({ isFirst, onChange, ...field }: FactorNameFieldProps) {
  return (
    <TextField
      {...field}
      name="name"
      required
      autoComplete="off"
      maxLength={FACTOR_NAME_MAX}
      data-autofocus={isFirst}
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}
