/** The section of the account page about keys for programs. */
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { deleteKey } from '#contract/api-keys.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import { MAX_KEYS } from '#contract/keys.ts'
import { SettingsList } from '#web/accounts/Settings.tsx'
import { orMessage, send } from '#web/client/send.ts'
import { useIsSupport, useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { FirstCall } from './FirstCall.tsx'
import { KeyTable, menuIdOf } from './KeyTable.tsx'
import { MadeKeyDialog } from './MadeKeyDialog.tsx'
import { RotateKeyDialog } from './RotateKeyDialog.tsx'
import { texts } from './texts.ts'
import { useApiKeys } from './use-api-keys.ts'

const t = texts.section
const CREATE_ID = 'create-api-key'

export function ApiKeysSection() {
  const isSupport = useIsSupport()
  const { keys, failed, retry, refresh } = useApiKeys()
  const dialogs = useOpened<OpenDialog>()
  const dialog = dialogs.opened
  const [made, setMade] = useState<string | null>(null)
  const isFull =
    keys !== undefined && keys.filter(key => key.replacedBy === null).length >= MAX_KEYS
  const close = (one: OpenDialog) => {
    if (!dialogs.close(one)) return
    focusSoon(one.kind === 'create' ? CREATE_ID : menuIdOf(one.key._id))
  }
  const show = async (key: string, one: OpenDialog) => {
    setMade(key)
    dialogs.close(one)
    await refresh()
  }
  const create = (
    <Button
      id={CREATE_ID}
      kind="ink"
      icon={<IconPlus aria-hidden="true" />}
      disabledReason={isSupport ? t.support : isFull ? t.full : null}
      onClick={() => dialogs.open({ kind: 'create' })}
    >
      {t.create}
    </Button>
  )
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
      <KeyTable
        keys={keys}
        isSupport={isSupport}
        create={create}
        errorNotice={failed && <LoadErrorNotice onRetry={retry}>{t.loadFailed}</LoadErrorNotice>}
        onAction={(kind, key) => dialogs.open({ kind, key })}
      />
      {keys && keys.length > 0 && <FirstCall />}
      {dialog?.kind === 'create' && (
        <CreateKeyDialog onMade={key => show(key, dialog)} onClose={() => close(dialog)} />
      )}
      {dialog?.kind === 'rotate' && (
        <RotateKeyDialog
          apiKey={dialog.key}
          onMade={key => show(key, dialog)}
          onClose={() => close(dialog)}
        />
      )}
      {dialog?.kind === 'remove' && (
        <DeleteKeyDialog apiKey={dialog.key} refresh={refresh} onClose={() => close(dialog)} />
      )}
      {made !== null && (
        <MadeKeyDialog
          value={made}
          onDone={() => {
            setMade(null)
            if (!dialog) focusSoon(CREATE_ID)
          }}
        />
      )}
    </SettingsList>
  )
}

/** Of a deleted key the menu is gone. */
const focusSoon = (opener: string) =>
  requestAnimationFrame(() =>
    (document.getElementById(opener) ?? document.getElementById(CREATE_ID))?.focus(),
  )

type OpenDialog = { kind: 'create' } | { kind: 'rotate' | 'remove'; key: ApiKey }

type DeleteKeyDialogProps = { apiKey: ApiKey; refresh: () => Promise<void>; onClose: () => void }

function DeleteKeyDialog({ apiKey, refresh, onClose }: DeleteKeyDialogProps) {
  const { _id: userId } = useUser()
  const words = texts.remove
  return (
    <ConfirmDialog
      opened
      question={words.question}
      confirmLabel={words.confirm}
      description={words.text(apiKey.name)}
      onConfirm={async () => {
        const params = { userId, keyId: apiKey._id }
        toastSuccess((await orMessage(send(deleteKey, { params }), texts.failed)).message)
        await refresh()
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
