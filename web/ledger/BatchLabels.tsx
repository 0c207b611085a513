/** The labels behind the hold of a bulk order: what each cost, and whether it was bought or released. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { countText } from '#contract/format.ts'
import { listOrders } from '#contract/orders.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Money } from '#web/ui/Value.tsx'
import { MoreToggle } from './MoreToggle.tsx'
import type { MovementLinks } from './movement-links.ts'
import { texts } from './texts.ts'
import styles from './Statement.module.css'

const t = texts.labels
const MAX_LISTED = 10

type BatchLabelsProps = { userId: string; batchId: string; links: MovementLinks }

export function BatchLabels(of: BatchLabelsProps) {
  return (
    <MoreToggle texts={t} subject={t.of(of.batchId)}>
      <LabelList {...of} />
    </MoreToggle>
  )
}

function LabelList({ userId, batchId, links }: BatchLabelsProps) {
  const query = { batchId, page: 1, limit: MAX_LISTED }
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.orderPage(userId, 1, query),
    queryFn: ({ signal }) => send(listOrders, { params: { userId }, query }, { signal }),
  })
  if (!data) {
    return isError ? (
      <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
    ) : (
      <p role="status">{t.loading}</p>
    )
  }
  return (
    <>
      <ul className={styles.labelList}>
        {data.orders.map(order => (
          <li key={order._id}>
            <Link to={links.order(order._id)} className={styles.labelName}>
              {order.receiver.receiver_name || texts.label(order._id)}
            </Link>
            <span className={styles.labelState}>
              {order.void === 'voided' ? t.refunded : t.states[order.status]}
            </span>
            <Money dollars={order.price} />
          </li>
        ))}
      </ul>
      {data.totalCount > data.orders.length && (
        <Link to={links.batch(batchId)} className={styles.all}>
          {t.all(countText(data.totalCount, t.label))}
        </Link>
      )}
    </>
  )
}
