/**
 * Part of the build: draws the landing page into index.html as text, with its style in the head, so that it is painted before any
 * script is there. Also gives every page its icons, its colour scheme before the first paint, and the place for the chat's script.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { fillPage } from '#contract/page-template.ts'
import type { PageFacts } from '#contract/page-template.ts'

const WEB = join(import.meta.dirname, '..')

/** A page as text, its style, and the files that the style and the page name. */
export type RenderedEntry<Text> = {
  text: Text
  css: string
  assets: { fileName: string; source: string | Uint8Array }[]
}

type LandingMarkup = { head: string; body: string }

/** Builds `entry`, a module below web/ that exports `render`, for the server's side, and lets it draw once. */
export async function renderEntry<Text>(entry: string): Promise<RenderedEntry<Text>> {
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

/** Runs a built module. It has to be a file below the project, where React is found. */
async function importCode<Module>(code: string): Promise<Module> {
  const path = join(WEB, `.drawing-${process.pid}-${Date.now()}.mjs`)
  await writeFile(path, code)
  try {
    return (await import(path)) as Module
  } finally {
    await rm(path)
  }
}

/** The faces that the first screen is written in. */
const FIRST_SCREEN_FONTS = ['geist-latin-wght', 'bricolage-grotesque-latin-wght']
const ICON_LINKS =
  '<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="/mark.svg" type="image/svg+xml">'
  + '<link rel="apple-touch-icon" href="/apple-touch-icon.png"><link rel="manifest" href="/site.webmanifest">'
const CHAT_SCRIPT = '{{#chat}}<script async src="{{chat}}"></script>{{/chat}}'

/** What a page of the development server is filled with. */
const DEV_PAGE_FACTS: PageFacts = {
  year: String(new Date().getFullYear()),
  url: '',
  price: '$6.50',
  community: 'https://example.com/',
  chat: null,
}

export function prerender(): Plugin[] {
  let drawn: RenderedEntry<LandingMarkup> | undefined
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
        // As the server does: every address of the product that is not `/` opens app.html.
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
        drawn = await renderEntry<LandingMarkup>('landing/render.tsx')
        for (const asset of drawn.assets)
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
          if (!drawn) throw new Error('the landing page is drawn before index.html is written')
          return insertLanding(page, landingHeadFor(drawn), drawn.text)
        },
      },
    },
  ]
}

const insertLanding = (page: string, extra: string, { head, body }: LandingMarkup): string =>
  page
    .replace('<!--landing-head-->', () => extra + head)
    .replace('<!--landing-page-->', () => body.replace(/^<link rel="preload"[^>]*>/, ''))

/** The style itself, and what the first screen needs besides; React's own preload would stand in the body. */
function landingHeadFor({ css, assets }: RenderedEntry<LandingMarkup>): string {
  const named = (part: string) => assets.find(({ fileName }) => fileName.includes(part))?.fileName
  const faces = FIRST_SCREEN_FONTS.map(
    face => `<link rel="preload" href="/${named(face)}" as="font" type="font/woff2" crossorigin>`,
  )
  const backdrop = `<link rel="preload" href="/${named('backdrop')}" as="image" type="image/svg+xml">`
  return [...faces, backdrop, `<style>${css}</style>`].join('')
}
