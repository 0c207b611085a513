/** Which events there are, and which webhooks get each. */
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
  const receiversOf = (type: OfferedWebhookType): Webhook[] =>
    webhooks.filter(({ enabled, types }) => enabled && types.includes(type))
  const columns: Column<OfferedWebhookType>[] = [
    { head: t.columns.type, cell: type => <TypeName type={type} />, share: 24 },
    { head: t.columns.when, cell: type => TYPE_TEXTS[type], share: 36 },
    { head: t.columns.receivers, cell: type => <Hosts webhooks={receiversOf(type)} />, share: 40 },
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
        aside: [
          receiversOf(type).length === 0 ? (
            <Hosts key="none" webhooks={[]} />
          ) : (
            t.receivers(receiversOf(type).length)
          ),
        ],
      })}
    />
  )
}

/** Where an event goes, each host once. */
function Hosts({ webhooks }: { webhooks: Webhook[] }) {
  if (webhooks.length === 0) return <span className={styles.none}>{t.receivers(0)}</span>
  const hosts = new Set(webhooks.map(({ url }) => new URL(url).host))
  return <span className={styles.hosts}>{[...hosts].join(', ')}</span>
}

const TypeName = ({ type }: { type: OfferedWebhookType }) => (
  <span className={styles.type}>{type}</span>
)
