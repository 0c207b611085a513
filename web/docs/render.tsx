/** The markup of the page of the API, for prerender-docs.ts. */
import { renderToStaticMarkup } from 'react-dom/server'
import { PRODUCT } from '#contract/product.ts'
import { DocsPage } from './DocsPage.tsx'
import { texts } from './texts.ts'

export const render = (): { head: string; body: string } => ({
  head: renderToStaticMarkup(
    <>
      <title>{`${texts.documentTitle} · ${PRODUCT}`}</title>
      <meta name="description" content={texts.lead} />
      <link rel="canonical" href="{{url}}/docs/api" />
    </>,
  ),
  body: renderToStaticMarkup(<DocsPage />),
})
