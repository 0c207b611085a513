import { useRef, useState } from 'react'
import { ruleFrom, ruleText } from '#contract/price-rules.ts'
import type { PriceChange } from '#contract/price-tables.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import type { Tone } from '#web/ui/tone.ts'
import { useFocusNewRow } from '#web/ui/use-focus-new-row.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import { usePriceChanges, usePriceTableActions } from './use-price-tables.ts'
import styles from './PriceTables.module.css'

const t = texts.changes

const TONES: Record<PriceChange['state'], Tone> = {
  scheduled: 'blue',
  applied: 'green',
  canceled: 'neutral',
  failed: 'red',
}

const SHOWN = 5

type PriceChangeListProps = { userId: string | undefined; onUndo: (changeId: string) => void }

/** Newest first: who set which prices, why and from when on. */
export function PriceChangeList({ userId, onUndo }: PriceChangeListProps) {
  const { data, isError, refetch } = usePriceChanges(userId)
  const { cancel } = usePriceTableActions(userId)
  const [all, setAll] = useState(false)
  const [canceling, setCanceling] = useState<PriceChange | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const focusNewRow = useFocusNewRow(list)
  if (isError && !data)
    return <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
  if (!data || data.length === 0) return null
  const confirmCancel = async () => {
    await cancel(canceling!._id)
    toastSuccess(t.canceled)
    setCanceling(null)
  }
  return (
    <>
      <ol ref={list} className={styles.changes} aria-label={t.title}>
        {data.slice(0, all ? undefined : SHOWN).map(change => (
          <ChangeItem
            key={change._id}
            change={change}
            onUndo={() => onUndo(change._id)}
            onCancel={() => setCanceling(change)}
          />
        ))}
      </ol>
      {!all && data.length > SHOWN && (
        <Button
          size="small"
          onClick={() => {
            focusNewRow()
            setAll(true)
          }}
        >
          {t.all(data.length)}
        </Button>
      )}
      <ConfirmDialog
        opened={canceling !== null}
        question={t.cancelQuestion}
        description={t.cancelText}
        confirmLabel={t.cancelConfirm}
        cancelLabel={t.keep}
        onConfirm={confirmCancel}
        onCancel={() => setCanceling(null)}
      />
    </>
  )
}

const backText = ({ kind, rule }: PriceChange): string =>
  rule ? ruleText(ruleFrom(rule)) : kind === 'costs' ? t.costsRestored : t.back

type ChangeItemProps = { change: PriceChange; onUndo: () => void; onCancel: () => void }

function ChangeItem({ change, onUndo, onCancel }: ChangeItemProps) {
  const { state, kind, reason, fileName, services, setBy, createdAt, startsAt, failure } = change
  return (
    <li className={styles.change}>
      <div className={styles.changeText}>
        <p className={styles.changeHead}>
          <StatusPill tone={TONES[state]}>{t.states[state]}</StatusPill>
          <strong>{reason}</strong>
        </p>
        <p className={styles.facts}>
          {kind === 'costs' && fileName && <span>{t.costs}</span>}
          <span>{fileName ?? backText(change)}</span>
          <span>{t.services(services.length)}</span>
          <span>{setBy.name}</span>
          <DateTime at={createdAt} />
          {state === 'scheduled' && (
            <span>
              {t.starts} <DateTime at={startsAt} />
            </span>
          )}
          {change.canceledBy && <span>{t.canceledBy(change.canceledBy.name)}</span>}
        </p>
        {failure && <p className={styles.failure}>{failure}</p>}
      </div>
      {state === 'applied' && (
        <Button size="small" aria-label={`${t.undo}: ${reason}`} onClick={onUndo}>
          {t.undo}
        </Button>
      )}
      {state === 'scheduled' && (
        <Button size="small" aria-label={`${t.cancel}: ${reason}`} onClick={onCancel}>
          {t.cancel}
        </Button>
      )}
    </li>
  )
}
