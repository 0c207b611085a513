/** Details of a label: price and cost, customer, files. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { batchStatus } from '#contract/batches.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { OrderDetails } from '#contract/orders-admin.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { BatchFileLinks, hasBatchFiles } from '#web/orders/BatchFileLinks.tsx'
import { Fact } from '#web/orders/details/Facts.tsx'
import { Card, FigureList } from '#web/ui/Card.tsx'
import { CopyText } from '#web/ui/CopyText.tsx'
import { moneyText, signedMoneyText } from '#web/ui/money-text.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from '#web/orders/details/Details.module.css'
import admin from './LabelDetails.module.css'

const t = texts.details

export function LabelFacts({ details }: { details: OrderDetails }) {
  const { names } = t
  const { order, corrected, margin } = details
  const { user, tracking_number: tracking, batch_id: batch, cost } = order
  // A voided label is refunded: the price to the customer, the cost to the operator.
  const amountText = (dollars: number) =>
    order.state === 'voided' ? t.refunded(usdFromDollars(dollars)) : usdFromDollars(dollars)
  const missing = order.state === 'failed' ? t.notBought : t.unknown
  const at = (moment: string | null) => moment && <DateTime at={moment} exact />
  return (
    <Card title={t.facts}>
      <div className={admin.money}>
        <FigureList
          items={[
            { name: names.price, value: amountText(order.price) },
            { name: names.cost, value: cost === null ? missing : amountText(cost) },
            ...(corrected === 0
              ? []
              : [{ name: names.corrected, value: signedMoneyText(corrected) }]),
            { name: names.margin, value: margin === null ? missing : moneyText(margin) },
          ]}
        />
      </div>
      <dl className={styles.facts}>
        <Fact name={names.customer}>
          {user.name} <span className={styles.second}>{user.email}</span>
          <span className={styles.links}>
            <Link to={`/admin/order-label-management?userId=${user._id}`}>{t.labelsOf}</Link>
            <Link to={`/admin/user-management/${user._id}/statement`}>{t.statement}</Link>
          </span>
        </Fact>
        <Fact name={names.service}>{order.service_name}</Fact>
        <Fact name={names.tracking}>
          {tracking && <CopyText value={tracking}>{groupTracking(tracking)}</CopyText>}
        </Fact>
        <Fact name={names.batch}>
          {batch && (
            <Link to={`/admin/order-label-management?batchId=${batch}`}>
              {t.inBatch(batch, order.row)}
            </Link>
          )}
        </Fact>
        {batch && <BatchFilesFact batch={batch} />}
        <Fact name={names.ordered}>{at(order.createdAt)}</Fact>
        <Fact name={names.bought}>{at(order.purchasedAt)}</Fact>
        <Fact name={names.voided}>{at(order.voidedAt)}</Fact>
      </dl>
    </Card>
  )
}

/** The files of the label's bulk order. */
function BatchFilesFact({ batch }: { batch: string }) {
  const { _id } = useUser()
  const { data, isPending } = useQuery({
    queryKey: queryKeys.batchFiles(_id, batch),
    queryFn: ({ signal }) =>
      send(
        batchStatus,
        { params: { orderId: batch }, query: { failedLabels: 'none' } },
        { signal },
      ),
  })
  const names = data?.fileData ?? null
  if (!isPending && !hasBatchFiles(names)) return null
  return (
    <Fact name={t.names.files}>
      <span className={styles.links}>
        {hasBatchFiles(names) ? (
          <BatchFileLinks orderId={batch} names={names} texts={t.files} />
        ) : (
          <Skeleton width="9rem" height="var(--control-small)" />
        )}
      </span>
    </Fact>
  )
}
