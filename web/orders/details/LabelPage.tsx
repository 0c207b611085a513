/** One label: its picture, what happened to it, its money, and what can be done with it. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { labelDetails } from '#contract/order-details.ts'
import type { LabelDetails } from '#contract/order-details.ts'
import { downloadScanForm } from '#contract/scan-forms.ts'
import { servicesQuery } from '#web/client/queries.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, messageOf, send, urlFor } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { AdjustmentsCard } from '#web/ledger/adjustments/Adjustments.tsx'
import { servicesTo } from '#web/orders/label/arrival.ts'
import { texts as orderTexts } from '#web/orders/texts.ts'
import { useVoidDialog } from '#web/orders/void/use-voiding.tsx'
import { canVoid } from '#web/orders/void/void-summary.ts'
import { LabelNotice } from '#web/shell/LabelNotice.tsx'
import { BackLink } from '#web/ui/BackLink.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { moneyText } from '#web/ui/money-text.ts'
import { SearchField } from '#web/ui/SearchField.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { Fact, FactCard, ParcelCard, SideCards } from './Facts.tsx'
import { labelMoney, shownSteps } from './label-steps.ts'
import { LabelHeader } from './LabelHeader.tsx'
import { LabelPicture } from './LabelPicture.tsx'
import { LabelStateNotice } from './LabelStateNotice.tsx'
import { StepList } from './StepList.tsx'
import { texts } from './texts.ts'
import styles from './Details.module.css'
import columns from './LabelPage.module.css'

/** A label that is being bought settles within seconds; a void can take days. */
const REFRESH_MS = 3000
const REFRESH_VOID_MS = 10_000

const refreshMsFor = ({ order }: LabelDetails): number | false =>
  order.status === 'pending' ? REFRESH_MS : order.void === 'requested' && REFRESH_VOID_MS

export function LabelPage() {
  const { orderId = '' } = useParams()
  const { _id: userId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.labelDetails(userId, orderId),
    queryFn: ({ signal }) => send(labelDetails, { params: { orderId } }, { signal }),
    refetchInterval: ({ state }) => (state.data ? refreshMsFor(state.data) : false),
  })
  const { open, dialog } = useVoidDialog({
    balanceOwner: 'own',
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.orders(userId) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.batches(userId) }),
        refreshUser(),
      ]),
  })
  const navigate = useNavigate()
  const ordersPath = useOrdersPath()
  const isMissing = !data && isFinal(error)
  const settles = data ? refreshMsFor(data) !== false : false
  // The balance changes when the label or its void settles.
  useEffect(() => (settles ? () => void refreshUser() : undefined), [settles])
  return (
    <div className={styles.page}>
      {isMissing || <BackLink to={ordersPath}>{texts.back}</BackLink>}
      {data ? (
        <>
          <LabelHeader details={data} onVoid={() => open([data.order])} />
          <LabelStateNotice details={data} />
          <LabelCards details={data} userId={userId} />
        </>
      ) : isMissing ? (
        <LabelNotice
          picture={texts.notFoundPicture(orderId)}
          title={texts.notFound}
          text={texts.notFoundText}
          action={
            <>
              <SearchField
                className={styles.find}
                label={orderTexts.search}
                hint={orderTexts.searchHint}
                search=""
                onSearch={words =>
                  void navigate(`/main/orders?${new URLSearchParams({ search: words })}`)
                }
              />
              <span className={styles.below}>
                <ButtonLink to={ordersPath}>{texts.back}</ButtonLink>
              </span>
            </>
          }
        />
      ) : error ? (
        <LoadErrorNotice onRetry={() => void refetch()}>
          {messageOf(error, texts.failed)}
        </LoadErrorNotice>
      ) : (
        <PageLoader text={texts.loading} />
      )}
      {dialog}
    </div>
  )
}

/** An unknown or invalid id, or a label of another account: trying again changes nothing. */
const isFinal = (error: Error | null): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400)

