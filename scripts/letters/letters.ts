/** The files of letters from which labels are drawn as pictures, made of a font that comes with a package of the tests. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { outlines, UNITS } from './true-type.ts'

// As wide as Helvetica to the letter, which is what the PDF of a label is set in.
const FONTS = join(
  dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts',
)
const FACES = { regular: 'LiberationSans-Regular.ttf', bold: 'LiberationSans-Bold.ttf' }
// ASCII, and what our own words use beyond it.
const CHARACTERS =
  Array.from({ length: 0x7f - 0x20 }, (_, turn) => String.fromCharCode(0x20 + turn)).join('') + '–·'
const WIDEST = 126

const HEAD = `// Written by \`node scripts/draw-letters.ts\`; a test compares. The shapes of the letters of Liberation Sans as SVG
// paths, ${UNITS} units to the type size, y upwards. Changed in form only.
// Digitized data copyright (c) 2010 Google Corporation. Copyright (c) 2012 Red Hat, Inc.
// Licensed under the SIL Open Font License, Version 1.1: OFL.txt beside this file.
`

/** The files by their names, each with the outlines of one face. */
export async function letterFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [face, file] of Object.entries(FACES)) {
    const paths = Array.from(
      outlines(await readFile(join(FONTS, file)), CHARACTERS),
      ([character, path]) => `  ${quoted(character)}: ${wrapped(path)},\n`,
    )
    files.set(
      `${face}.ts`,
      `${HEAD}export const ${face}: Record<string, string> = {\n${paths.join('')}}\n`,
    )
  }
  return files
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

function wrapped(path: string): string {
  const parts = path.match(new RegExp(`.{1,${WIDEST}}(?=[mhvlqz]|$)`, 'g')) ?? ['']
  return parts.map(quoted).join(' +\n    ')
}
