/** The section of the account page about second factors and recovery codes. */
import {
  IconDeviceMobile,
  IconInfoCircle,
  IconKey,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ResponseData } from '#contract/endpoint.ts'
import { removeFactor, renewRecoveryCodes } from '#contract/second-factor.ts'
import type { Factor, listFactors } from '#contract/second-factor.ts'
import { Item, ItemHint, ItemList, ItemText } from '#web/accounts/ItemList.tsx'
import { SettingsRow } from '#web/accounts/Settings.tsx'
import { ApiError, messageOf, orMessage, send } from '#web/client/send.ts'
import { useIsSupport, useUser } from '#web/client/session.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { passkeyObstacle } from './passkeys.ts'
import { RenameDialog } from './RenameDialog.tsx'
import { texts } from './texts.ts'
import { useAddFactor } from './use-add-factor.tsx'
import { useFactors } from './use-factors.ts'
import styles from './TwoStep.module.css'

const t = texts.section

/** Fewer are worth a warning. */
const FEW_CODES = 4

type FactorList = ResponseData<typeof listFactors>

export function TwoStepSection() {
  const isSupport = useIsSupport()
  const { factors, failed, retry, refresh } = useFactors()
  const on = factors !== undefined && factors.factors.length > 0
  const pill = factors && (
    <StatusPill tone={on ? 'green' : 'neutral'}>{on ? t.on : t.off}</StatusPill>
  )
  const text = on ? t.onText : t.offText
  return (
    <SettingsRow
      title={t.title}
      pill={pill}
      text={
        isSupport ? (
          t.support
        ) : (
          <>
            {text} {factors?.required && t.requiredText}
          </>
        )
      }
      isRegion
    >
      {isSupport ? null : factors ? (
        <FactorSettings list={factors} refresh={refresh} />
      ) : failed ? (
        <LoadErrorNotice onRetry={retry}>{t.loadFailed}</LoadErrorNotice>
      ) : (
        <div className={styles.status} aria-busy="true">
          <Skeleton width="80%" />
          <Skeleton width="60%" />
        </div>
      )}
    </SettingsRow>
  )
}

type Change = { kind: 'rename' | 'remove'; factor: Factor }

function FactorSettings({ list, refresh }: { list: FactorList; refresh: () => Promise<void> }) {
  const { factors, required, recoveryCodesLeft } = list
  const add = useAddFactor(refresh, () => {})
  const changes = useOpened<Change>()
  const change = changes.opened
  const on = factors.length > 0
  return (
    <div className={styles.status}>
      {on && (
        <ItemList>
          {factors.map(factor => (
            <FactorRow
              key={factor._id}
              factor={factor}
              keep={required && factors.length === 1}
              onChange={kind => changes.open({ kind, factor })}
            />
          ))}
        </ItemList>
      )}
      <FactorButtons list={list} add={add} kind="outline" />
      {on && <RecoveryCodes left={recoveryCodesLeft} onRenewed={add.showCodes} refresh={refresh} />}
      {change && (
        <ChangeDialog
          change={change}
          last={factors.length === 1}
          refresh={refresh}
          onClose={() => {
            if (!changes.close(change)) return
            // The menu that opened the dialog, unless its row is gone.
            requestAnimationFrame(() =>
              document.getElementById(menuIdOf(change.factor._id))?.focus(),
            )
          }}
        />
      )}
      {add.dialog}
    </div>
  )
}

/** Why passkeys are not possible: by the server, or in this browser. */
const obstacleOf = ({ passkeysPossible, passkeyProblem }: FactorList): string | null =>
  passkeysPossible ? passkeyObstacle() : (passkeyProblem ?? passkeyObstacle() ?? t.noPasskeys)

/** The address in a sentence as a link. */
const withLink = (sentence: string): ReactNode[] =>
  sentence.split(/(https?:\/\/\S+)/).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={part}>
        {part}
      </a>
    ),
  )

