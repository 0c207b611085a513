import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from '#web/client/query-client.ts'
import { Announcer } from '#web/ui/announce.tsx'
import { colorSchemeManager, theme } from '#web/ui/theme.ts'
import { Toasts } from '#web/ui/Toasts.tsx'
import { ErrorBoundary, ErrorPage } from './shell/ErrorBoundary.tsx'

/** The application. The build renders it too (prerender-entrances.ts), so it must not need the browser while rendering. */
export function App({ router }: { router: DataRouter }) {
  return (
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
    </StrictMode>
  )
}
