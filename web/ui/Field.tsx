/** Form fields: label above, error below with an icon and tied by aria-describedby. */
import { Checkbox, NativeSelect, NumberInput, Select, Textarea } from '@mantine/core'
import type {
  CheckboxProps,
  NativeSelectProps,
  NumberInputProps,
  SelectProps,
  TextareaProps,
} from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { cx } from './cx.ts'
import { fieldProps } from './TextFields.tsx'
import type { LabelledFieldProps } from './TextFields.tsx'
import { texts } from './texts.ts'
import styles from './Field.module.css'

export { PasswordField, TextField } from './TextFields.tsx'
export type { FieldError } from './TextFields.tsx'

/** Several lines of text. `rows` is its height. */
export const TextAreaField = (props: LabelledFieldProps<TextareaProps>) => (
  <Textarea {...fieldProps(props)} />
)

type NumberFieldProps = LabelledFieldProps<
  Omit<NumberInputProps, 'allowNegative' | 'allowDecimal' | 'clampBehavior'>
> & { whole?: boolean }

/**
 * `onChange` gives a number, or the text that is not a number yet. Without steppers: they are too small to hit. What is pasted stays
 * for the form to check: '-1' must not become 1, nor '1.5' of a `whole` number 15.
 */
export const NumberField = ({ whole, ...props }: NumberFieldProps) => (
  <NumberInput
    hideControls
    clampBehavior="none"
    // NumberInput sets an inputMode of its own.
    {...(whole && { attributes: { input: { inputMode: 'numeric' } } })}
    {...fieldProps(props)}
  />
)

/** A searchable list. It does not open on focus, where it would cover the error. `wideList`: options are longer than the field. */
export function SelectField({
  wideList,
  ...props
}: LabelledFieldProps<SelectProps> & { wideList?: boolean }) {
  const field = fieldProps(props)
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
      {...field}
      classNames={{
        ...field.classNames,
        dropdown: cx(styles.dropdown, wideList && styles.wide),
        option: styles.option,
      }}
    />
  )
}

/**
 * A short list, drawn like the searchable one; on touch screens the system’s own picker, which is
 * easier to use with a thumb. `systemList`: that everywhere, where many long lists stand together.
 */
export const NativeSelectField = ({
  systemList,
  ...props
}: LabelledFieldProps<NativeSelectProps> & { systemList?: boolean }) => (
  <NativeSelect
    data-system-list={systemList || undefined}
    rightSection={<IconChevronDown className={styles.chevron} aria-hidden="true" />}
    rightSectionPointerEvents="none"
    {...fieldProps(props)}
  />
)

export function CheckField({
  label,
  ...rest
}: Omit<CheckboxProps, 'label' | 'classNames'> & { label: string }) {
  return (
    <Checkbox
      {...rest}
      label={label}
      classNames={{
        body: styles.checkBody,
        label: styles.checkLabel,
        input: styles.check,
        description: styles.hint,
      }}
    />
  )
}
