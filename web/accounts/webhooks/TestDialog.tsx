import { useEffect, useState } from 'react'
import { testWebhook } from '#contract/webhooks.ts'
import type { Delivery, Webhook } from '#contract/webhooks.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { texts } from './texts.ts'
import styles from './Webhooks.module.css'

const t = texts.test

/** Sends a test when it opens, and shows what came of it. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { _id: userId } = useUser()
  const [delivery, setDelivery] = useState<Delivery | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => {
    // React mounts twice in development; a test must be sent once.
    const sending = setTimeout(async () => {
      try {
        setDelivery(await send(testWebhook, { params: { userId, webhookId: webhook._id } }))
      } catch (reason) {
        setRefused(messageOf(reason, texts.failed))
      }
    })
    return () => clearTimeout(sending)
  }, [userId, webhook._id])
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t.title}
      closeButton={false}
      actions={
        <Button size="large" data-autofocus onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <p className={styles.url}>{webhook.url}</p>
      <div role="status">
        {delivery ? (
          <DeliveryDetails delivery={delivery} />
        ) : refused === null ? (
          <div className={styles.section}>
            <p className={styles.explain}>{t.sending}</p>
            <Skeleton width="60%" />
          </div>
        ) : null}
      </div>
      <ErrorLine>{refused}</ErrorLine>
    </Dialog>
  )
}
