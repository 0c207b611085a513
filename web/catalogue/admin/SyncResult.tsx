import { hasSyncChanges } from '#contract/catalogue-changes.ts'
import type { SyncChanges } from '#contract/catalogue-changes.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'
import styles from './Services.module.css'

const t = texts.synced

/** Describes what the last sync changed. */
function syncSentences({ added, vanished, returned, limits, categories }: SyncChanges): string[] {
  return [
    ...(added.length > 0 ? [t.added(added)] : []),
    ...(vanished.length > 0 ? [t.vanished(vanished)] : []),
    ...(returned.length > 0 ? [t.returned(returned)] : []),
    ...limits.map(({ name, from, to }) => t.limit(name, from, to)),
    ...categories.map(({ name, from, to }) => t.category(name, from, to)),
  ]
}

export function SyncResult({
  changes,
  onDismiss,
}: {
  changes: SyncChanges
  onDismiss: () => void
}) {
  const dismiss = (
    <Button size="small" onClick={onDismiss}>
      {texts.dismiss}
    </Button>
  )
  const needsReview = changes.vanished.length + changes.limits.length > 0
  return (
    <Notice tone={needsReview ? 'yellow' : 'blue'} action={dismiss}>
      {hasSyncChanges(changes) ? (
        <span className={styles.sentences}>
          {syncSentences(changes).map(sentence => (
            <span key={sentence}>{sentence}</span>
          ))}
        </span>
      ) : (
        t.nothing
      )}
    </Notice>
  )
}
