import { TextField } from '#web/ui/TextFields.tsx'
import { CODE_DIGITS, codeDigits } from './code.ts'
import { texts } from './texts.ts'
import styles from './TwoStep.module.css'

type CodeFieldProps = {
  value: string
  error: string | undefined
  onCode: (digits: string) => void
  /** False where something above it is to be seen first. */
  isFirst?: boolean
}

/** The six digits of an authenticator app. Pasted spaces and dashes are dropped. */
export function CodeField({ value, error, onCode, isFirst = true }: CodeFieldProps) {
  return (
    <TextField
      label={texts.form.code}
      description={texts.form.codeHint}
      error={error}
      name="code"
      required
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      data-autofocus={isFirst || undefined}
      className={styles.code}
      value={value}
      onChange={event => onCode(codeDigits(event.currentTarget.value))}
    />
  )
}

export const codeError = (digits: string): string | undefined =>
  digits === ''
    ? texts.required(texts.form.code)
    : digits.length < CODE_DIGITS
      ? texts.form.codeLength
      : undefined
