/** How the prices of a user came about: the newest versions of the services whose prices changed. */
import { useQueries } from '@tanstack/react-query'
import type { ConfiguredService, PriceVersion } from '#contract/catalogue.ts'
import { versionText } from '#web/catalogue/admin/table-text.ts'
import { texts as serviceTexts } from '#web/catalogue/admin/texts.ts'
import type { ServiceActions } from '#web/catalogue/admin/use-services.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const t = serviceTexts.history
const heads = texts.services.history
const PAGE_SIZE = 10

type LookPriceHistoryProps = {
  services: readonly ConfiguredService[]
  versions: ServiceActions['versions']
}

type ServiceVersion = PriceVersion & { key: string; service: string; isCurrent: boolean }

/** Nothing while each service has the prices of its setup. */
export function LookPriceHistory({ services, versions }: LookPriceHistoryProps) {
  const found = useQueries({ queries: services.map(service => versions(service)) })
  const rows = services.flatMap(({ _id, name }, index) => {
    const all = found[index]?.data ?? []
    return all.length < 2
      ? []
      : all.map((version, position) => ({
          ...version,
          key: `${_id}-${version.version}`,
          service: name,
          isCurrent: position === 0,
        }))
  })
  const failed = found.filter(({ isError }) => isError)
  const paging = usePaging({ total: rows.length, size: PAGE_SIZE, param: 'history' })
  if (rows.length === 0 && failed.length === 0) return null
  return (
    <ListTable
      title={t.title}
      columns={COLUMNS}
      rows={rowsOfPage(rows, paging)}
      rowKey={({ key }) => key}
      groupOf={({ service }) => service}
      paging={paging}
      lines={1}
      empty={{ title: texts.none }}
      errorNotice={
        failed.length > 0 && (
          <LoadErrorNotice onRetry={() => failed.forEach(({ refetch }) => void refetch())}>
            {t.failed}
          </LoadErrorNotice>
        )
      }
      card={version => ({
        title: <VersionName version={version} />,
        details: [<DateTime key="since" at={version.createdAt} />, setterName(version)],
        middle: [versionText(version)],
      })}
    />
  )
}

const VersionName = ({ version: { version, isCurrent } }: { version: ServiceVersion }) => (
  <span className={styles.name}>
    {t.version(version)}
    {isCurrent && <span className={styles.range}>{t.current}</span>}
  </span>
)

const setterName = ({ setBy, reason }: PriceVersion): string =>
  [setBy?.name ?? t.initial, reason].filter(Boolean).join(', ')

const COLUMNS: Column<ServiceVersion>[] = [
  { head: heads.version, share: 22, cell: version => <VersionName version={version} /> },
  { head: heads.since, share: 18, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { head: heads.by, share: 30, cell: setterName },
  { head: heads.prices, cell: versionText, align: 'end' },
]
