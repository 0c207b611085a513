/** Who may see what is below (specification, 2 and 6). The server decides again on every call; this spares a useless page. */
import type { ReactNode } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { checkSession, useSession } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/ListTable.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { texts } from './texts.ts'

/** Where the sign-in page goes afterwards; in the history's state, because an address may be shared. */
export type SignInReturnState = { from?: string } | null

/** Waits while the token is checked; without a valid user goes to the sign-in page. */
export function RequireSignIn() {
  const { user, impersonator, state, endReason } = useSession()
  const { pathname, search } = useLocation()
  // Another person's page is another page: nothing typed or shown in one goes over to the next.
  if (user) return <Outlet key={`${user._id} ${impersonator?._id}`} />
  if (state === 'checking') return <PageLoader />
  if (state === 'away') {
    const again = (
      <Button kind="ink" onClick={() => void checkSession()}>
        {texts.tryAgain}
      </Button>
    )
    return (
      <main>
        <EmptyState heading="h1" title={texts.away} text={texts.awayText} action={again} />
      </main>
    )
  }
  // Whoever logged out means to leave; whoever was turned away wants to come back to where he was.
  const back: SignInReturnState = endReason === 'logout' ? null : { from: pathname + search }
  return <Navigate to="/login" replace state={back} />
}

/** Everybody else goes to the public page; an administrator who is somebody else to where that one begins. Stands below SignedIn. */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const admin = useSession(session => session.user?.user_role === 'admin')
  const acting = useSession(session => session.impersonator !== null)
  return admin ? children : <Navigate to={acting ? '/main/dashboard' : '/'} replace />
}
