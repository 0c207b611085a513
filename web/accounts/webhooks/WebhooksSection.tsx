/** The section of the account page about messages to the user's programs. */
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { changeWebhookSecret, deleteWebhook, MAX_WEBHOOKS } from '#contract/webhooks.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { ItemList } from '#web/accounts/ItemList.tsx'
import { SettingsList } from '#web/accounts/Settings.tsx'
import { orMessage, send } from '#web/client/send.ts'
import { useIsSupport, useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { DeliveriesDialog } from './DeliveriesDialog.tsx'
import { EventList } from './EventList.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { TestDialog } from './TestDialog.tsx'
import { texts } from './texts.ts'
import { useWebhooks } from './use-webhooks.ts'
import { WebhookDialog } from './WebhookDialog.tsx'
import { WebhookRow } from './WebhookRow.tsx'
import type { RowAction } from './WebhookRow.tsx'
import styles from './Webhooks.module.css'

const t = texts.section
const CREATE_ID = 'create-webhook'

export function WebhooksSection() {
  const { webhooks, failed, retry, refresh } = useWebhooks()
  return (
    <SettingsList
      name={t.name}
      title={t.title}
      text={
        <>
          {t.intro} <a href={t.docsPath}>{t.docs}</a>
        </>
      }
    >
      {webhooks ? (
        <>
          <Webhooks webhooks={webhooks} refresh={refresh} />
          {webhooks.length > 0 && <EventList webhooks={webhooks} />}
        </>
      ) : (
        <Card>
          {failed ? (
            <LoadErrorNotice onRetry={retry}>{t.loadFailed}</LoadErrorNotice>
          ) : (
            <div className={styles.section} aria-busy="true">
              <Skeleton width="80%" />
              <Skeleton width="60%" />
            </div>
          )}
        </Card>
      )}
    </SettingsList>
  )
}

type OpenDialog = { kind: 'create' } | { kind: RowAction; webhook: Webhook }

type MadeSecret = { value: string; isNew: boolean }

type WebhooksProps = { webhooks: Webhook[]; refresh: () => Promise<void> }

function Webhooks({ webhooks, refresh }: WebhooksProps) {
  const isSupport = useIsSupport()
  const dialogs = useOpened<OpenDialog>()
  const dialog = dialogs.opened
  /** Shown only once, so also over another dialog. */
  const [made, setMade] = useState<MadeSecret | null>(null)
  const opener = useRef(CREATE_ID)
  const isFull = webhooks.length >= MAX_WEBHOOKS
  const open = (next: OpenDialog, openerId: string) => {
    opener.current = openerId
    dialogs.open(next)
  }
  const focusOpener = () =>
    // The row of a deleted webhook is gone.
    requestAnimationFrame(() =>
      (document.getElementById(opener.current) ?? document.getElementById(CREATE_ID))?.focus(),
    )
  const create = (
    <Button
      id={CREATE_ID}
      kind="ink"
      icon={<IconPlus aria-hidden="true" />}
      disabledReason={isSupport ? t.createOfUser : isFull ? t.full : null}
      onClick={() => open({ kind: 'create' }, CREATE_ID)}
    >
      {t.create}
    </Button>
  )
  return (
    <Card
      className={webhooks.length > 0 ? styles.webhooks : undefined}
      title={webhooks.length === 0 ? undefined : t.count(webhooks.length)}
      action={webhooks.length > 0 && create}
    >
      {webhooks.length === 0 ? (
        <EmptyState title={t.none} text={t.noneText} action={create} />
      ) : (
        <ItemList>
          {webhooks.map(webhook => (
            <WebhookRow
              key={webhook._id}
              webhook={webhook}
              refresh={refresh}
              onAction={(kind, openerId) => open({ kind, webhook }, openerId)}
            />
          ))}
        </ItemList>
      )}
      {dialog && (
        <WebhookDialogs
          dialog={dialog}
          refresh={refresh}
          onSecret={secret => {
            setMade(secret)
            dialogs.close(dialog)
          }}
          onClose={() => dialogs.close(dialog) && focusOpener()}
        />
      )}
      {made && (
        <SecretDialog
          {...made}
          onDone={() => {
            setMade(null)
            if (!dialog) focusOpener()
          }}
        />
      )}
    </Card>
  )
}

type WebhookDialogsProps = {
  dialog: OpenDialog
  refresh: () => Promise<void>
  onSecret: (secret: MadeSecret) => void
  onClose: () => void
}

function WebhookDialogs({ dialog, refresh, onSecret, onClose }: WebhookDialogsProps) {
  const shared = { refresh, onClose }
  switch (dialog.kind) {
    case 'create':
      return <WebhookDialog {...shared} onMade={value => onSecret({ value, isNew: true })} />
    case 'edit':
      return <WebhookDialog {...shared} webhook={dialog.webhook} />
    case 'secret':
      return (
        <ChangeSecretDialog
          webhook={dialog.webhook}
          onMade={value => onSecret({ value, isNew: false })}
          onClose={onClose}
        />
      )
    case 'remove':
      return <DeleteWebhookDialog {...shared} webhook={dialog.webhook} />
    case 'test':
      return <TestDialog webhook={dialog.webhook} onClose={onClose} />
    case 'deliveries':
      return <DeliveriesDialog webhook={dialog.webhook} onClose={onClose} />
  }
}

type ChangeSecretDialogProps = {
  webhook: Webhook
  onMade: (secret: string) => void
  onClose: () => void
}

function ChangeSecretDialog({ webhook, onMade, onClose }: ChangeSecretDialogProps) {
  const { _id: userId } = useUser()
  const words = texts.change
  return (
    <ConfirmDialog
      opened
      kind="ink"
      question={words.question}
      confirmLabel={words.confirm}
      description={words.text(webhook.url)}
      onConfirm={async () => {
        const params = { userId, webhookId: webhook._id }
        onMade((await orMessage(send(changeWebhookSecret, { params }), texts.failed)).secret)
      }}
      onCancel={onClose}
    />
  )
}

type DeleteWebhookDialogProps = {
  webhook: Webhook
  refresh: () => Promise<void>
  onClose: () => void
}

function DeleteWebhookDialog({ webhook, refresh, onClose }: DeleteWebhookDialogProps) {
  const { _id: userId } = useUser()
  const words = texts.remove
  return (
    <ConfirmDialog
      opened
      question={words.question}
      confirmLabel={words.confirm}
      description={words.text(webhook.url)}
      onConfirm={async () => {
        const params = { userId, webhookId: webhook._id }
        toastSuccess((await orMessage(send(deleteWebhook, { params }), texts.failed)).message)
        await refresh()
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
