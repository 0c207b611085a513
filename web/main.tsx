/** Starts the application (app.html, entrance.html). */
import '#web/ui/mantine.css'
import '#web/ui/fonts.css'
import '#web/ui/tokens.css'
import '#web/ui/mantine-variables.css'
import '#web/ui/tone.css'
import '#web/ui/base.css'
import '#web/ui/controls.css'
import '#web/ui/no-scripts.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { checkSession } from '#web/client/session.ts'
import { followTranslation } from '#web/ui/translated-text.ts'
import { App } from './App.tsx'
import { loadPage, routes } from './routes.tsx'

// A remembered token is checked on every start.
void checkSession()

followTranslation()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
const pageLoaded = loadPage(routes, location.pathname)
const app = <App router={createBrowserRouter(routes)} />

// A page that the build has rendered stays as it is while its code loads. As a transition, hydration does not block typing.
if (root.dataset.page === location.pathname && location.search === '')
  void pageLoaded.then(() => startTransition(() => void hydrateRoot(root, app)))
else {
  root.replaceChildren()
  createRoot(root).render(app)
}
