import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { texts } from './texts.ts'

/** For unknown paths below /admin. */
export function AdminNotFoundPage() {
  const home = (
    <ButtonLink to="/admin/dashboard" kind="ink">
      {texts.toAdminDashboard}
    </ButtonLink>
  )
  return <EmptyState heading="h2" title={texts.nothingHere} action={home} />
}
