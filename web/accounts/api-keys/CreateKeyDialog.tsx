import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { createKey } from '#contract/api-keys.ts'
import { SCOPES } from '#contract/keys.ts'
import { send } from '#web/client/send.ts'
import { serverNow } from '#web/client/server-clock.ts'
import { useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { CheckGroup } from '#web/ui/CheckGroup.tsx'
import { NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { EMPTY_KEY_FORM, keyBodyFrom, keyFormErrors, withAccess } from './new-key.ts'
import type { KeyForm, KeyFormErrors } from './new-key.ts'
import { ACCESS_TEXTS, SCOPE_TEXTS, texts } from './texts.ts'
import styles from './ApiKeys.module.css'

const t = texts.create
const FIELDS = { name: true, scopes: true, dailyLimit: true }
const SCOPE_OPTIONS = SCOPES.map(scope => ({
  value: scope,
  label: SCOPE_TEXTS[scope].name,
  description: SCOPE_TEXTS[scope].explain,
}))

const ACCESS_OPTIONS = (['read', 'buy', 'all', 'custom'] as const).map(access => ({
  value: access,
  text: ACCESS_TEXTS[access].name,
  hint: ACCESS_TEXTS[access].explain,
}))

type CreateKeyDialogProps = { onMade: (key: string) => Promise<void>; onClose: () => void }

export function CreateKeyDialog({ onMade, onClose }: CreateKeyDialogProps) {
  const { _id: userId } = useUser()
  const phone = useIsPhone()
  const [form, setForm] = useState<KeyForm>(EMPTY_KEY_FORM)
  const { busy, errors, refused, clearRefusal, clearError, run } = useAction(texts.failed, FIELDS)

  const change = (changed: Partial<KeyForm>, field?: keyof KeyFormErrors) => {
    setForm(old => ({ ...old, ...changed }))
    if (field) clearError(field)
    clearRefusal()
  }
  const create = async () => {
    const body = keyBodyFrom(form, serverNow())
    const { key } = await send(createKey, { params: { userId }, body })
    await onMade(key)
  }

  return (
    <FormDialog
      title={t.title}
      refused={refused}
      submitText={t.submit}
      busy={busy}
      onSubmit={() => run(create, keyFormErrors(form))}
      onClose={onClose}
    >
      <TextField
        label={t.name}
        description={t.nameHint}
        error={errors.name}
        name="name"
        required
        autoComplete="off"
        maxLength={t.nameMax}
        data-autofocus
        value={form.name}
        onChange={event => change({ name: event.currentTarget.value }, 'name')}
      />
      <RadioGroup
        label={t.access}
        inRow={!phone}
        options={ACCESS_OPTIONS}
        value={form.access}
        onChange={access => change(withAccess(form, access), 'scopes')}
      />
      {form.access === 'custom' && (
        <CheckGroup
          legend={t.scopes}
          options={SCOPE_OPTIONS}
          chosen={form.scopes}
          error={errors.scopes}
          onChange={scopes => change({ scopes }, 'scopes')}
        />
      )}
      <div className={styles.pair}>
        <TextField
          label={t.limit}
          description={t.limitHint}
          error={errors.dailyLimit}
          name="dailyLimit"
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          placeholder={t.limitNone}
          value={form.limit}
          onChange={event => change({ limit: event.currentTarget.value }, 'dailyLimit')}
        />
        <NativeSelectField
          label={t.expires}
          description={t.expiresHint}
          error={null}
          name="expires"
          data={t.lifetimes}
          value={form.lifetime}
          onChange={event => change({ lifetime: event.currentTarget.value })}
        />
      </div>
      <p className={styles.once}>
        <IconInfoCircle aria-hidden="true" />
        {t.once}
      </p>
    </FormDialog>
  )
}
