import { useEffect } from 'react'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { BulkTable } from './bulk/BulkTable.tsx'
import { beginUnsaved, loadBulkTable, useBulk } from './bulk/drafts/bulk-store.ts'
import { texts } from './bulk/texts.ts'

const t = texts.unread

/** Waits until a saved table is loaded, or known not to exist. */
export function BulkOrderPage() {
  const { _id: userId } = useUser()
  const ready = useBulk(bulk => bulk.userId === userId)
  useEffect(() => void loadBulkTable(userId), [userId])
  const failed = useBulk(bulk => bulk.loadFailed)
  if (failed && !ready)
    return (
      <EmptyState
        heading="h2"
        title={t.title}
        text={t.text}
        action={
          <>
            <Button kind="ink" onClick={() => void loadBulkTable(userId)}>
              {texts.tryAgain}
            </Button>
            <Button onClick={() => void beginUnsaved(userId)}>{t.begin}</Button>
          </>
        }
      />
    )
  return ready ? <BulkTable key={userId} userId={userId} /> : <PageLoader />
}
