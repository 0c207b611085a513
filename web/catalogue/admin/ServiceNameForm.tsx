import { useEffect, useId, useState } from 'react'
import { messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useIsUnchanged } from '#web/ui/use-is-unchanged.ts'
import { texts } from './texts.ts'
import styles from './Services.module.css'

const t = texts.name

type ServiceNameFormProps = {
  name: string
  /** An error it throws is shown at the field, which stays open. */
  onRename: (name: string) => Promise<void>
  onClose: () => void
}

export function ServiceNameForm({ name, onRename, onClose }: ServiceNameFormProps) {
  const [draft, setDraft] = useState(name)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isUnchanged = useIsUnchanged([draft])
  const fieldId = useId()
  useEffect(() => document.getElementById(fieldId)?.focus(), [fieldId])
  const save = async () => {
    const newName = draft.trim()
    if (newName === '') return setError(t.empty)
    if (newName === name) return onClose()
    setBusy(true)
    try {
      await onRename(newName)
      if (isUnchanged()) onClose()
    } catch (reason) {
      setError(messageOf(reason, texts.failed.name))
      document.getElementById(fieldId)?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form className={styles.nameForm} onSubmit={save}>
      {/* Escape closes the field, not the dialog around it. */}
      <TextField
        id={fieldId}
        label={t.label}
        hideLabel
        required
        value={draft}
        error={error}
        data-mantine-stop-propagation="true"
        onChange={event => {
          setDraft(event.currentTarget.value)
          setError(null)
        }}
        onKeyDown={event => event.key === 'Escape' && !busy && onClose()}
      />
      <Button kind="ink" size="small" type="submit" busy={busy}>
        {t.save}
      </Button>
      <Button size="small" disabledReason={busy ? t.wait : null} onClick={onClose}>
        {t.cancel}
      </Button>
    </Form>
  )
}
