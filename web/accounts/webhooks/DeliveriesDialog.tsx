import { useRef, useState } from 'react'
import { DELIVERY_STATES, replayDelivery } from '#contract/webhooks.ts'
import type { Delivery, DeliveryState, Webhook } from '#contract/webhooks.ts'
import { ItemHint, ItemListFoot } from '#web/accounts/ItemList.tsx'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { useToastedAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { useFocusNewRow } from '#web/ui/use-focus-new-row.ts'
import { useKeptFocus } from '#web/ui/use-return-focus.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { DeliveryDetails, StateOfDelivery } from './DeliveryDetails.tsx'
import { OUTCOME_TEXTS, STATE_TEXTS, texts } from './texts.ts'
import { useDeliveries } from './use-webhooks.ts'
import styles from './Webhooks.module.css'

const t = texts.deliveries
const ALL = ''
const CHOICES = [
  { value: ALL, label: t.all },
  ...DELIVERY_STATES.map(state => ({ value: state, label: STATE_TEXTS[state] })),
]

/** What was sent to a webhook, newest first. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [state, setState] = useState<DeliveryState | null>(null)
  return (
    <Dialog opened onClose={onClose} title={t.title}>
      <div className={styles.section}>
        <p className={styles.url}>{webhook.url}</p>
        <NativeSelectField
          label={t.show}
          error={null}
          data={CHOICES}
          value={state ?? ALL}
          onChange={({ currentTarget: { value } }) =>
            setState(DELIVERY_STATES.find(one => one === value) ?? null)
          }
        />
        <Deliveries key={state} webhookId={webhook._id} state={state} />
      </div>
    </Dialog>
  )
}

function Deliveries({ webhookId, state }: { webhookId: string; state: DeliveryState | null }) {
  const { deliveries, failed, retry, refresh, more, loadingMore, moreFailed } = useDeliveries(
    webhookId,
    state,
  )
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useKeptFocus(box)
  const focusNewRow = useFocusNewRow(list)
  if (!deliveries)
    return failed ? (
      <LoadErrorNotice onRetry={retry}>{t.loadFailed}</LoadErrorNotice>
    ) : (
      <div className={styles.section} aria-busy="true">
        <Skeleton width="100%" />
        <Skeleton width="80%" />
        <Skeleton width="90%" />
      </div>
    )
  if (deliveries.length === 0)
    return <EmptyState title={t.none} text={state === null ? t.noneText : t.noneOfState} />
  const showMore = () => {
    focusNewRow()
    more?.()
  }
  return (
    <div ref={box} tabIndex={-1} className={styles.section}>
      <ul ref={list} className={styles.list} aria-label={t.title}>
        {deliveries.map(delivery => (
          <DeliveryItem
            key={delivery._id}
            webhookId={webhookId}
            delivery={delivery}
            refresh={refresh}
          />
        ))}
      </ul>
      {more && moreFailed && <LoadErrorNotice onRetry={showMore}>{t.moreFailed}</LoadErrorNotice>}
      <ItemListFoot note={t.kept}>
        {more && !moreFailed && (
          <Button busy={loadingMore} onClick={showMore}>
            {t.more}
          </Button>
        )}
      </ItemListFoot>
    </div>
  )
}

type DeliveryItemProps = {
  webhookId: string
  delivery: Delivery
  refresh: () => Promise<void>
}

function DeliveryItem({ webhookId, delivery, refresh }: DeliveryItemProps) {
  const { _id: userId } = useUser()
  const [busy, run] = useToastedAction(texts.failed)
  const replay = async () => {
    const params = { userId, webhookId, deliveryId: delivery._id }
    const { outcome } = (await send(replayDelivery, { params })).tries.at(-1)!
    const told = t.replaying(OUTCOME_TEXTS[outcome])
    if (outcome === 'delivered') toastSuccess(told)
    else toastError(told)
    await refresh()
  }
  return (
    <li className={styles.delivery}>
      <details>
        <summary className={styles.summary}>
          <span className={styles.type}>{delivery.type}</span>
          <StateOfDelivery delivery={delivery} />
          <ItemHint>
            <DateTime at={delivery.createdAt} />
          </ItemHint>
        </summary>
        <DeliveryDetails delivery={delivery} />
        <Button busy={busy} onClick={() => run(replay)}>
          {t.replay}
        </Button>
      </details>
    </li>
  )
}
