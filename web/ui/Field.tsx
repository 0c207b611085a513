/** Form fields: label above, error below with an icon and tied by aria-describedby. */
import {
  Checkbox,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core'
import type {
  CheckboxProps,
  NativeSelectProps,
  NumberInputProps,
  PasswordInputProps,
  SelectProps,
  TextareaProps,
  TextInputProps,
} from '@mantine/core'
import { IconAlertCircle, IconChevronDown, IconEye, IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { texts } from './texts.ts'
import styles from './Field.module.css'

/** The message at the field. `true` only marks the field, where one message is for the whole form. */
export type FieldError = string | true | null | undefined

/** What every field needs beside Mantine's props. */
type LabelledFieldProps<P> = Omit<P, 'error' | 'label' | 'classNames' | 'styles'> & {
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

const errorContent = (error: FieldError): ReactNode =>
  error === true ? (
    true
  ) : error ? (
    <span className={styles.errorLine}>
      <IconAlertCircle aria-hidden="true" />
      {error}
    </span>
  ) : null

/** The star is drawn by CSS, so that the field's accessible name is the label alone. */
const commonFieldProps = ({
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

/** Several lines of text. `rows` is its height. */
export function TextAreaField({
  label,
  error,
  hideLabel,
  required,
  ...rest
}: LabelledFieldProps<TextareaProps>) {
  return (
    <Textarea
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

/** `onChange` gives a number, or the text that is not a number yet. Without steppers: they are too small to hit. */
export function NumberField({
  label,
  error,
  hideLabel,
  required,
  ...rest
}: LabelledFieldProps<NumberInputProps>) {
  return (
    <NumberInput
      hideControls
      {...rest}
      {...commonFieldProps({ hideLabel, required })}
      label={label}
      error={errorContent(error)}
    />
  )
}

/** A searchable list. It does not open on focus, where it would cover the error. `wideList`: options are longer than the field. */
export function SelectField({
  label,
  error,
  hideLabel,
  required,
  wideList,
  ...rest
}: LabelledFieldProps<SelectProps> & { wideList?: boolean }) {
  return (
    <Select
      searchable
      openOnFocus={false}
      allowDeselect={false}
      maxDropdownHeight={280}
      nothingFoundMessage={texts.nothingFound}
      checkIconPosition="right"
      rightSection={<IconChevronDown className={styles.chevron} aria-hidden="true" />}
      rightSectionPointerEvents="none"
      comboboxProps={{
        shadow: 'none',
        position: wideList ? 'bottom-start' : 'bottom',
        transitionProps: { duration: 120 },
      }}
      {...rest}
      {...commonFieldProps({ hideLabel, required })}
      label={label}
      error={errorContent(error)}
      classNames={{
        ...commonFieldProps({ hideLabel }).classNames,
        dropdown: cx(styles.dropdown, wideList && styles.wide),
        option: styles.option,
      }}
    />
  )
}

/** A short list, drawn like the searchable one; on touch screens the system's own picker, which is easier to use with a thumb. */
export function NativeSelectField({
  label,
  error,
  hideLabel,
  required,
  ...rest
}: LabelledFieldProps<NativeSelectProps>) {
  return (
    <NativeSelect
      rightSection={<IconChevronDown className={styles.chevron} aria-hidden="true" />}
      rightSectionPointerEvents="none"
      {...rest}
      {...commonFieldProps({ hideLabel, required })}
      label={label}
      error={errorContent(error)}
    />
  )
}

export function CheckField({
  label,
  ...rest
}: Omit<CheckboxProps, 'label' | 'classNames'> & { label: string }) {
  return (
    <Checkbox
      {...rest}
      label={label}
      classNames={{ label: styles.checkLabel, input: styles.check }}
    />
  )
}
