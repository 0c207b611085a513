/** A page of settings: cards of rows, each with what it is at the left and its controls at the right. */
import { useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { cx } from '#web/ui/cx.ts'
import { useKeptFocus } from '#web/ui/use-return-focus.ts'
import styles from './Settings.module.css'

export function SettingsCard({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>
}

type SettingsRowProps = {
  title: string
  /** One sentence below the title. */
  text?: ReactNode
  /** Beside the title. */
  pill?: ReactNode
  /** Id of the row's only field, which the title then labels: see `rowField`. */
  fieldId?: string
  /** The row is a landmark with the name of its title. */
  isRegion?: boolean
  children: ReactNode
}

export function SettingsRow(props: SettingsRowProps) {
  const { title, text, pill, fieldId, isRegion, children } = props
  const Row = isRegion ? 'section' : 'div'
  const box = useRef<HTMLDivElement>(null)
  useKeptFocus(box)
  return (
    <Row
      ref={box}
      className={styles.row}
      aria-label={isRegion ? title : undefined}
      tabIndex={isRegion ? -1 : undefined}
    >
      <div className={styles.about}>
        <div className={styles.head}>
          <h2 className={styles.title}>
            {fieldId === undefined ? title : <label htmlFor={fieldId}>{title}</label>}
          </h2>
          {pill}
        </div>
        {/* Screen readers get it with the field. */}
        {text && <p aria-hidden={fieldId === undefined ? undefined : true}>{text}</p>}
      </div>
      <div className={styles.control}>{children}</div>
    </Row>
  )
}

/** Props of a field whose label and description are the row's. */
export const rowField = (id: string, text: string) => ({
  id,
  label: '',
  description: text,
  descriptionProps: { className: 'visually-hidden' },
  className: styles.field,
})

/** Props of a field that is read and not typed in: it looks like text. */
export const rowValue = (id: string, text: string) => ({
  ...rowField(id, text),
  className: cx(styles.field, styles.value),
})

/** A field or a value with the button that belongs to it. */
export function WithButton({ children }: { children: ReactNode }) {
  return <div className={styles.withButton}>{children}</div>
}

/** The labelled fields of a form that stands in a row, with its buttons. */
export function SettingsFields({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>
}

type SettingsListProps = {
  /** Of the landmark. */
  name: string
  title: string
  text: ReactNode
  children: ReactNode
}

/** A list that needs the width of the page: what it is stands above it. */
export function SettingsList({ name, title, text, children }: SettingsListProps) {
  const id = useId()
  return (
    <section className={styles.list} aria-label={name} aria-describedby={id}>
      <div className={styles.about}>
        <h2 className={styles.title}>{title}</h2>
        <p id={id}>{text}</p>
      </div>
      {children}
    </section>
  )
}
