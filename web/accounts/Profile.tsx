import { useState } from 'react'
import { saveAccount } from '#contract/accounts.ts'
import { send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { EmailRow } from './email/EmailRow.tsx'
import { nameErrorFor } from './profile-form.ts'
import { rowField, SettingsCard, SettingsRow, WithButton } from './Settings.tsx'
import { texts } from './texts.ts'

const t = texts.account
const FIELD_ID = 'account-name'

export function Profile() {
  return (
    <SettingsCard>
      <NameRow />
      <EmailRow />
    </SettingsCard>
  )
}

function NameRow() {
  const { _id: userId, name: saved } = useUser()
  // Null while the field shows the saved name, which may change meanwhile in another tab.
  const [draft, setDraft] = useState<string | null>(null)
  const { busy, errors, refused, clearError, run } = useAction(t.failed, { name: true })
  // During a save, a name equal to the old one stays: it must be sent again.
  if (!busy && draft === saved) setDraft(null)
  const name = draft ?? saved
  const isChanged = name !== saved
  const guard = useUnsavedChangesGuard(isChanged && !busy)

  const save = async () => {
    if (!isChanged) return
    // Without a password, the current one stays.
    const body = { name, password: '', currentPassword: '' }
    const { user, message } = await send(saveAccount, { params: { userId }, body })
    // Shown as the server keeps it; what was typed meanwhile stays.
    setDraft(now => (now === name ? user.name : now))
    toastSuccess(message || t.saved)
    await refreshUser()
  }

  return (
    <Form onSubmit={() => run(save, { name: nameErrorFor(name) })}>
      <SettingsRow title={texts.name} text={t.nameHint} fieldId={FIELD_ID}>
        <WithButton>
          <TextField
            {...rowField(FIELD_ID, t.nameHint)}
            name="name"
            autoComplete="name"
            required
            value={name}
            error={errors.name}
            onChange={event => {
              setDraft(event.currentTarget.value)
              clearError('name')
            }}
          />
          <Button
            kind="ink"
            type="submit"
            busy={busy}
            disabledReason={isChanged || busy ? null : t.unchanged}
          >
            {t.save}
          </Button>
        </WithButton>
        <ErrorLine>{refused}</ErrorLine>
      </SettingsRow>
      <ConfirmDiscard guard={guard} subject={texts.name} />
    </Form>
  )
}
