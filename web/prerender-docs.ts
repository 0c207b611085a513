/** A Vite plugin. It renders the page of the API into docs/api.html, with its styles in the head. */
import type { Plugin } from 'vite'
import { buildAndRender, fontPreloads } from '#web/landing/build-and-render.ts'

/** The built document, still without its content, and where it is served from. */
const TEMPLATE = 'docs.html'
const PAGE = 'docs/api.html'

type DocsMarkup = { head: string; body: string }

const fill = (html: string, head: string, body: string): string =>
  html.replace('<!--docs-head-->', () => head).replace('<!--docs-page-->', () => body)

export const prerenderDocs = (): Plugin[] => [
  {
    name: 'evenpost:docs',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const template = bundle[TEMPLATE]
        if (template?.type !== 'asset') throw new Error(`the build has no ${TEMPLATE}`)
        delete bundle[TEMPLATE]
        const entry = await buildAndRender<DocsMarkup>('docs/render.tsx')
        for (const asset of entry.assets)
          if (!bundle[asset.fileName]) this.emitFile({ type: 'asset', ...asset })
        const head = [entry.text.head, fontPreloads(entry), `<style>${entry.css}</style>`].join('')
        const source = fill(template.source.toString(), head, entry.text.body)
        this.emitFile({ type: 'asset', fileName: PAGE, source })
      },
    },
  },
  {
    name: 'evenpost:docs-dev',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url?.split('?')[0] === '/docs/api') request.url = `/${TEMPLATE}`
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path, server }) {
        if (path !== `/${TEMPLATE}` || !server) return html
        const { render } = (await server.ssrLoadModule('/docs/render.tsx')) as {
          render(): DocsMarkup
        }
        const { head, body } = render()
        const style = '<script type="module">import "/docs/DocsPage.tsx"</script>'
        return fill(html, style + head, body)
      },
    },
  },
]
