import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { CAPTION, FIELDS, TRACKING_NUMBER_FIELD } from '#server/labels/layout.ts'
import { letterRuns, type Setting } from './letters.ts'

const fonts = join(
  createRequire(import.meta.url).resolve('pdfjs-dist/package.json'),
  '..',
  'standard_fonts',
)
GlobalFonts.register(readFileSync(join(fonts, 'LiberationSans-Regular.ttf')), 'Letters regular')
GlobalFonts.register(readFileSync(join(fonts, 'LiberationSans-Bold.ttf')), 'Letters bold')

const DOTS_PER_POINT = 203.2 / 72
const CHARACTERS = [
  ...Array.from({ length: 0x7f - 0x21 }, (_, turn) => String.fromCharCode(0x21 + turn)),
  '–',
  '·',
]

// How dark each dot is of a field that any letter fits into; the letter begins at ORIGIN.
const SIDE = 56
const ORIGIN = { x: 8, y: 40 }

function ours(setting: Setting, character: string): Float32Array {
  const field = new Float32Array(SIDE * SIDE)
  const runs = letterRuns(setting, character)
  for (let at = 0; at < runs.length; at += 3) {
    for (let x = runs[at + 1]!; x < runs[at + 2]!; x++)
      field[(ORIGIN.y + runs[at]!) * SIDE + ORIGIN.x + x] = 1
  }
  return field
}

// The same letter by another hand, which mixes grey from how much of a dot is covered.
function theirs({ face, dots, squeeze }: Setting, character: string): Float32Array {
  const canvas = createCanvas(SIDE, SIDE)
  const pen = canvas.getContext('2d')
  pen.font = `${dots}px "Letters ${face}"`
  pen.setTransform(squeeze / 100, 0, 0, 1, ORIGIN.x, ORIGIN.y)
  pen.fillText(character, 0, 0)
  const { data } = pen.getImageData(0, 0, SIDE, SIDE)
  return Float32Array.from({ length: SIDE * SIDE }, (_, dot) => data[dot * 4 + 3]! / 255)
}

const AROUND = [-SIDE - 1, -SIDE, -SIDE + 1, -1, 0, 1, SIDE - 1, SIDE, SIDE + 1]

// The dots of each drawing that have none of the other on them or beside them. A trace of grey is as good as none.
function strays(drawn: Float32Array, other: Float32Array): number {
  let count = 0
  for (let dot = 0; dot < SIDE * SIDE; dot++) {
    if (drawn[dot] === 1 && !AROUND.some(by => other[dot + by]! > 0.1)) count++
    if (other[dot]! > 0.5 && !AROUND.some(by => drawn[dot + by] === 1)) count++
  }
  return count
}

const STYLES = new Map(
  [...Object.values(FIELDS), CAPTION, TRACKING_NUMBER_FIELD].map(({ style: { face, size } }) => [
    `${size} ${face}`,
    { face, size },
  ]),
)
const SETTINGS: Setting[] = [
  ...Array.from(STYLES.values(), ({ face, size }) => ({
    face,
    dots: size * DOTS_PER_POINT,
    squeeze: 100,
  })),
  // The smallest and narrowest that a long line is set in: helvetica.ts.
  { face: 'regular', dots: 5.7 * DOTS_PER_POINT, squeeze: 78 },
  { face: 'bold', dots: 6.4 * DOTS_PER_POINT, squeeze: 78 },
]

test('every letter has the shape that another hand gives it, in every size of a label and in the smallest', () => {
  for (const setting of SETTINGS) {
    const found = CHARACTERS.map(
      character =>
        [character, strays(ours(setting, character), theirs(setting, character))] as const,
    )
    expect(
      found.filter(([, count]) => count > 0),
      JSON.stringify(setting),
    ).toEqual([])
    // Letters that are like each other are told apart by that.
    for (const [one, other] of ['OQ', 'CG', 'EF', 'PR', 'co', 'ce', '17']) {
      expect(
        strays(ours(setting, one!), theirs(setting, other!)),
        `${one} as ${other}`,
      ).toBeGreaterThan(0)
    }
  }
})

test('the bars of a letter are of one thickness, wherever in the letter they are', () => {
  for (const dots of [5.7, 8, 8.3, 9, 11, 12].map(points => points * DOTS_PER_POINT)) {
    for (const face of ['regular', 'bold'] as const) {
      const field = ours({ face, dots, squeeze: 100 }, 'E')
      // Through the arms, right of the stem.
      const column = ORIGIN.x + Math.round(dots * 0.4)
      const arms = Array.from({ length: SIDE }, (_, y) => field[y * SIDE + column])
        .join('')
        .match(/1+/g)!
      expect(arms.length, `${face} ${dots}`).toBe(3)
      expect(new Set(arms).size, `${face} ${dots}`).toBe(1)
    }
  }
})

test('letters stand on one line and end at one line, round ones too', () => {
  for (const dots of [8, 9, 12].map(points => points * DOTS_PER_POINT)) {
    const rows = (character: string): number[] => {
      const runs = letterRuns({ face: 'bold', dots, squeeze: 100 }, character)
      return Array.from({ length: runs.length / 3 }, (_, run) => runs[run * 3]!)
    }
    for (const [flat, round] of ['EO', 'EG', 'ES', 'xo', 'xe', 'Z8']) {
      expect([Math.min(...rows(round!)), Math.max(...rows(round!))]).toEqual([
        Math.min(...rows(flat!)),
        -1,
      ])
    }
  }
})

test('a character that nobody can draw leaves its place empty', () => {
  expect(letterRuns({ face: 'bold', dots: 30, squeeze: 100 }, '\u20ac')).toHaveLength(0)
  expect(letterRuns({ face: 'bold', dots: 30, squeeze: 100 }, ' ')).toHaveLength(0)
})
