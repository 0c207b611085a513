/** The markup of the landing page, for prerender.ts. */
import { renderToStaticMarkup } from 'react-dom/server'
import { LandingHead } from './LandingHead.tsx'
import { LandingPage } from './LandingPage.tsx'

export const render = (): { head: string; body: string } => ({
  head: renderToStaticMarkup(<LandingHead />),
  body: renderToStaticMarkup(<LandingPage />),
})
