import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { createWebhook, updateWebhook, WEBHOOK_TYPES } from '#contract/webhooks.ts'
import type { OfferedWebhookType, Webhook } from '#contract/webhooks.ts'
import { send } from '#web/client/send.ts'
import { useIsSupport, useUser } from '#web/client/session.ts'
import { useAction } from '#web/client/use-action.ts'
import { CheckGroup } from '#web/ui/CheckGroup.tsx'
import { CheckField, TextField } from '#web/ui/Field.tsx'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useIsUnchanged } from '#web/ui/use-is-unchanged.ts'
import { TYPE_TEXTS, texts } from './texts.ts'
import { TypeChips } from './TypeChips.tsx'
import styles from './Webhooks.module.css'

const t = texts.form
const FIELDS = { url: true, types: true }
/** A test is sent on request, to each webhook. */
const CHOICES = WEBHOOK_TYPES.flatMap(type => {
  const label = TYPE_TEXTS[type]
  return label === undefined ? [] : [{ value: type, label, description: type }]
})

const ALL_TYPES = <TypeChips types={CHOICES.map(({ value }) => value)} />

type WebhookDialogProps = {
  /** Undefined for a new one. */
  webhook?: Webhook
  onMade?: (secret: string) => void
  refresh: () => Promise<void>
  onClose: () => void
}

export function WebhookDialog({ webhook, onMade, refresh, onClose }: WebhookDialogProps) {
  const { _id: userId } = useUser()
  const isSupport = useIsSupport()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [types, setTypes] = useState<readonly OfferedWebhookType[]>(
    CHOICES.map(({ value }) => value).filter(type => webhook?.types.includes(type) ?? true),
  )
  const [bulkRows, setBulkRows] = useState(webhook?.bulkRows ?? false)
  const { busy, errors, refused, clearError, run } = useAction(texts.failed, FIELDS)
  const isUnchanged = useIsUnchanged([url, types, bulkRows])
  // What the other format sends is chosen through /v2.
  const isOurs = webhook?.format !== 'easypost'

  const wrong = {
    ...(url.trim() === '' && { url: t.urlRequired }),
    ...(types.length === 0 && { types: t.typesRequired }),
  }
  const save = async () => {
    const choices = { types: [...types], bulkRows }
    if (webhook) {
      const body = { ...(!isSupport && { url }), ...(isOurs && choices) }
      await send(updateWebhook, { params: { userId, webhookId: webhook._id }, body })
      await refresh()
      toastSuccess(t.saved)
      if (isUnchanged()) onClose()
    } else {
      const body = { url, ...choices }
      const { secret } = await send(createWebhook, { params: { userId }, body })
      void refresh()
      onMade?.(secret)
    }
  }

  return (
    <FormDialog
      title={webhook ? t.editTitle : t.createTitle}
      refused={refused}
      submitText={webhook ? t.save : t.create}
      busy={busy}
      onSubmit={() => run(save, wrong)}
      onClose={onClose}
    >
      <TextField
        label={t.url}
        description={isSupport ? t.urlOfUser : t.urlHint}
        placeholder={t.urlExample}
        error={errors.url}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        required={!isSupport}
        readOnly={isSupport}
        data-autofocus
        value={url}
        onChange={event => {
          setUrl(event.currentTarget.value)
          clearError('url')
        }}
      />
      {isOurs && (
        <>
          <CheckGroup
            legend={t.types}
            options={CHOICES}
            all={t.allTypes(CHOICES.length)}
            allHint={ALL_TYPES}
            chosen={types}
            error={errors.types}
            onChange={chosen => {
              setTypes(chosen)
              clearError('types')
            }}
          />
          <CheckField
            label={t.bulkRows}
            description={t.bulkRowsHint}
            checked={bulkRows}
            onChange={event => setBulkRows(event.currentTarget.checked)}
          />
        </>
      )}
      {!webhook && (
        <p className={styles.once}>
          <IconInfoCircle aria-hidden="true" />
          {t.secret}
        </p>
      )}
    </FormDialog>
  )
}
