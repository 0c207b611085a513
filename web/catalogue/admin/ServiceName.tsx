import { IconPencil } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '#web/client/send.ts'
import { Button, IconButton } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { texts } from './texts.ts'
import styles from './Services.module.css'

const t = texts.name

type ServiceNameProps = {
  /** Id of the heading, which names the card. */
  id: string
  name: string
  /** An error it throws is shown at the field, which stays open. */
  onRename: (name: string) => Promise<void>
}

/** The name of a service, editable. */
export function ServiceName({ id, name, onRename }: ServiceNameProps) {
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const fieldId = useId()
  const edited = useRef(false)
  const editing = draft !== null

  // Focuses the field, and afterwards the button that opened it.
  useEffect(() => {
    if (editing) document.getElementById(fieldId)?.focus()
    else if (edited.current) button.current?.focus()
    edited.current = editing
  }, [editing, fieldId])

  const stop = () => {
    setDraft(null)
    setError(null)
  }
  const save = async () => {
    const newName = (draft ?? '').trim()
    if (newName === '') return setError(t.empty)
    if (newName === name) return stop()
    setBusy(true)
    try {
      await onRename(newName)
      stop()
    } catch (reason) {
      setError(messageOf(reason, texts.failed.name))
      document.getElementById(fieldId)?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className={styles.nameLine} hidden={editing}>
        <h3 id={id} className={styles.name}>
          {name}
        </h3>
        <IconButton ref={button} name={texts.card.editName} onClick={() => setDraft(name)}>
          <IconPencil aria-hidden="true" />
        </IconButton>
      </div>
      {editing && (
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
            onKeyDown={event => event.key === 'Escape' && !busy && stop()}
          />
          <Button kind="ink" size="small" type="submit" busy={busy}>
            {t.save}
          </Button>
          <Button size="small" disabledReason={busy ? t.wait : null} onClick={stop}>
            {t.cancel}
          </Button>
        </Form>
      )}
    </>
  )
}
