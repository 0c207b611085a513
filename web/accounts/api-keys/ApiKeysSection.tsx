/** The section of the account page about keys for programs. */
import { IconKey, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { deleteKey } from '#contract/api-keys.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import { MAX_KEYS } from '#contract/keys.ts'
import { usdFromDollars } from '#contract/money.ts'
import { Item, ItemHint, ItemList, ItemListFoot, NoItems } from '#web/accounts/ItemList.tsx'
import { messageOf, send } from '#web/client/send.ts'
import { useSession, useUser } from '#web/client/session.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { MadeKeyDialog } from './MadeKeyDialog.tsx'
import { RotateKeyDialog } from './RotateKeyDialog.tsx'
import { SCOPE_TEXTS, texts } from './texts.ts'
import { useApiKeys } from './use-api-keys.ts'
import styles from './ApiKeys.module.css'

const t = texts.section
const CREATE_ID = 'create-api-key'

export function ApiKeysSection() {
  const { keys, failed, retry, refresh } = useApiKeys()
  return (
    <Card title={t.title} action={<a href={t.docsPath}>{t.docs}</a>}>
      {keys ? (
        <ApiKeys keys={keys} refresh={refresh} />
      ) : failed ? (
        <LoadErrorNotice onRetry={retry}>{t.loadFailed}</LoadErrorNotice>
      ) : (
        <div className={styles.section} aria-busy="true">
          <Skeleton width="80%" />
          <Skeleton width="60%" />
        </div>
      )}
    </Card>
  )
}

type OpenDialog = { kind: 'create' } | { kind: 'rotate' | 'remove'; key: ApiKey }

function ApiKeys({ keys, refresh }: { keys: ApiKey[]; refresh: () => Promise<void> }) {
  const { _id: userId } = useUser()
  const isSupport = useSession(session => session.impersonator !== null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [made, setMade] = useState<string | null>(null)
  const isFull = keys.filter(key => key.replacedBy === null).length >= MAX_KEYS
  const close = () => {
    const opener = dialog && dialog.kind !== 'create' ? menuIdOf(dialog.key._id) : CREATE_ID
    setDialog(null)
    // Of a deleted key the menu is gone.
    requestAnimationFrame(() =>
      (document.getElementById(opener) ?? document.getElementById(CREATE_ID))?.focus(),
    )
  }
  const show = async (key: string) => {
    setMade(key)
    setDialog(null)
    await refresh()
  }
  const create = (
    <Button
      id={CREATE_ID}
      icon={<IconPlus aria-hidden="true" />}
      disabledReason={isSupport ? t.support : isFull ? t.full : null}
      onClick={() => setDialog({ kind: 'create' })}
    >
      {t.create}
    </Button>
  )
  return (
    <div className={styles.section}>
      {keys.length === 0 ? (
        <NoItems title={t.none} text={t.noneText} action={create} />
      ) : (
        <>
          <p className={styles.explain}>{t.intro}</p>
          <ItemList>
            {keys.map(key => (
              <KeyRow
                key={key._id}
                apiKey={key}
                isSupport={isSupport}
                onAction={kind => setDialog({ kind, key })}
              />
            ))}
          </ItemList>
          <ItemListFoot
            note={
              <>
                {t.userId} <CopyText value={userId} name={t.copyUserId(userId)} />
              </>
            }
          >
            {create}
          </ItemListFoot>
        </>
      )}
      {dialog?.kind === 'create' && <CreateKeyDialog onMade={show} onClose={close} />}
      {dialog?.kind === 'rotate' && (
        <RotateKeyDialog apiKey={dialog.key} onMade={show} onClose={close} />
      )}
      {dialog?.kind === 'remove' && (
        <DeleteKeyDialog apiKey={dialog.key} refresh={refresh} onClose={close} />
      )}
      {made !== null && (
        <MadeKeyDialog
          value={made}
          onDone={() => {
            setMade(null)
            close()
          }}
        />
      )}
    </div>
  )
}

const menuIdOf = (keyId: string): string => `api-key-menu-${keyId}`

type KeyRowProps = {
  apiKey: ApiKey
  isSupport: boolean
  onAction: (kind: 'rotate' | 'remove') => void
}

function KeyRow({ apiKey, isSupport, onAction }: KeyRowProps) {
  const { _id, name, prefix, last4, scopes, createdAt, lastUsedAt, replacedBy } = apiKey
  const words = texts.row
  const isOver = isExpired(apiKey)
  const supportOnly = isSupport ? t.support : null
  return (
    <Item
      columns
      icon={IconKey}
      name={
        <>
          {name}
          {isOver && <StatusPill tone="red">{words.expired}</StatusPill>}
          {!isOver && replacedBy && <StatusPill tone="yellow">{words.replaced}</StatusPill>}
        </>
      }
      actions={
        <ActionMenu
          id={menuIdOf(_id)}
          name={words.actionsOf(`${name} …${last4}`)}
          actions={[
            ...(replacedBy
              ? []
              : [
                  {
                    text: words.rotate,
                    icon: IconRefresh,
                    disabledReason: supportOnly,
                    onClick: () => onAction('rotate'),
                  },
                ]),
            {
              text: words.remove,
              icon: IconTrash,
              danger: true,
              disabledReason: supportOnly,
              onClick: () => onAction('remove'),
            },
          ]}
        />
      }
    >
      <span className={styles.text}>
        {prefix}…{last4}
      </span>
      <span className={styles.scopes}>
        {scopes.map(scope => SCOPE_TEXTS[scope].name).join(', ')}
      </span>
      <ItemHint>
        <DotLine parts={[limitText(apiKey), <EndOfKey key="end" apiKey={apiKey} />]} />
      </ItemHint>
      <ItemHint>
        <DotLine
          parts={[
            <Fragment key="created">
              {words.created} <DateTime at={createdAt} />
            </Fragment>,
            lastUsedAt ? (
              <Fragment key="used">
                {words.used} <DateTime at={lastUsedAt} />
              </Fragment>
            ) : (
              words.unused
            ),
          ]}
        />
      </ItemHint>
    </Item>
  )
}

const isExpired = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && new Date(expiresAt).getTime() <= Date.now()

const limitText = ({ dailyLimit, spentToday }: ApiKey): string =>
  dailyLimit === null
    ? texts.row.noLimit
    : texts.row.limit(usdFromDollars(dailyLimit), usdFromDollars(spentToday ?? 0))

function EndOfKey({ apiKey }: { apiKey: ApiKey }) {
  const { expiresAt, replacedBy } = apiKey
  const words = texts.row
  if (expiresAt === null) return words.noEnd
  return (
    <>
      {isExpired(apiKey) ? words.ended : replacedBy ? words.worksUntil : words.expires}{' '}
      <DateTime at={expiresAt} />
    </>
  )
}

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
        try {
          const params = { userId, keyId: apiKey._id }
          toastSuccess((await send(deleteKey, { params })).message)
        } catch (reason) {
          throw new Error(messageOf(reason, texts.failed), { cause: reason })
        }
        await refresh()
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
