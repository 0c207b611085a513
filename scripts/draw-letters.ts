/**
 * Writes the letters of labels that are pictures into server/labels/raster/__generated__. Run by hand when a letter is missing:
 * `node scripts/draw-letters.ts`. What it writes is committed, so that no font is needed where labels are drawn.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { letterFiles } from './letters/letters.ts'

const FOLDER = join(import.meta.dirname, '..', 'server', 'labels', 'raster', '__generated__')

for (const [name, text] of await letterFiles()) await writeFile(join(FOLDER, name), text)