/** The ways to add a factor, and why one of them is not possible here. */
export function FactorButtons({
  list,
  add,
  kind,
}: {
  list: FactorList
  add: ReturnType<typeof useAddFactor>
  /** Of the button that adds an app: `ink` where nothing else is to be done. */
  kind: 'ink' | 'outline'
}) {
  const obstacle = obstacleOf(list)
  return (
    <>
      <div className={styles.adders}>
        <Button
          kind={kind}
          icon={<IconDeviceMobile aria-hidden="true" />}
          busy={add.busy}
          onClick={add.addApp}
        >
          {t.addApp}
        </Button>
        <Button
          icon={<IconKey aria-hidden="true" />}
          disabledReason={obstacle}
          onClick={add.addPasskey}
        >
          {t.addPasskey}
        </Button>
      </div>
      {obstacle && (
        <p role="status" className={styles.obstacle}>
          <IconInfoCircle aria-hidden="true" />
          <span>{withLink(obstacle)}</span>
        </p>
      )}
    </>
  )
}

const menuIdOf = (factorId: string): string => `factor-menu-${factorId}`

type FactorRowProps = {
  factor: Factor
  /** It is the last one, and one is required. */
  keep: boolean
  onChange: (kind: Change['kind']) => void
}

function FactorRow({ factor, keep, onChange }: FactorRowProps) {
  const { _id, kind, name, createdAt, lastUsedAt, backedUp } = factor
  return (
    <Item
      icon={kind === 'totp' ? IconDeviceMobile : IconKey}
      name={
        <>
          {name}
          {backedUp && (
            <span title={t.syncedHint}>
              <StatusPill tone="neutral">{t.synced}</StatusPill>
            </span>
          )}
        </>
      }
      actions={
        <ActionMenu
          id={menuIdOf(_id)}
          name={t.actionsOf(name)}
          actions={[
            { text: t.rename, icon: IconPencil, onClick: () => onChange('rename') },
            {
              text: t.remove,
              icon: IconTrash,
              danger: true,
              disabledReason: keep ? t.lastRequired : null,
              onClick: () => onChange('remove'),
            },
          ]}
        />
      }
    >
      <ItemHint>
        {name !== texts.kinds[kind] && `${texts.kinds[kind]} · `}
        {t.added} <DateTime at={createdAt} />
      </ItemHint>
      <ItemHint>
        {lastUsedAt ? (
          <>
            {t.used} <DateTime at={lastUsedAt} />
          </>
        ) : (
          t.unused
        )}
      </ItemHint>
    </Item>
  )
}

type ChangeDialogProps = {
  change: Change
  last: boolean
  refresh: () => Promise<void>
  onClose: () => void
}

function ChangeDialog({ change: { kind, factor }, last, refresh, onClose }: ChangeDialogProps) {
  const { _id: userId } = useUser()
  const t = texts.removing
  if (kind === 'rename')
    return <RenameDialog factor={factor} onRenamed={refresh} onClose={onClose} />
  return (
    <ConfirmDialog
      opened
      question={t.question}
      confirmLabel={t.confirm}
      description={
        <>
          <p>{t.text(factor.name)}</p>
          {last && <p>{t.last}</p>}
        </>
      }
      onConfirm={async () => {
        const params = { userId, factorId: factor._id }
        toastSuccess((await orMessage(send(removeFactor, { params }), texts.failed)).message)
        await refresh()
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

type RecoveryCodesProps = {
  left: number
  onRenewed: (codes: string[]) => void
  refresh: () => Promise<void>
}

function RecoveryCodes({ left, onRenewed, refresh }: RecoveryCodesProps) {
  const { _id: userId } = useUser()
  const [asking, setAsking] = useState(false)
  const t = texts.codes
  const few = left < FEW_CODES
  return (
    <div className={styles.recovery}>
      <ItemText name={t.left(left)}>
        {few ? <span className={styles.low}>{t.few}</span> : <ItemHint>{t.leftText}</ItemHint>}
      </ItemText>
      <Button onClick={() => setAsking(true)}>{t.renew}</Button>
      <ConfirmDialog
        opened={asking}
        kind="ink"
        question={t.renewQuestion}
        confirmLabel={t.renewConfirm}
        description={t.renewText}
        onConfirm={async () => {
          try {
            const { recoveryCodes } = await send(renewRecoveryCodes, { params: { userId } })
            setAsking(false)
            onRenewed(recoveryCodes)
          } catch (reason) {
            // Another tab has removed the last method.
            if (reason instanceof ApiError && reason.status === 409) {
              toastError(reason.message)
              setAsking(false)
              return refresh()
            }
            throw new Error(messageOf(reason, texts.failed), { cause: reason })
          }
          await refresh()
        }}
        onCancel={() => setAsking(false)}
      />
    </div>
  )
}
