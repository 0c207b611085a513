/** Amounts of the default services: a line of fields each, and one button that saves what has changed. */
import { useState } from 'react'
import type { CSSProperties } from 'react'
import { useSaveEach } from '#web/client/use-save-each.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { NumberField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { texts } from './texts.ts'
import styles from './ServiceAmounts.module.css'

/** `dollars`: as saved; null: none. `note`: below the field. */
export type AmountField<Key extends string> = {
  key: Key
  label: string
  dollars: number | null
  placeholder: string
  isDisabled?: boolean
  note?: string | undefined
}

/** A service. */
export type AmountRow<Key extends string> = {
  id: string
  name: string
  fields: readonly AmountField<Key>[]
}

type ServiceAmountsProps<Key extends string> = {
  /** Of the form. */
  name: string
  about: string
  /** What to say when loading failed; null while it has not. */
  failed: string | null
  onRetry: () => void
  rows: readonly AmountRow<Key>[]
  /** Saves those of one service. */
  save: (id: string, dollars: Record<Key, number | null>) => Promise<void>
  /** Another administrator has changed them since. */
  onConflict: () => void
  texts: { of: (service: string) => string; saved: string; notSaved: string }
}

export function ServiceAmounts<Key extends string>(props: ServiceAmountsProps<Key>) {
  const { name, about, failed, onRetry, rows, texts: t } = props
  const { typed, change, discard, changed, problems, busy, submit } = useServiceAmounts(props)
  if (failed !== null)
    return (
      <Card>
        <ErrorLine>{failed}</ErrorLine>
        <Button onClick={onRetry}>{texts.tryAgain}</Button>
      </Card>
    )
  return (
    <Card>
      <Form aria-label={name} className={styles.form} onSubmit={submit}>
        <p className={styles.about}>{about}</p>
        <div
          className={styles.list}
          style={{ '--amounts': rows[0]?.fields.length ?? 1 } as CSSProperties}
        >
          {/* Each field has its label; on phones it is shown there. */}
          <div className={styles.heads} aria-hidden="true">
            {rows[0]?.fields.map(({ key, label }) => (
              <span key={key}>{label}</span>
            ))}
          </div>
          {rows.map(row => (
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset's legend can't stand in a grid
            <div key={row.id} role="group" aria-label={t.of(row.name)} className={styles.service}>
              <h3 className={styles.name}>{row.name}</h3>
              {row.fields.map(({ key, label, dollars, placeholder, isDisabled, note }) => (
                <NumberField
                  key={key}
                  label={label}
                  error={row.fields.length === 1 ? (problems[row.id] ?? null) : null}
                  value={typed[row.id]?.[key] ?? amountText(dollars)}
                  min={0}
                  allowNegative={false}
                  decimalScale={2}
                  leftSection={texts.amounts.dollar}
                  leftSectionPointerEvents="none"
                  placeholder={placeholder}
                  disabled={isDisabled}
                  description={note}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  autoComplete="off"
                  onChange={value => change(row.id, key, String(value))}
                />
              ))}
              {row.fields.length > 1 && problems[row.id] && (
                <div className={styles.problem}>
                  <ErrorLine>{problems[row.id]}</ErrorLine>
                </div>
              )}
            </div>
          ))}
        </div>
        {(changed.length > 0 || busy) && (
          <div className={styles.foot}>
            <Button kind="quiet" onClick={discard}>
              {texts.amounts.discard}
            </Button>
            <Button type="submit" kind="ink" busy={busy}>
              {texts.amounts.save}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  )
}

/** What is typed, by service and field. */
type TypedAmounts<Key extends string> = Record<string, Partial<Record<Key, string>>>

function useServiceAmounts<Key extends string>({
  rows,
  save,
  onConflict,
  texts: t,
}: ServiceAmountsProps<Key>) {
  const [typed, setTyped] = useState<TypedAmounts<Key>>({})
  const { problems, busy, saveEach, forgetProblems } = useSaveEach(t, onConflict)
  const amountNow = ({ id }: AmountRow<Key>, { key, dollars }: AmountField<Key>) =>
    amountOf(typed[id]?.[key] ?? amountText(dollars))
  const changed = rows.filter(row =>
    row.fields.some(field => amountNow(row, field) !== field.dollars),
  )

  const dollarsOf = (row: AmountRow<Key>) =>
    Object.fromEntries(row.fields.map(field => [field.key, amountNow(row, field)])) as Record<
      Key,
      number | null
    >
  const submit = () =>
    saveEach(
      changed.map(row => [row.id, row]),
      async row => {
        await save(row.id, dollarsOf(row))
        setTyped(({ [row.id]: _saved, ...others }) => others)
      },
    )
  return {
    typed,
    problems,
    changed,
    busy,
    submit,
    change: (id: string, key: Key, text: string) =>
      setTyped(old => ({ ...old, [id]: { ...old[id], [key]: text } })),
    discard: () => {
      setTyped({})
      forgetProblems()
    },
  }
}

/** Dollars as a field shows them; empty: none. */
const amountText = (dollars: number | null): string => (dollars === null ? '' : dollars.toFixed(2))
const amountOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
