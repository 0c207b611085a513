/** The landing page for a signed-in user: the link to the dashboard and the progress of a running bulk order. */
import '#web/ui/mantine.css'
import '#web/ui/mantine-variables.css'
import '#web/ui/tone.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'react-router'
import type { Navigator, To } from 'react-router'
import { ProgressOverlay } from '#web/batches/ProgressOverlay.tsx'
import { queryClient } from '#web/client/query-client.ts'
import { checkSession, useSession } from '#web/client/session.ts'
import { ErrorBoundary } from '#web/shell/ErrorBoundary.tsx'
import { ImpersonationBar } from '#web/shell/ImpersonationBar.tsx'
import { Announcer } from '#web/ui/announce.tsx'
import { colorSchemeManager, theme } from '#web/ui/theme.ts'
import { Toasts } from '#web/ui/Toasts.tsx'
import { followTranslation } from '#web/ui/translated-text.ts'

const whenUserKnown = (go: () => void) => useSession.subscribe(({ user }) => user && go())

const hrefOf = (to: To): string =>
  typeof to === 'string' ? to : `${to.pathname ?? ''}${to.search ?? ''}${to.hash ?? ''}`

/** Links of the shared parts lead to another document here. */
const documentNavigator: Navigator = {
  createHref: hrefOf,
  go: delta => history.go(delta),
  push: to => location.assign(hrefOf(to)),
  replace: to => location.replace(hrefOf(to)),
}

/** Checks the remembered token and follows the session, also when it changes in another tab. */
export function mountForSignedIn(): void {
  useSession.subscribe(({ user }) =>
    document.documentElement.toggleAttribute('data-signed-in', user !== null),
  )
  void checkSession()
  followTranslation()
  const container = document.body.appendChild(document.createElement('div'))
  createRoot(container).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        {/* The page itself stays usable when these parts fail. */}
        <ErrorBoundary fallback={null}>
          <ImpersonationBar
            onBack={reason =>
              reason === 'requested'
              && whenUserKnown(() => location.assign('/admin/user-management'))
            }
          />
          <QueryClientProvider client={queryClient}>
            <Router location={location.pathname} navigator={documentNavigator}>
              <ProgressOverlay />
            </Router>
          </QueryClientProvider>
        </ErrorBoundary>
        <Toasts />
        <Announcer />
      </MantineProvider>
    </StrictMode>,
  )
}
