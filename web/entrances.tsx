/** Renders the pages by which users enter, for prerender-entrances.ts. */
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '#web/ui/fonts.css'
import '#web/ui/tokens.css'
import '#web/ui/mantine-variables.css'
import '#web/ui/tone.css'
import '#web/ui/base.css'
import '#web/ui/no-scripts.css'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter } from 'react-router'
// Imported here, so that their styles belong to this entry.
import '#web/accounts/LoginPage.tsx'
import '#web/accounts/RegisterPage.tsx'
import { App } from './App.tsx'
import { loadPage, routes } from './routes.tsx'

/** The markup by path without the first slash. */
export async function render(): Promise<Record<string, string>> {
  const pages: Record<string, string> = {}
  for (const path of ['login', 'register']) {
    await loadPage(routes, `/${path}`)
    const router = createMemoryRouter(routes, { initialEntries: [`/${path}`] })
    pages[path] = renderToString(<App router={router} />)
    router.dispose()
  }
  return pages
}
