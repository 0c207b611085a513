/** A page about one user, who is named in the path. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { AdminUser } from '#contract/accounts.ts'
import { isId } from '#contract/endpoint.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { BackLink } from '#web/ui/BackLink.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { texts } from './texts.ts'
import { fetchUser } from './use-users.ts'

const t = texts.statement

type ManagedUserProps = { children: (user: AdminUser) => ReactNode }

/** Loads the user of the path's `userId`, and says so when there is none. */
export function ManagedUser({ children }: ManagedUserProps) {
  const { userId = '' } = useParams()
  return isId(userId) ? <KnownUser userId={userId}>{children}</KnownUser> : <UserNotFound />
}

function KnownUser({ userId, children }: ManagedUserProps & { userId: string }) {
  const { _id: adminId } = useUser()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.managedUser(adminId, userId),
    queryFn: ({ signal }) => fetchUser(userId, signal),
  })
  if (data === null) return <UserNotFound />
  if (data) return children(data)
  if (!error) return <PageLoader />
  return <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
}

export const BackToUsers = () => <BackLink to="/admin/user-management">{t.back}</BackLink>

function UserNotFound() {
  return (
    <EmptyState
      heading="h2"
      title={t.notFound}
      text={t.notFoundText}
      action={
        <ButtonLink to="/admin/user-management" kind="ink">
          {t.back}
        </ButtonLink>
      }
    />
  )
}
