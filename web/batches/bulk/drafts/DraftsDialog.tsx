/** Saves the table under a name, and opens or deletes drafts of this browser. */
import { useState } from 'react'
import { countText } from '#contract/format.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { SavedItem, SavedList } from '#web/batches/SavedList.tsx'
import { Button } from '#web/ui/Button.tsx'
import { dateTimeText } from '#web/ui/date-text.ts'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import type { BulkDraft } from './draft.ts'
import type { NamedDrafts } from './use-named-drafts.ts'
import styles from './DraftsDialog.module.css'

const t = texts.drafts
const MAX_NAME_LENGTH = 60

type DraftsDialogProps = {
  opened: boolean
  drafts: NamedDrafts
  /** False while the table is empty: there is nothing to save. */
  canSave: boolean
  suggestedName: string
  onOpen: (draft: BulkDraft) => void
  onClose: () => void
}

export function DraftsDialog(props: DraftsDialogProps) {
  const { opened, drafts, canSave, suggestedName, onOpen, onClose } = props
  const [deleting, setDeleting] = useState<string | null>(null)
  const open = async (name: string) => {
    const draft = await drafts.open(name)
    if (draft) onOpen(draft)
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={t.title}>
      {canSave && <SaveForm drafts={drafts} suggestedName={suggestedName} />}
      <ErrorLine>{drafts.error}</ErrorLine>
      <SavedList
        name={t.list}
        count={drafts.list.length}
        empty={t.none}
        isAsking={deleting !== null}
      >
        {drafts.list.map(({ name, rows, savedAt }) => (
          <SavedItem
            key={name}
            name={name}
            details={`${countText(rows, 'row')}, ${t.savedOn(dateTimeText(savedAt))}`}
          >
            <Button size="small" aria-label={t.openName(name)} onClick={() => void open(name)}>
              {t.open}
            </Button>
            <Button
              size="small"
              kind="quiet"
              aria-label={t.deleteName(name)}
              onClick={() => setDeleting(name)}
            >
              {texts.remove}
            </Button>
          </SavedItem>
        ))}
      </SavedList>
      <p className={styles.hint}>{t.hint}</p>
      <ConfirmDialog
        opened={deleting !== null}
        question={t.confirmDelete}
        description={t.deleteText(deleting ?? '')}
        onConfirm={async () => {
          await drafts.remove(deleting ?? '')
          setDeleting(null)
        }}
        onCancel={() => setDeleting(null)}
      />
    </Dialog>
  )
}

function SaveForm({ drafts, suggestedName }: Pick<DraftsDialogProps, 'drafts' | 'suggestedName'>) {
  const [name, setName] = useState(suggestedName)
  const [error, setError] = useState<string | null>(null)
  const tidy = name.trim()
  const replaces = drafts.list.some(draft => draft.name === tidy)
  const save = async () => {
    setError(tidy === '' ? t.nameMissing : null)
    if (tidy !== '' && (await drafts.save(tidy))) toastSuccess(t.saved(tidy))
  }
  return (
    <Form onSubmit={save} className={styles.form}>
      <TextField
        label={t.name}
        error={error}
        maxLength={MAX_NAME_LENGTH}
        value={name}
        data-autofocus
        onChange={event => setName(event.currentTarget.value)}
      />
      <Button kind="ink" type="submit">
        {replaces ? t.saveAgain : t.save}
      </Button>
    </Form>
  )
}
