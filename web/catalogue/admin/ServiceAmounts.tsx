/** Amounts of the default services: a line of fields each, and one button that saves what has changed. */
import { useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { editsAfterSave } from '#web/client/edits-after-save.ts'
import { useSaveEach } from '#web/client/use-save-each.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorLine, LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { NumberField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useKeptFocus } from '#web/ui/use-return-focus.ts'
import { amountIn, isEdited, onNewer, textIn, withTyped } from './amount-edits.ts'
import type { AmountEdit, AmountField, AmountRow } from './amount-edits.ts'
import { texts } from './texts.ts'
import styles from './ServiceAmounts.module.css'

type Amounts<Key extends string> = Record<Key, number | null>

type ServiceAmountsProps<Key extends string> = {
  /** Of the form. */
  name: string
  about: string
  /** What to say when loading failed; null while it has not. */
  failed: string | null
  onRetry: () => void
  rows: readonly AmountRow<Key>[]
  /** Saves those of one service. `seen`: as saved when the administrator began to type. */
  save: (id: string, dollars: Amounts<Key>, seen: Amounts<Key>) => Promise<void>
  /** Another administrator has changed them since. */
  onConflict: () => void
  texts: { of: (service: string) => string; saved: string; notSaved: string }
}

export function ServiceAmounts<Key extends string>(props: ServiceAmountsProps<Key>) {
  const { name, about, failed, onRetry, rows, texts: t } = props
  const { edits, change, discard, changed, problems, busy, submit } = useServiceAmounts(props)
  const form = useRef<HTMLFormElement>(null)
  useKeptFocus(form)
  if (failed !== null)
    return (
      <Card>
        <LoadErrorNotice onRetry={onRetry}>{failed}</LoadErrorNotice>
      </Card>
    )
  return (
    <Card>
      <Form ref={form} tabIndex={-1} aria-label={name} className={styles.form} onSubmit={submit}>
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
              {row.fields.map(field => (
                <NumberField
                  key={field.key}
                  label={field.label}
                  error={row.fields.length === 1 ? (problems[row.id] ?? null) : null}
                  value={textIn(edits[row.id], field)}
                  min={0}
                  decimalScale={2}
                  leftSection={texts.amounts.dollar}
                  leftSectionPointerEvents="none"
                  placeholder={field.placeholder}
                  disabled={field.isDisabled}
                  description={field.note}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  autoComplete="off"
                  onChange={value => change(row, field.key, String(value))}
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

function useServiceAmounts<Key extends string>({
  rows,
  save,
  onConflict,
  texts: t,
}: ServiceAmountsProps<Key>) {
  const [edits, setEdits] = useState<Record<string, AmountEdit<Key>>>({})
  /** Rows whose newer amounts a refusal named: once the list has them, they are seen. */
  const [refused, setRefused] = useState<readonly string[]>([])
  const renewed = rows.filter(row => refused.includes(row.id) && isOther(row, edits[row.id]?.seen))
  if (renewed.length > 0) {
    const newer = Object.entries(edits).map(([id, edit]) => {
      const row = renewed.find(one => one.id === id)
      return [id, row ? onNewer(edit, row) : edit]
    })
    setEdits(Object.fromEntries(newer))
    setRefused(refused.filter(id => !renewed.some(row => row.id === id)))
  }
  const { problems, busy, saveEach, forgetProblems } = useSaveEach(t, id => {
    setRefused(old => [...old, id])
    onConflict()
  })
  const changed = rows.filter(row => isEdited(edits[row.id], row))

  const amountsOf = (row: AmountRow<Key>, amount: (field: AmountField<Key>) => number | null) =>
    Object.fromEntries(row.fields.map(field => [field.key, amount(field)])) as Amounts<Key>
  const submit = () =>
    saveEach(
      changed.map(row => [row.id, row]),
      async row => {
        const sent = edits[row.id]
        const amounts = amountsOf(row, field => amountIn(sent, field))
        await save(
          row.id,
          amounts,
          amountsOf(sent?.seen ?? row, ({ dollars }) => dollars),
        )
        const fields = row.fields.map(field => ({ ...field, dollars: amounts[field.key] }))
        const saved = { ...row, fields }
        setEdits(old =>
          editsAfterSave(old, row.id, saved, ({ typed }) =>
            isEdited({ typed, seen: saved }, saved),
          ),
        )
      },
    )
  return {
    edits,
    problems,
    changed,
    busy,
    submit,
    change: (row: AmountRow<Key>, key: Key, text: string) => {
      setEdits(old => ({ ...old, [row.id]: withTyped(old[row.id], row, key, text) }))
    },
    discard: () => {
      setEdits({})
      forgetProblems()
    },
  }
}

const isOther = <Key extends string>(
  row: AmountRow<Key>,
  seen: AmountRow<Key> | undefined,
): boolean => row.fields.some(({ dollars }, at) => dollars !== seen?.fields[at]?.dollars)
