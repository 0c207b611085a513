/** Fields for text. In a file of their own: the sign-in page loads only these (vite.config.ts). */
import { PasswordInput, TextInput } from '@mantine/core'
import type { PasswordInputProps, TextInputProps } from '@mantine/core'
import { IconAlertCircle, IconEye, IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { texts } from './texts.ts'
import styles from './Field.module.css'

/** The message at the field. `true` only marks the field, where one message is for the whole form. */
export type FieldError = string | true | null | undefined

/** What every field needs beside Mantine's props. */
export type LabelledFieldProps<P> = Omit<P, 'error' | 'label' | 'classNames' | 'styles'> & {
  label: string
  error: FieldError
  hideLabel?: boolean
}

const fieldClassNames = {
  root: styles.root,
  label: styles.label,
  input: styles.input,
  error: styles.error,
  description: styles.hint,
}

/** With an icon; `true` shows no text. */
export const errorContent = (error: FieldError): ReactNode =>
  error === true ? (
    true
  ) : error ? (
    <span className={styles.errorLine}>
      <IconAlertCircle aria-hidden="true" />
      {error}
    </span>
  ) : null

/** The star is drawn by CSS, so that the field's accessible name is the label alone. */
export const commonFieldProps = ({
  hideLabel,
  required,
}: {
  hideLabel?: boolean
  required?: boolean
}) => ({
  required,
  withAsterisk: false,
  labelProps: { 'data-required': required || undefined },
  classNames: hideLabel ? { ...fieldClassNames, label: 'visually-hidden' } : fieldClassNames,
})

export function TextField({
  label,
  error,
  hideLabel,
  required,
  ...rest
}: LabelledFieldProps<TextInputProps>) {
  return (
    <TextInput
      {...rest}
      {...commonFieldProps({ hideLabel, required })}
      label={label}
      error={errorContent(error)}
    />
  )
}

export function PasswordField({
  label,
  error,
  hideLabel,
  required,
  ...rest
}: LabelledFieldProps<PasswordInputProps>) {
  return (
    <PasswordInput
      // The rule of a new password is below it, so that a field beside it stands at the same height.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...rest}
      {...commonFieldProps({ hideLabel, required })}
      label={label}
      error={errorContent(error)}
      aria-invalid={error ? true : undefined}
      classNames={{
        ...commonFieldProps({ hideLabel }).classNames,
        innerInput: styles.inner,
        visibilityToggle: styles.toggle,
      }}
      visibilityToggleIcon={({ reveal }) =>
        reveal ? <IconEyeOff aria-hidden="true" /> : <IconEye aria-hidden="true" />
      }
      visibilityToggleButtonProps={{ 'aria-label': texts.showPassword, tabIndex: 0 }}
    />
  )
}
