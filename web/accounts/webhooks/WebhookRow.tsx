import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { updateWebhook, WEBHOOK_TYPES } from '#contract/webhooks.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { Item, ItemHint } from '#web/accounts/ItemList.tsx'
import { messageOf, send } from '#web/client/send.ts'
import { useIsSupport, useUser } from '#web/client/session.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import { BreakableText } from '#web/ui/BreakableText.tsx'
import { Button } from '#web/ui/Button.tsx'
import { DotLine } from '#web/ui/DotLine.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { DateTime, RelativeTime } from '#web/ui/Value.tsx'
import { failureText } from './last-failure.ts'
import { OFF_TEXTS, texts } from './texts.ts'
import { TypeChips } from './TypeChips.tsx'
import { useFailure } from './use-webhooks.ts'
import styles from './Webhooks.module.css'

const t = texts.row

export type RowAction = 'edit' | 'secret' | 'remove' | 'test' | 'deliveries'

type WebhookRowProps = {
  webhook: Webhook
  refresh: () => Promise<void>
  /** `openerId`: of the element that gets the focus back. */
  onAction: (action: RowAction, openerId: string) => void
}

export function WebhookRow({ webhook, refresh, onAction }: WebhookRowProps) {
  const { _id, url, enabled } = webhook
  const { _id: userId } = useUser()
  const isSupport = useIsSupport()
  const idOf = (part: string) => `webhook-${part}-${_id}`
  const fromMenu = (action: RowAction) => () => onAction(action, idOf('menu'))
  const toggle = async () => {
    try {
      await send(updateWebhook, {
        params: { userId, webhookId: _id },
        body: { enabled: !enabled },
      })
      await refresh()
      toastSuccess(enabled ? t.switchedOff : t.switchedOn)
    } catch (reason) {
      toastError(messageOf(reason, texts.failed))
    }
  }
  return (
    <Item
      className={styles.webhook}
      icon={IconWebhook}
      name={
        <span className={styles.url}>
          <BreakableText text={url} />{' '}
          <span className={styles.state}>
            <StateOfWebhook webhook={webhook} />
          </span>
        </span>
      }
      actions={
        <div className={styles.actions}>
          <div className={styles.rowButtons}>
            <Button id={idOf('test')} onClick={() => onAction('test', idOf('test'))}>
              {t.test}
            </Button>
            <Button
              id={idOf('deliveries')}
              onClick={() => onAction('deliveries', idOf('deliveries'))}
            >
              {t.deliveries}
            </Button>
          </div>
          <ActionMenu
            id={idOf('menu')}
            name={t.actionsOf(url)}
            actions={[
              {
                text: t.edit,
                icon: IconPencil,
                // Of a webhook made through /v2 only the URL can be changed here.
                disabledReason:
                  isSupport && webhook.format === 'easypost' ? texts.form.urlOfUser : null,
                onClick: fromMenu('edit'),
              },
              {
                text: t.secret,
                icon: IconKey,
                disabledReason:
                  webhook.format === 'easypost'
                    ? t.secretOfEasypost
                    : isSupport
                      ? t.secretOfUser
                      : null,
                onClick: fromMenu('secret'),
              },
              enabled
                ? { text: t.switchOff, icon: IconPlayerPause, onClick: () => void toggle() }
                : { text: t.switchOn, icon: IconPlayerPlay, onClick: () => void toggle() },
              { text: t.remove, icon: IconTrash, danger: true, onClick: fromMenu('remove') },
            ]}
          />
        </div>
      }
    >
      <AboutWebhook webhook={webhook} />
    </Item>
  )
}

function StateOfWebhook({ webhook: { enabled, failingSince } }: { webhook: Webhook }) {
  if (!enabled) return <StatusPill tone="neutral">{t.off}</StatusPill>
  if (failingSince) return <StatusPill tone="red">{t.failing}</StatusPill>
  return <StatusPill tone="green">{t.on}</StatusPill>
}

/** As precise as moments are shown. */
const minuteOf = (at: string): string => at.slice(0, 16)

function AboutWebhook({ webhook }: { webhook: Webhook }) {
  const { types, bulkRows, enabled, offReason, failingSince, format, createdAt } = webhook
  const { last, next, now } = useFailure(webhook)
  const isFailing = enabled && failingSince !== null
  const isFirstFailure =
    last !== null && failingSince && minuteOf(failingSince) === minuteOf(last.at)
  return (
    <>
      {!enabled && offReason && <ItemHint>{OFF_TEXTS[offReason]}</ItemHint>}
      <dl className={styles.facts}>
        <Fact name={t.events}>
          <TypeChips types={WEBHOOK_TYPES.filter(type => types.includes(type))} />
          {bulkRows && `${t.bulkRows} `}
          {format === 'easypost' && `(${t.easypost})`}
        </Fact>
        {last && (
          <Fact name={t.lastFailure} isFailure>
            <DotLine
              parts={[failureText(last), <RelativeTime key="at" at={last.at} now={now} />]}
            />
          </Fact>
        )}
        {isFailing && next && (
          <Fact name={t.nextTry}>
            <RelativeTime at={next} now={now} />
          </Fact>
        )}
        {isFailing && !isFirstFailure && (
          <Fact name={t.failingSince}>
            <DateTime at={failingSince} />
          </Fact>
        )}
        {!isFailing && (
          <Fact name={t.added}>
            <DateTime at={createdAt} />
          </Fact>
        )}
      </dl>
    </>
  )
}

type FactProps = { name: string; isFailure?: boolean; children: ReactNode }

const Fact = ({ name, isFailure, children }: FactProps) => (
  <div className={isFailure ? styles.failure : undefined}>
    <dt>{name}</dt> <dd>{children}</dd>
  </div>
)
