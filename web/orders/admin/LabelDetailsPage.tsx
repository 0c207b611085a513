/** One label: its details, its history, and what can be done about it. */
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { downloadFile } from '#contract/downloads.ts'
import { recheckOrder, orderDetails } from '#contract/orders-admin.ts'
import type { AdminOrder, OrderDetails } from '#contract/orders-admin.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { urlFor, ApiError, messageOf, send } from '#web/client/send.ts'
import { toServerTime } from '#web/client/server-clock.ts'
import { useUser } from '#web/client/session.ts'
import { ParcelCard, SideCards } from '#web/orders/details/Facts.tsx'
import { LabelPicture } from '#web/orders/details/LabelPicture.tsx'
import { texts as printTexts } from '#web/orders/print/texts.ts'
import { usePrinting } from '#web/orders/print/use-printing.tsx'
import { texts as voidTexts } from '#web/orders/void/texts.ts'
import { useVoidDialog } from '#web/orders/void/use-voiding.tsx'
import { canVoid } from '#web/orders/void/void-summary.ts'
import { BackLink } from '#web/ui/BackLink.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { notifyPage } from '#web/ui/toasts.ts'
import { LabelFacts } from './LabelFacts.tsx'
import { ManualResolutionDialog } from './ManualResolutionDialog.tsx'
import type { ManualResolutionResult, ResolutionSubject } from './ManualResolutionDialog.tsx'
import { canCheck, isInProgress, STATE_TONE, STATE_TEXT, stateReason } from './order-state.ts'
import { ScanCharge } from './ScanCharge.tsx'
import { texts } from './texts.ts'
import { Timeline } from './Timeline.tsx'
import details from '#web/orders/details/Details.module.css'
import styles from './LabelDetails.module.css'

/** While the label is in progress. */
const REFRESH_MS = 3000

const t = texts.details

export function LabelDetailsPage() {
  const { orderId = '' } = useParams()
  const admin = useUser()
  const queryKey = queryKeys.orderDetails(admin._id, orderId)
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => send(orderDetails, { params: { orderId } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data && isInProgress(state.data.order) ? REFRESH_MS : false,
  })
  const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.allOrders(admin._id) })
  const { open, dialog } = useVoidDialog({ balanceOwner: 'customer', refresh })
  const showDetails = (story: OrderDetails) => queryClient.setQueryData(queryKey, story)
  const { check, checking, problem } = useCarrierCheck(orderId, showDetails, refresh)
  const [resolving, setResolving] = useState<{
    order: AdminOrder
    subject: ResolutionSubject
  } | null>(null)
  const onResolved = ({ message, ...story }: ManualResolutionResult) => {
    showDetails(story)
    setResolving(null)
    notifyPage(STATE_TONE[story.order.state], message)
    void refresh()
  }
  return (
    <div className={details.page}>
      <BackToList />
      {data ? (
        <>
          <LabelHeader
            details={data}
            now={toServerTime(dataUpdatedAt)}
            checking={checking}
            onCheck={check}
            onVoid={() => open([data.order])}
            onResolve={subject => setResolving({ order: data.order, subject })}
          />
          {data.otherAccount && <Notice tone="yellow">{t.otherAccount(data.otherAccount)}</Notice>}
          {data.scanCharge !== null && (
            <ScanCharge orderId={orderId} dollars={data.scanCharge} onGivenBack={refresh} />
          )}
          {problem && <Notice tone="red">{problem}</Notice>}
          <div className={styles.columns}>
            <LabelPicture order={data.order} />
            <div className={styles.column}>
              <Card title={t.timeline}>
                <Timeline steps={data.timeline} />
              </Card>
              <SideCards order={data.order} className={styles.sides} />
            </div>
            <div className={styles.column} data-last>
              <LabelFacts details={data} />
              <ParcelCard order={data.order} />
            </div>
          </div>
        </>
      ) : error ? (
        <LabelLoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <PageLoader text={t.loading} />
      )}
      {dialog}
      {resolving && (
        <ManualResolutionDialog
          {...resolving}
          onClose={() => setResolving(null)}
          onResolved={onResolved}
          onRefused={() => void refresh()}
        />
      )}
    </div>
  )
}

/** Checks the label with the carrier, and shows its new state. */
function useCarrierCheck(
  orderId: string,
  onDetails: (story: OrderDetails) => void,
  refresh: () => Promise<unknown>,
) {
  const [checking, setChecking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const check = async () => {
    setChecking(true)
    setProblem(null)
    try {
      const { message, ok: _, ...story } = await send(recheckOrder, { params: { orderId } })
      onDetails(story)
      notifyPage(STATE_TONE[story.order.state], message)
    } catch (reason) {
      setProblem(messageOf(reason, t.checkFailed))
    } finally {
      setChecking(false)
      void refresh()
    }
  }
  return { check, checking, problem }
}

function BackToList() {
  const { state } = useLocation() as { state: { list?: string } | null }
  return <BackLink to={`/admin/order-label-management${state?.list ?? ''}`}>{t.back}</BackLink>
}

/** `now`: when the details were loaded, ms. */
type LabelHeaderProps = {
  details: OrderDetails
  now: number
  checking: boolean
  onCheck: () => void
  onVoid: () => void
  onResolve: (subject: ResolutionSubject) => void
}

function LabelHeader({ details, now, checking, onCheck, onVoid, onResolve }: LabelHeaderProps) {
  const { order, hand, otherAccount } = details
  const { _id, state, pdfName, receiver } = order
  const why = stateReason(order)
  const printing = usePrinting()
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {receiver.receiver_name ? t.title(receiver.receiver_name) : texts.label(_id)}
        </h2>
        {receiver.receiver_name && <span className={styles.number}>{texts.label(_id)}</span>}
        <StatusPill tone={STATE_TONE[state]}>{STATE_TEXT[state]}</StatusPill>
        <div className={styles.actions}>
          {canCheck(order) && !otherAccount && (
            <Button kind="ink" busy={checking} onClick={onCheck} icon={<IconRefresh />}>
              {t.check}
            </Button>
          )}
          {hand && Date.parse(hand.from) <= now && (
            <Button onClick={() => onResolve(hand.what)}>{texts.manualResolution.button}</Button>
          )}
          {pdfName && (
            <>
              <ButtonLink
                href={urlFor(downloadFile, { params: { kind: 'v2', name: pdfName } })}
                target="_blank"
                icon={<IconDownload />}
              >
                {t.download}
              </ButtonLink>
              {printing.button(
                { pdfName, name: printTexts.label(receiver.receiver_name ?? '') },
                true,
              )}
            </>
          )}
          {canVoid(order) && (
            <Button onClick={onVoid} aria-label={voidTexts.voidName(receiver.receiver_name ?? '')}>
              {voidTexts.void}
            </Button>
          )}
        </div>
      </div>
      {why && (
        <Notice tone={state === 'failed' || state === 'purchased' ? 'red' : STATE_TONE[state]}>
          {why}
        </Notice>
      )}
      {printing.dialog}
    </>
  )
}

/** A 4xx response is final; other errors can be retried. */
function LabelLoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const final = error instanceof ApiError && error.status >= 400 && error.status < 500
  const message = messageOf(error, t.failed)
  return final ? (
    <Notice tone="red">{message}</Notice>
  ) : (
    <LoadErrorNotice onRetry={onRetry}>{message}</LoadErrorNotice>
  )
}
