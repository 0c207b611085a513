/**
 * Voids all unused labels of a bulk order, with a confirmation of number and price, and shows
 * progress.
 */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isTerminal } from '#contract/batch-status.ts'
import type { Batch } from '#contract/batches.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { usdFromDollars } from '#contract/money.ts'
import { batchVoidSummary, voidBatch } from '#contract/voids.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { messageOf, send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { texts as voidTexts } from '#web/orders/void/texts.ts'
import { VoidSteps } from '#web/orders/void/VoidSteps.tsx'
import { RefundPolicyLink } from '#web/support/RefundPolicyLink.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'
import styles from './BatchOrders.module.css'

const t = texts.unused
/** While labels are being voided, the figures are polled. */
const REFRESH_MS = 2000

/** Whether a bulk order may have labels to void: it has ended, and some labels were bought. */
export const hasBoughtLabels = ({ status, processedCount, failedCount }: Batch): boolean =>
  isTerminal(status) && processedCount > failedCount

/** Open while `batch` is given. */
export function VoidUnusedDialog({ batch, onClose }: { batch: Batch | null; onClose: () => void }) {
  // While the dialog fades out it still shows the last batch.
  const [shown, setShown] = useState<Batch | null>(null)
  if (batch && batch !== shown) setShown(batch)
  return (
    <Dialog
      opened={batch !== null}
      onClose={onClose}
      title={t.title}
      size="small"
      closeButton={false}
    >
      {shown && <VoidUnusedForm key={shown._id} batchId={shown._id} onClose={onClose} />}
    </Dialog>
  )
}

function VoidUnusedForm({ batchId, onClose }: { batchId: string; onClose: () => void }) {
  const { _id: userId } = useUser()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const safeButton = useRef<HTMLButtonElement>(null)
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.batchVoids(userId, batchId),
    queryFn: ({ signal }) => send(batchVoidSummary, { params: { orderId: batchId } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      (state.data && state.data.voiding > 0) || busy ? REFRESH_MS : false,
  })
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await send(voidBatch, { params: { orderId: batchId } })
    } catch (reason) {
      // Without a response the labels may be voided all the same; the figures show it.
      setError(messageOf(reason, t.failed))
    } finally {
      await Promise.all([
        refetch(),
        queryClient.invalidateQueries({ queryKey: queryKeys.orders(userId) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.batches(userId) }),
        refreshUser(),
      ])
      setBusy(false)
      // The pressed button may be gone, or now refer to other labels.
      safeButton.current?.focus()
    }
  }
  const unused = data?.unused ?? 0
  return (
    <>
      {data ? (
        <UnusedLabelFigures figures={data} />
      ) : isError ? (
        <ErrorLine>{t.unknown}</ErrorLine>
      ) : (
        <p className={styles.note}>{t.loading}</p>
      )}
      <ErrorLine>{error}</ErrorLine>
      <div className={styles.dialogButtons}>
        <Button ref={safeButton} data-autofocus onClick={onClose}>
          {unused > 0 ? t.keep : t.close}
        </Button>
        {unused > 0 && (
          <Button kind="danger" busy={busy} onClick={submit}>
            {t.confirm(unused)}
          </Button>
        )}
      </div>
    </>
  )
}

function UnusedLabelFigures({ figures }: { figures: ResponseData<typeof batchVoidSummary> }) {
  const { unused, amount, refused, voiding, voided, underWay, onForms } = figures
  return (
    <>
      {unused > 0 ? <p>{t.question(unused, usdFromDollars(amount))}</p> : <p>{t.nothing}</p>}
      {unused > 0 && (
        <>
          <VoidSteps order={{ price: amount, void: null, voidSubmittedAt: null }} />
          {onForms > 0 && <Notice tone="yellow">{voidTexts.onForm(onForms)}</Notice>}
          <p className={styles.note}>
            {t.permanent(unused)} <RefundPolicyLink />
          </p>
        </>
      )}
      <ul className={styles.progress} aria-live="polite">
        {refused > 0 && <li>{t.refused(refused, unused)}</li>}
        {voiding > 0 && <li>{t.voiding(voiding)}</li>}
        {voided > 0 && <li>{t.voided(voided)}</li>}
        {underWay > 0 && <li>{t.underWay(underWay)}</li>}
      </ul>
    </>
  )
}
