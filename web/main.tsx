/** Entry point of the application (app.html). */
import '#web/ui/mantine.css'
import '#web/ui/fonts.css'
import '#web/ui/tokens.css'
import '#web/ui/mantine-variables.css'
import '#web/ui/tone.css'
import '#web/ui/base.css'
import '#web/ui/controls.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { checkSession } from '#web/client/session.ts'
import { Announcer } from '#web/ui/announce.tsx'
import { colorSchemeManager, theme } from '#web/ui/theme.ts'
import { Toasts } from '#web/ui/Toasts.tsx'
import { queryClient } from './client/query-client.ts'
import { router } from './routes.tsx'
import { ErrorBoundary, ErrorPage } from './shell/ErrorBoundary.tsx'

// A remembered token is checked on every start.
void checkSession()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary fallback={<ErrorPage />}>
          <RouterProvider router={router} />
        </ErrorBoundary>
      </QueryClientProvider>
      <Toasts />
      <Announcer />
    </MantineProvider>
  </StrictMode>,
)
