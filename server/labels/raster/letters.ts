import type { Face } from '#server/labels/helvetica.ts'
import { bold } from './__generated__/bold.ts'
import { regular } from './__generated__/regular.ts'
// Letters as dots, in any size: a line that had to be made smaller is set in exactly the size that it has in the PDF.
import { barsOf, fitHeights, fitWidths, type Bar } from './fit.ts'
import {
  runsOf,
  sidesOf,
  straightened,
  type Contour,
  type Point,
  type Runs,
  type Side,
} from './shape.ts'

/** How letters are set: `dots` is the type size, `squeeze` the percentage of their width that is left to them. */
export type Setting = { face: Face; dots: number; squeeze: number }

type Letter = { sides: Side[][]; heights: Bar[]; widths: Bar[] }

const UNITS = 2048
const PATHS = { bold, regular }
const LETTERS: Record<Face, Map<string, Letter>> = { bold: new Map(), regular: new Map() }

// A label has a dozen settings; only long lines bring more. What has been drawn is forgotten when there are too many.
const MOST_DRAWN = 20_000
const drawn = new Map<string, Map<string, Runs>>()
let count = 0

/** The dots of a letter that begins at the left end of the base line. Nothing for a character that we cannot draw. */
export function letterRuns(setting: Setting, character: string): Runs {
  const key = `${setting.face} ${setting.dots} ${setting.squeeze}`
  let letters = drawn.get(key)
  if (!letters) drawn.set(key, (letters = new Map<string, Runs>()))
  let runs = letters.get(character)
  if (!runs) {
    if (++count > MOST_DRAWN) {
      drawn.clear()
      count = 0
    }
    letters.set(character, (runs = runsOf(fitted(setting, character))))
  }
  return runs
}

/** The outline of a letter, one high where the type is one high, before it is laid on any dots. */
export function letterOutline(face: Face, character: string): Contour[] {
  return straightened(letterOf(face, character).sides, ({ x, y }) => ({
    x: x / UNITS,
    y: y / UNITS,
  }))
}

function fitted({ face, dots, squeeze }: Setting, character: string): Contour[] {
  const { sides, heights, widths } = letterOf(face, character)
  const up = fitHeights(heights, dots / UNITS)
  const right = fitWidths(widths, (dots * squeeze) / 100 / UNITS)
  return straightened(sides, ({ x, y }: Point) => ({ x: right(x), y: -up(y) }))
}

function letterOf(face: Face, character: string): Letter {
  let letter = LETTERS[face].get(character)
  if (!letter) {
    const sides = sidesOf(PATHS[face][character] ?? '')
    letter = { sides, heights: barsOf(sides, 'y'), widths: barsOf(sides, 'x') }
    LETTERS[face].set(character, letter)
  }
  return letter
}
