/**
 * The end of the build: what was built beside is put in place file by file, so that a server that runs meanwhile always has a whole
 * set of pages: at first the old one, then the new one.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

/** Whatever of the web's files is asked for, index.html says which set they belong to (server/platform/http/web-pages.ts). */
const LAST_PUBLISHED = 'index.html'

/** Moves all files of one folder into another one on the same disk, index.html last; then what else was there is removed. */
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

/** Paths below a folder; none where it does not exist. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
}

/** Publishes into `to` what the build has written. */
export const publishPlugin = (from: string, to: string): Plugin => ({
  name: 'evenpost:publish',
  apply: 'build',
  writeBundle: { order: 'post', sequential: true, handler: () => publish(from, to) },
})
