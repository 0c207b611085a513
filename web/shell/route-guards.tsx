/** Layout routes that check who may open the pages below. The server checks every call again. */
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { checkSession, useIsSupport, useSession } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageLoader } from '#web/ui/Skeleton.tsx'
import { texts } from './texts.ts'

/** Where the sign-in page, or that of the second factor, returns to. In the history state, not in the URL, because URLs are shared. */
export type SignInReturnState = { from?: string } | null

/** The page of a user who must set up a second factor before anything else. */
export const SET_UP_PATH = '/main/two-step'

/** While the token is checked, frames are shown without their pages; without a valid user it redirects to the sign-in page. */
export function RequireSignIn() {
  const { user, impersonator, state, endReason, secondFactorRequired } = useSession()
  const { pathname, search } = useLocation()
  const isSetUp = pathname.replace(/\/+$/, '') === SET_UP_PATH
  if (user && secondFactorRequired && !isSetUp) {
    const next: SignInReturnState = { from: pathname + search }
    return <Navigate to={SET_UP_PATH} replace state={next} />
  }
  // A new user remounts the page, so that nothing typed or shown reaches the next user.
  if (user) return <Outlet key={`${user._id} ${impersonator?._id}`} />
  if (state === 'checking') return isSetUp ? <PageLoader /> : <Outlet />
  if (state === 'unreachable') {
    const retry = (
      <Button kind="ink" onClick={() => void checkSession()}>
        {texts.tryAgain}
      </Button>
    )
    return (
      <main>
        <EmptyState
          heading="h1"
          title={texts.unreachable}
          text={texts.unreachableText}
          action={retry}
        />
      </main>
    )
  }
  // After a sign-out the next sign-in starts at the dashboard; after a redirect it returns here.
  const returnState: SignInReturnState = endReason === 'logout' ? null : { from: pathname + search }
  return <Navigate to="/login" replace state={returnState} />
}

/**
 * Below RequireSignIn; waits like it. Others go to the landing page; an administrator signed in as a user goes to that user's
 * dashboard.
 */
export function RequireAdmin() {
  const known = useSession(session => session.user !== null)
  const admin = useSession(session => session.user?.user_role === 'admin')
  const isSupport = useIsSupport()
  // Opened from a page with the chat widget: loaded again, the server leaves the widget out.
  const leavesWidget = admin && document.querySelector('script[data-widget]') !== null
  useEffect(() => {
    if (leavesWidget) window.location.reload()
  }, [leavesWidget])
  if (leavesWidget) return null
  if (!known) return <Outlet />
  return admin ? <Outlet /> : <Navigate to={isSupport ? '/main/dashboard' : '/'} replace />
}
