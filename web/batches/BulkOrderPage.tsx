import { useEffect } from 'react'
import { useUser } from '#web/client/session.ts'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { BulkTable } from './bulk/BulkTable.tsx'
import { loadBulkTable, useBulk } from './bulk/drafts/bulk-store.ts'

/** Waits until a saved table is loaded, or known not to exist. */
export function BulkOrderPage() {
  const { _id: userId } = useUser()
  const ready = useBulk(bulk => bulk.userId === userId)
  useEffect(() => void loadBulkTable(userId), [userId])
  return ready ? <BulkTable key={userId} userId={userId} /> : <PageLoader />
}
