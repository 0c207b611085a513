/**
 * Vite plugins. They render the landing page into index.html with its styles in the head, so that it paints before any script
 * loads, and add icons, the color scheme script and the placeholder of the chat script to every page.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { usd } from '#contract/money.ts'
import { fillPage } from '#contract/page-template.ts'
import type { PageFacts } from '#contract/page-template.ts'
import { EXAMPLE_OFFER, flatPriceFacts } from '#contract/price-chart.ts'
import { buildAndRender, fontPreloads } from './build-and-render.ts'
import type { RenderedEntry } from './build-and-render.ts'

const WEB = join(import.meta.dirname, '..')

type LandingMarkup = { head: string; body: string }

const ICON_LINKS =
  '<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/mark.svg" type="image/svg+xml">'
  + '<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/site.webmanifest">'
const CHAT_SCRIPT = '{{#chat}}<script src="/chat.js" data-widget="{{chat}}"></script>{{/chat}}'

const DEV_PAGE_FACTS: PageFacts = {
  year: String(new Date().getFullYear()),
  url: '',
  price: usd(EXAMPLE_OFFER.price),
  flat: flatPriceFacts(EXAMPLE_OFFER, null),
  community: 'https://example.com/',
  chat: null,
  pages: [],
  refunds: null,
  agreement: null,
}

/** Scripts that the build writes into the pages. */
const INLINE_SCRIPTS = ['theme.js', 'early-forms.js']

export function prerender(): Plugin[] {
  let rendered: RenderedEntry<LandingMarkup> | undefined
  return [
    {
      name: 'evenpost:theme',
      transformIndexHtml: {
        order: 'pre',
        async handler(html) {
          let page = html
          for (const name of INLINE_SCRIPTS) {
            const script = (await readFile(join(WEB, name), 'utf8'))
              .replace(/\/\*[\s\S]*?\*\/|\s+\/\/.*/g, '')
              .trim()
            page = page.replace(
              `<script src="/${name}"></script>`,
              () => `<script>${script}</script>`,
            )
          }
          return page
        },
      },
    },
    {
      name: 'evenpost:landing',
      configureServer(server) {
        // Like the server: every page except `/` opens app.html.
        server.middlewares.use((request, _response, next) => {
          const [path = '/'] = (request.url ?? '/').split('?')
          const isPage =
            request.method === 'GET'
            && request.headers.accept?.includes('text/html')
            && !/\.\w+$/.test(path)
          if (isPage && path !== '/' && !/^\/(api|sandbox-pay|socket\.io)\b/.test(path))
            request.url = '/app.html'
          next()
        })
      },
      async generateBundle(_options, bundle) {
        rendered = await buildAndRender<LandingMarkup>('landing/render.tsx')
        for (const asset of rendered.assets)
          if (!bundle[asset.fileName]) this.emitFile({ type: 'asset', ...asset })
      },
      transformIndexHtml: {
        order: 'post',
        async handler(html, { path, server }) {
          const page = html.replace('<!--icons-->', ICON_LINKS).replace('<!--chat-->', CHAT_SCRIPT)
          if (path !== '/index.html') return server ? fillPage(page, DEV_PAGE_FACTS) : page
          if (server) {
            const { render } = (await server.ssrLoadModule('/landing/render.tsx')) as {
              render(): LandingMarkup
            }
            const style = '<script type="module">import "/landing/LandingPage.tsx"</script>'
            return fillPage(insertLanding(page, style, render()), DEV_PAGE_FACTS)
          }
          if (!rendered)
            throw new Error('the landing page must be rendered before index.html is written')
          return insertLanding(page, landingHeadFor(rendered), rendered.text)
        },
      },
    },
  ]
}

const insertLanding = (page: string, extra: string, { head, body }: LandingMarkup): string =>
  page
    .replace('<!--landing-head-->', () => extra + head)
    .replace('<!--landing-page-->', () => body.replace(/^<link rel="preload"[^>]*>/, ''))

/** Styles and preloads of the first screen. React would put its preload into the body. */
function landingHeadFor(entry: RenderedEntry<LandingMarkup>): string {
  const backdrop = entry.assets.find(({ fileName }) => fileName.includes('backdrop'))?.fileName
  return [
    fontPreloads(entry),
    `<link rel="preload" href="/${backdrop}" as="image" type="image/svg+xml">`,
    `<style>${entry.css}</style>`,
  ].join('')
}
