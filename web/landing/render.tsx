/** The landing page as text, for the build (prerender.ts). */
import { renderToStaticMarkup } from 'react-dom/server'
import { Head } from './Head.tsx'
import { Page } from './Page.tsx'

export const render = (): { head: string; body: string } => ({
  head: renderToStaticMarkup(<Head />),
  body: renderToStaticMarkup(<Page />),
})
