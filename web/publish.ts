/** The end of the build: replaces the pages file by file, so that a running server always has a complete set, old or new. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

/** index.html decides which set of files is served (server/platform/http/web-pages.ts). */
const LAST_PUBLISHED = 'index.html'

/** Moves all files into another folder on the same disk, index.html last, then removes the other files there. */
export async function publish(from: string, to: string): Promise<void> {
  const fresh = await filesBelow(from)
  const stale = (await filesBelow(to)).filter(
    file => !fresh.includes(file) && !join(to, file).startsWith(from),
  )
  const isPage = (file: string) => Number(file.endsWith('.html')) + Number(file === LAST_PUBLISHED)
  for (const file of fresh.sort((a, b) => isPage(a) - isPage(b))) {
    await mkdir(dirname(join(to, file)), { recursive: true })
    await rename(join(from, file), join(to, file))
  }
  for (const file of stale) await rm(join(to, file))
  await rm(from, { recursive: true })
}

/** Paths relative to the folder; none when it does not exist. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
}

export const publishPlugin = (from: string, to: string): Plugin => ({
  name: 'evenpost:publish',
  apply: 'build',
  writeBundle: { order: 'post', sequential: true, handler: () => publish(from, to) },
})
