import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PriceRange, PriceVersion } from '#contract/catalogue.ts'
import { priceRangesText } from '#contract/price-ranges.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import type { ServiceActions } from './use-services.ts'
import styles from './Prices.module.css'

const t = texts.history

type PriceHistoryProps = {
  source: ReturnType<ServiceActions['versions']>
  /** Loads an earlier version into the editor, without saving it. */
  onUse: (prices: readonly PriceRange[]) => void
}

/** All price versions, newest first. Loaded when opened. */
export function PriceHistory({ source, onUse }: PriceHistoryProps) {
  const [open, setOpen] = useState(false)
  const { data, isError, refetch } = useQuery({ ...source, enabled: open })
  return (
    <details className={styles.history} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t.title}</summary>
      {isError && !data && (
        <Notice
          tone="red"
          action={
            <Button size="small" onClick={() => void refetch()}>
              {texts.tryAgain}
            </Button>
          }
        >
          {t.failed}
        </Notice>
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
            />
          ))}
        </ol>
      )}
    </details>
  )
}

function PriceVersionItem({
  version,
  current,
  onUse,
}: {
  version: PriceVersion
  current: boolean
  onUse: PriceHistoryProps['onUse']
}) {
  return (
    <li className={styles.version}>
      <p className={styles.versionHead}>
        <strong>{t.version(version.version)}</strong>
        {current && <span>{t.current}</span>}
        <span>{version.setBy?.name ?? t.initial}</span>
        <DateTime at={version.createdAt} />
      </p>
      <p className={styles.versionPrices}>{priceRangesText(version.prices)}</p>
      {!current && (
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
