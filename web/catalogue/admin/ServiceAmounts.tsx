/** Amounts of the default services, a line each with a button that saves it. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError, fieldErrorsOf, messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import styles from './ServiceAmounts.module.css'

/** Dollars as a field shows them; empty: none. */
export const amountText = (dollars: number | null): string =>
  dollars === null ? '' : dollars.toFixed(2)
export const amountOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

type ServiceAmountsCardProps = {
  about: string
  /** What to say when loading failed; null while it has not. */
  failed: string | null
  onRetry: () => void
  children: ReactNode
}

export function ServiceAmountsCard({ about, failed, onRetry, children }: ServiceAmountsCardProps) {
  if (failed !== null)
    return (
      <Card>
        <ErrorLine>{failed}</ErrorLine>
        <Button onClick={onRetry}>{texts.tryAgain}</Button>
      </Card>
    )
  return (
    <Card>
      <p className={styles.about}>{about}</p>
      <div className={styles.list}>{children}</div>
    </Card>
  )
}

type ServiceAmountsFormProps = {
  /** Of the service. */
  name: string
  texts: {
    of: (service: string) => string
    save: string
    saved: (service: string) => string
    notSaved: string
    noChange: string
  }
  isChanged: boolean
  save: () => Promise<void>
  /** Another administrator has changed them since. */
  onConflict: () => void
  /** The fields. `problem`: why they were not saved. */
  children: (problem: string | null) => ReactNode
  className: string | undefined
}

export function ServiceAmountsForm(props: ServiceAmountsFormProps) {
  const { name, texts: t, isChanged, save, onConflict, children, className } = props
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (!isChanged) return
    setBusy(true)
    setProblem(null)
    try {
      await save()
      toastSuccess(t.saved(name))
    } catch (reason) {
      setProblem(Object.values(fieldErrorsOf(reason))[0] ?? messageOf(reason, t.notSaved))
      if (reason instanceof ApiError && reason.status === 409) onConflict()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form onSubmit={submit} className={cx(styles.service, className)} aria-label={t.of(name)}>
      <h3 className={styles.name}>{name}</h3>
      {children(problem)}
      <Button type="submit" size="large" busy={busy} disabledReason={isChanged ? null : t.noChange}>
        {t.save}
      </Button>
    </Form>
  )
}
