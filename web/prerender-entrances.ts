/**
 * A Vite plugin. It renders the pages by which users enter into documents of their own (login.html, register.html), with their
 * styles in the head, so that the form is there before any script.
 */
import type { Plugin } from 'vite'
import { PRODUCT } from '#contract/product.ts'
import { buildAndRender, fontPreloads } from '#web/landing/build-and-render.ts'
import { usedCss } from './used-css.ts'

/** The built document of all entrances, still without their content. */
const TEMPLATE = 'entrance.html'

export const prerenderEntrances = (): Plugin => ({
  name: 'evenpost:entrances',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const template = bundle[TEMPLATE]
      if (template?.type !== 'asset') throw new Error(`the build has no ${TEMPLATE}`)
      delete bundle[TEMPLATE]
      const entry = await buildAndRender<Record<string, string>>('entrances.tsx')
      for (const asset of entry.assets)
        if (!bundle[asset.fileName]) this.emitFile({ type: 'asset', ...asset })
      for (const [path, markup] of Object.entries(entry.text)) {
        const head = [
          `<title>${titleOf(markup)} · ${PRODUCT}</title>`,
          fontPreloads(entry),
          `<style data-app>${usedCss(entry.css, markup)}</style>`,
        ].join('')
        const source = template.source
          .toString()
          .replace('<!--entrance-head-->', () => head)
          .replace(
            '<!--entrance-page-->',
            () => `<div id="root" data-page="/${path}">${markup}</div>`,
          )
        this.emitFile({ type: 'asset', fileName: `${path}.html`, source })
      }
    },
  },
})

function titleOf(markup: string): string {
  const title = /<h1[^>]*>([^<]*)</.exec(markup)?.[1]
  if (!title) throw new Error('an entrance was rendered without its title')
  return title
}
