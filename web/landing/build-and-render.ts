/** Builds a part of the pages for Node and renders it while the pages are built. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Rolldown } from 'vite'

const WEB = dirname(import.meta.dirname)

/** `assets` are the files that the markup and the styles refer to. */
export type RenderedEntry<Text> = {
  text: Text
  css: string
  assets: { fileName: string; source: string | Uint8Array }[]
}

/** Builds `entry`, a module below web/ that exports `render`, and runs it once. The styles are those of its static imports. */
export async function buildAndRender<Text>(entry: string): Promise<RenderedEntry<Text>> {
  const built = await build({
    configFile: false,
    root: WEB,
    // Not to warn of pages that are imported on demand too.
    logLevel: 'error',
    publicDir: false,
    plugins: [react()],
    build: {
      ssr: entry,
      write: false,
      ssrEmitAssets: true,
      assetsInlineLimit: 0,
      cssMinify: true,
    },
  })
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput
  const chunks = output.filter(part => part.type === 'chunk')
  const files = output.filter(part => part.type === 'asset')
  const sheets = sheetsOf(
    chunks.find(({ isEntry }) => isEntry)!,
    chunks,
  )
  return {
    text: await runEntry<Text>(chunks),
    css: files
      .filter(({ fileName }) => sheets.has(fileName))
      .map(({ source }) => source.toString())
      .join(''),
    assets: files.filter(({ fileName }) => !fileName.endsWith('.css')),
  }
}

/** Style sheets of a chunk and of the chunks that it imports statically. */
function sheetsOf(
  chunk: Rolldown.OutputChunk,
  among: Rolldown.OutputChunk[],
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(chunk.fileName)) return seen
  seen.add(chunk.fileName)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) seen.add(sheet)
  for (const one of among) if (chunk.imports.includes(one.fileName)) sheetsOf(one, among, seen)
  return seen
}

/** Runs built code from a folder inside the project, where it finds React. */
async function runEntry<Text>(chunks: Rolldown.OutputChunk[]): Promise<Text> {
  const folder = join(WEB, `.rendering-${process.pid}-${Date.now()}`)
  try {
    for (const { fileName, code } of chunks) {
      await mkdir(dirname(join(folder, fileName)), { recursive: true })
      await writeFile(join(folder, fileName), code)
    }
    const { fileName } = chunks.find(({ isEntry }) => isEntry)!
    const entry = (await import(join(folder, fileName))) as { render(): Text | Promise<Text> }
    return await entry.render()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The fonts of the first screen. */
const FIRST_SCREEN_FONTS = ['geist-latin-wght', 'bricolage-grotesque-latin-wght']

export const fontPreloads = ({ assets }: Pick<RenderedEntry<unknown>, 'assets'>): string =>
  FIRST_SCREEN_FONTS.map(face => {
    const file = assets.find(({ fileName }) => fileName.includes(face))?.fileName
    return `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>`
  }).join('')