/** Back to the list as it was when the label was opened. */
function useOrdersPath(): string {
  const { state } = useLocation() as { state: { list?: string } | null }
  return `/main/orders${state?.list ?? ''}`
}

/** A timeline with more steps has the second column for itself. */
const SHORT_TIMELINE = 6

function LabelCards({ details, userId }: { details: LabelDetails; userId: string }) {
  const { order } = details
  const steps = shownSteps(details)
  const isShort = steps.length <= SHORT_TIMELINE
  const sides = <SideCards order={order} className={columns.sides} />
  const money = (
    <>
      <MoneyCard details={details} />
      <AdjustmentsCard userId={userId} orderId={order._id} />
    </>
  )
  return (
    <div className={columns.columns}>
      <LabelPicture order={order} />
      <div className={columns.column}>
        {isShort && sides}
        <Card title={texts.timeline}>
          <StepList items={steps} />
        </Card>
        {isShort && money}
      </div>
      <div className={columns.column}>
        {isShort || sides}
        {isShort || money}
        <DetailsCard details={details} userId={userId} />
        <ParcelCard order={order} />
      </div>
    </div>
  )
}

function MoneyCard({ details }: { details: LabelDetails }) {
  const { lines, sum, isSpent } = labelMoney(details.timeline)
  // A single movement is its own sum.
  const [only] = lines.length === 1 ? lines : []
  return (
    <Card title={texts.money} action={<Link to="/main/wallet">{texts.statement}</Link>}>
      <table className={styles.money}>
        <tbody>
          {(only ? [] : lines).map(({ at, kind, dollars }, index) => (
            <tr key={index}>
              <th scope="row">{texts.lines[kind]}</th>
              <td className={styles.date}>
                <DateTime at={at} />
              </td>
              <td>{moneyText(-dollars)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={only ? 1 : 2}>
              {isSpent ? texts.paid : texts.onHold}
            </th>
            {only && (
              <td className={styles.date}>
                <DateTime at={only.at} />
              </td>
            )}
            <td>{moneyText(sum)}</td>
          </tr>
        </tfoot>
      </table>
    </Card>
  )
}

const scanFormPath = (scanFormId: string): string =>
  urlFor(downloadScanForm, { params: { scanFormId } })

/** Without what header and timeline say. */
function DetailsCard({ details, userId }: { details: LabelDetails; userId: string }) {
  const { order, orderRef, apiKey, voidableUntil } = details
  const { data: services } = useQuery(servicesQuery(userId))
  const { receiver_state_province: state = '' } = order.receiver
  const days = servicesTo(state, services ?? []).find(
    ({ uid }) => uid === details.serviceUid,
  )?.deliveryDays
  const { batch_id: batch } = order
  const { names } = texts
  return (
    <FactCard title={texts.facts}>
      <Fact name={names.service}>{order.service_name}</Fact>
      <Fact name={names.transit}>{days ? texts.transit(days.from, days.to) : null}</Fact>
      <Fact name={names.page}>
        {order.trackingPage && <Link to={order.trackingPage}>{texts.openPage}</Link>}
      </Fact>
      <Fact name={names.batch}>
        {batch && (
          <Link to={`/main/orders?batchId=${batch}`}>{texts.inBatch(batch, order.row)}</Link>
        )}
      </Fact>
      <Fact name={names.scanForm}>
        {order.scanForm?.state === 'made' ? (
          <a href={scanFormPath(order.scanForm.id)} target="_blank" rel="noreferrer">
            {texts.scanForm(order.scanForm.id)}
          </a>
        ) : (
          order.scanForm && (
            <Link to="/main/end-of-day">{texts.scanFormWaits(order.scanForm.id)}</Link>
          )
        )}
      </Fact>
      <Fact name={names.reference}>{orderRef}</Fact>
      <Fact name={names.apiKey}>{apiKey}</Fact>
      <Fact name={names.voidable}>
        {canVoid(order) && voidableUntil && <DateTime at={voidableUntil} />}
      </Fact>
    </FactCard>
  )
}
