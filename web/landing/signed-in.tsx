/** The landing page of somebody who is signed in: the way back to the dashboard, and the bulk order that is being followed. */
import '#web/ui/mantine.css'
import '#web/ui/mantine-variables.css'
import '#web/ui/tone.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ProgressOverlay } from '#web/batches/ProgressOverlay.tsx'
import { queryClient } from '#web/client/query-client.ts'
import { checkSession, useSession } from '#web/client/session.ts'
import { ImpersonationBar } from '#web/shell/ImpersonationBar.tsx'
import { Announcer } from '#web/ui/announce.tsx'
import { colorSchemeManager, theme } from '#web/ui/theme.ts'
import { Toasts } from '#web/ui/Toasts.tsx'

const onUserKnown = (go: () => void) => useSession.subscribe(({ user }) => user && go())

/** Asks the server who the remembered token is (specification, 2) and follows the answer, also when it changes in another tab. */
export function mountForSignedIn(): void {
  useSession.subscribe(({ user }) =>
    document.documentElement.toggleAttribute('data-signed-in', user !== null),
  )
  void checkSession()
  const place = document.body.appendChild(document.createElement('div'))
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <ImpersonationBar
          onBack={why =>
            why === 'wish' && onUserKnown(() => location.assign('/admin/user-management'))
          }
        />
        <QueryClientProvider client={queryClient}>
          <ProgressOverlay />
        </QueryClientProvider>
        <Toasts />
        <Announcer />
      </MantineProvider>
    </StrictMode>,
  )
}
