/**
 * Vite plugins. They render the landing page into index.html with its styles in the head, so that it paints before any script
 * loads, and add icons, the color scheme script and the placeholder of the chat script to every page.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { usd } from '#contract/money.ts'
import { fillPage } from '#contract/page-template.ts'
import type { PageFacts } from '#contract/page-template.ts'
import { EXAMPLE_OFFER, flatPriceFacts } from '#contract/price-chart.ts'

const WEB = join(import.meta.dirname, '..')

/** `assets` are the files that the markup and the styles refer to. */
export type RenderedEntry<Text> = {
  text: Text
  css: string
  assets: { fileName: string; source: string | Uint8Array }[]
}

type LandingMarkup = { head: string; body: string }

/** Builds `entry`, a module below web/ that exports `render`, for Node and runs it once. */
export async function buildAndRender<Text>(entry: string): Promise<RenderedEntry<Text>> {
  const built = await build({
    configFile: false,
    root: WEB,
    logLevel: 'warn',
    publicDir: false,
    plugins: [react()],
    build: {
      ssr: entry,
      write: false,
      ssrEmitAssets: true,
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      cssMinify: true,
    },
  })
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput
  const code = output.find(part => part.type === 'chunk' && part.isEntry) as Rolldown.OutputChunk
  const files = output.filter(part => part.type === 'asset')
  const sheets = files.filter(({ fileName }) => fileName.endsWith('.css'))
  return {
    text: (await importCode<{ render(): Text }>(code.code)).render(),
    css: sheets.map(({ source }) => source.toString()).join(''),
    assets: files.filter(file => !sheets.includes(file)),
  }
}

/** Imports built code from a file inside the project, where it finds React. */
async function importCode<Module>(code: string): Promise<Module> {
  const path = join(WEB, `.drawing-${process.pid}-${Date.now()}.mjs`)
  await writeFile(path, code)
  try {
    return (await import(path)) as Module
  } finally {
    await rm(path)
  }
}

/** The fonts of the first screen. */
const FIRST_SCREEN_FONTS = ['geist-latin-wght', 'bricolage-grotesque-latin-wght']
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
}

export function prerender(): Plugin[] {
  let rendered: RenderedEntry<LandingMarkup> | undefined
  return [
    {
      name: 'evenpost:theme',
      transformIndexHtml: {
        order: 'pre',
        async handler(html) {
          const script = (await readFile(join(WEB, 'theme.js'), 'utf8'))
            .replace(/\/\*[\s\S]*?\*\/|\s+\/\/.*/g, '')
            .trim()
          return html.replace(
            '<script src="/theme.js"></script>',
            () => `<script>${script}</script>`,
          )
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
function landingHeadFor({ css, assets }: RenderedEntry<LandingMarkup>): string {
  const named = (part: string) => assets.find(({ fileName }) => fileName.includes(part))?.fileName
  const faces = FIRST_SCREEN_FONTS.map(
    face => `<link rel="preload" href="/${named(face)}" as="font" type="font/woff2" crossorigin>`,
  )
  const backdrop = `<link rel="preload" href="/${named('backdrop')}" as="image" type="image/svg+xml">`
  return [...faces, backdrop, `<style>${css}</style>`].join('')
}
