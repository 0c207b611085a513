/** Which events there are, and how many webhooks get each. */
import { WEBHOOK_TYPES } from '#contract/webhooks.ts'
import type { OfferedWebhookType, Webhook } from '#contract/webhooks.ts'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { TYPE_TEXTS, texts } from './texts.ts'
import styles from './Webhooks.module.css'

const t = texts.events
const TYPES = WEBHOOK_TYPES.filter(type => TYPE_TEXTS[type] !== undefined)
/** All are on one page. */
const ONE_PAGE = { page: 1, pages: 1, size: TYPES.length, setPage: () => {} }

/** A webhook that is off gets none. */
export function EventList({ webhooks }: { webhooks: Webhook[] }) {
  const receivers = (type: OfferedWebhookType): string =>
    t.receivers(webhooks.filter(({ enabled, types }) => enabled && types.includes(type)).length)
  const columns: Column<OfferedWebhookType>[] = [
    { head: t.columns.type, cell: type => <TypeName type={type} />, width: '14rem' },
    { head: t.columns.when, cell: type => TYPE_TEXTS[type] },
    { head: t.columns.receivers, align: 'end', cell: receivers },
  ]
  return (
    <ListTable
      title={t.title}
      columns={columns}
      rows={TYPES}
      rowKey={type => type}
      paging={ONE_PAGE}
      lines={1}
      empty={{ title: t.title }}
      card={type => ({
        title: <TypeName type={type} />,
        details: [TYPE_TEXTS[type]],
        aside: [receivers(type)],
      })}
    />
  )
}

const TypeName = ({ type }: { type: OfferedWebhookType }) => (
  <span className={styles.type}>{type}</span>
)
