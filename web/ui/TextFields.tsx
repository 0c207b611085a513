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
const errorContent = (error: FieldError): ReactNode =>
  error === true ? (
    true
  ) : error ? (
    <span className={styles.errorLine}>
      <IconAlertCircle aria-hidden="true" />
      {error}
    </span>
  ) : null

/** Mantine's props of a field. The star is drawn by CSS, so that the field's accessible name is the label alone. */
export function fieldProps<
  P extends { error: FieldError; hideLabel?: boolean; required?: boolean },
>(props: P) {
  const { error, hideLabel, required, ...rest } = props
  return {
    ...rest,
    required,
    withAsterisk: false,
    labelProps: { 'data-required': required || undefined },
    error: errorContent(error),
    classNames: hideLabel ? { ...fieldClassNames, label: 'visually-hidden' } : fieldClassNames,
  }
}

export const TextField = (props: LabelledFieldProps<TextInputProps>) => (
  <TextInput {...fieldProps(props)} />
)

export function PasswordField(props: LabelledFieldProps<PasswordInputProps>) {
  const field = fieldProps(props)
  return (
    <PasswordInput
      // The rule of a new password is below it, so that a field beside it stands at the same height.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...field}
      aria-invalid={props.error ? true : undefined}
      classNames={{
        ...field.classNames,
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
