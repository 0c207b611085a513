/** The list of API keys: a table where it has room, else cards. */
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { usdFromDollars } from '#contract/money.ts'
import { serverNow } from '#web/client/server-clock.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { accessText } from './new-key.ts'
import { texts } from './texts.ts'
import styles from './ApiKeys.module.css'

const t = texts.section
const words = texts.row
/** All keys are on one page; while they load, it is as high as two of them. */
const ONE_PAGE = { page: 1, pages: 1, size: 2, setPage: () => {} }

type KeyTableProps = {
  /** Undefined while loading. */
  keys: ApiKey[] | undefined
  isSupport: boolean
  create: ReactNode
  errorNotice: ReactNode
  onAction: (kind: 'rotate' | 'remove', key: ApiKey) => void
}

export const menuIdOf = (keyId: string): string => `api-key-menu-${keyId}`

export function KeyTable({ keys, isSupport, create, errorNotice, onAction }: KeyTableProps) {
  const menu = (apiKey: ApiKey) => (
    <KeyMenu apiKey={apiKey} isSupport={isSupport} onAction={kind => onAction(kind, apiKey)} />
  )
  const columns: Column<ApiKey>[] = [
    { head: t.columns.name, cell: key => <KeyName apiKey={key} /> },
    { head: t.columns.key, cell: key => <KeyMark apiKey={key} /> },
    {
      head: t.columns.access,
      cell: key => (
        <span className={styles.access}>
          <span>{accessText(key.scopes)}</span>
          <KeyLimits apiKey={key} />
        </span>
      ),
    },
    {
      head: t.columns.used,
      align: 'end',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <DateTime at={lastUsedAt} /> : words.unused),
    },
    {
      head: t.columns.created,
      align: 'end',
      cell: ({ createdAt }) => <DateTime at={createdAt} />,
    },
    { head: t.columns.actions, hideHead: true, align: 'end', cell: menu },
  ]
  return (
    <div className={styles.keys}>
      <ListTable
        title={t.list(keys?.length)}
        titleWhileEmpty={false}
        // In a box of its own, as wide as the button of the webhooks.
        action={keys?.length !== 0 && <span>{create}</span>}
        columns={columns}
        rows={keys}
        rowKey={key => key._id}
        paging={ONE_PAGE}
        errorNotice={errorNotice}
        empty={{ title: t.none, text: t.noneText, action: create }}
        card={key => ({
          title: <KeyName apiKey={key} />,
          details: [
            <DotLine
              key="mark"
              parts={[
                <KeyMark key="mark" apiKey={key} />,
                key.lastUsedAt ? (
                  <span key="used">
                    {words.used} <DateTime at={key.lastUsedAt} />
                  </span>
                ) : (
                  words.neverUsed
                ),
              ]}
            />,
            <span key="access" className={styles.scopes}>
              {accessText(key.scopes)}
            </span>,
            <KeyLimits key="limits" apiKey={key} />,
          ],
          actions: menu(key),
          actionsAt: 'end',
        })}
      />
    </div>
  )
}

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const isOver = isExpired(apiKey)
  return (
    <span className={styles.name}>
      {apiKey.name}
      {isOver && <StatusPill tone="red">{words.expired}</StatusPill>}
      {!isOver && apiKey.replacedBy && <StatusPill tone="yellow">{words.replaced}</StatusPill>}
    </span>
  )
}

const KeyMark = ({ apiKey: { prefix, last4 } }: { apiKey: ApiKey }) => (
  <span className={styles.mark}>
    {prefix}…{last4}
  </span>
)

const KeyLimits = ({ apiKey }: { apiKey: ApiKey }) => (
  <DotLine
    className={styles.hint}
    parts={[limitText(apiKey), <EndOfKey key="end" apiKey={apiKey} />]}
  />
)

const isExpired = ({ expiresAt }: ApiKey): boolean =>
  expiresAt !== null && new Date(expiresAt).getTime() <= serverNow()

const limitText = ({ dailyLimit, spentToday }: ApiKey): string =>
  dailyLimit === null
    ? words.noLimit
    : words.limit(usdFromDollars(dailyLimit), usdFromDollars(spentToday ?? 0))

function EndOfKey({ apiKey }: { apiKey: ApiKey }) {
  const { expiresAt, replacedBy } = apiKey
  if (expiresAt === null) return words.noEnd
  return (
    <>
      {isExpired(apiKey) ? words.ended : replacedBy ? words.worksUntil : words.expires}{' '}
      <DateTime at={expiresAt} />
    </>
  )
}

type KeyMenuProps = {
  apiKey: ApiKey
  isSupport: boolean
  onAction: (kind: 'rotate' | 'remove') => void
}

function KeyMenu({ apiKey, isSupport, onAction }: KeyMenuProps) {
  const { _id, name, last4, replacedBy } = apiKey
  const disabledReason = isSupport ? t.support : null
  const rotate = {
    text: words.rotate,
    icon: IconRefresh,
    disabledReason,
    onClick: () => onAction('rotate'),
  }
  return (
    <ActionMenu
      id={menuIdOf(_id)}
      name={words.actionsOf(`${name} …${last4}`)}
      actions={[
        ...(replacedBy ? [] : [rotate]),
        {
          text: words.remove,
          icon: IconTrash,
          danger: true,
          disabledReason,
          onClick: () => onAction('remove'),
        },
      ]}
    />
  )
}
