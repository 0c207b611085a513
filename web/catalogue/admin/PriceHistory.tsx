import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PriceRange, PriceVersion } from '#contract/catalogue.ts'
import { PricePreviewDialog } from '#web/catalogue/tables/PricePreviewDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { versionText } from './table-text.ts'
import { texts } from './texts.ts'
import type { ServiceActions } from './use-services.ts'
import styles from './Prices.module.css'

const t = texts.history

type PriceHistoryProps = {
  source: ReturnType<ServiceActions['versions']>
  /** Loads an earlier version into the editor, without saving it. */
  onUse: (prices: readonly PriceRange[]) => void
  owner: ServiceActions['owner']
  serviceUid: string
  /** After a restored table, which the editor does not show. */
  onRestored: () => void
}

/** All price versions, newest first. Loaded when opened. */
export function PriceHistory({ source, onUse, owner, serviceUid, onRestored }: PriceHistoryProps) {
  const [open, setOpen] = useState(false)
  const [restored, setRestored] = useState<number | null>(null)
  const { data, isError, refetch } = useQuery({ ...source, enabled: open })
  return (
    <details className={styles.history} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t.title}</summary>
      {isError && !data && (
        <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
      )}
      {open && !data && !isError && <p role="status">{t.loading}</p>}
      {data && (
        <ol className={styles.versions}>
          {data.map((version, index) => (
            <PriceVersionItem
              key={version.version}
              version={version}
              current={index === 0}
              onUse={onUse}
              onRestore={owner && (() => setRestored(version.version))}
            />
          ))}
        </ol>
      )}
      {owner && restored !== null && (
        <PricePreviewDialog
          userId={owner.userId}
          source={{ kind: 'version', uid: serviceUid, version: restored }}
          onClose={() => setRestored(null)}
          onDone={onRestored}
        />
      )}
    </details>
  )
}

/** Who set the prices of a version, when and why, and what they are. */
const PriceVersionFacts = ({ version, current }: { version: PriceVersion; current: boolean }) => (
  <>
    <p className={styles.versionHead}>
      <strong>{t.version(version.version)}</strong>
      {current && <span>{t.current}</span>}
      <span>{version.setBy?.name ?? t.initial}</span>
      <DateTime at={version.createdAt} />
      {version.reason && <span>{version.reason}</span>}
    </p>
    <p className={styles.versionPrices}>{versionText(version)}</p>
  </>
)

function PriceVersionItem({
  version,
  current,
  onUse,
  onRestore,
}: {
  version: PriceVersion
  current: boolean
  onUse: PriceHistoryProps['onUse']
  onRestore: (() => void) | null
}) {
  return (
    <li className={styles.version}>
      <PriceVersionFacts version={version} current={current} />
      {!current && (version.table || version.rule) && onRestore && (
        <Button size="small" aria-label={t.restoreOf(version.version)} onClick={onRestore}>
          {t.restore}
        </Button>
      )}
      {!current && !version.table && !version.rule && (
        <Button
          size="small"
          aria-label={t.useOf(version.version)}
          onClick={() => onUse(version.prices)}
        >
          {t.use}
        </Button>
      )}
    </li>
  )
}
