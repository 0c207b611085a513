/**
 * Specimens as commands for a label printer (ZPL II, 203 dpi). The form stands after the words of a customer and wipes its own areas
 * first, so that nothing written can cover a mark. A file of many labels is one after the other.
 */
import { groupTracking } from '#contract/format.ts'
import { assertSpecimen } from '#server/carriers/sandbox/tracking.ts'
import {
  BEGIN,
  centredWords,
  END,
  filled,
  leaning,
  outlined,
  remark,
  ruled,
  specimenBars,
  words,
} from './draw-zpl.ts'
import { textWidth } from './helvetica.ts'
import {
  BARS,
  BLACK,
  CAPTION,
  FIELDS,
  MARKED,
  MARKS_ON_BLACK,
  MARKS_ON_WHITE,
  NUMBER,
  OUTLINES,
  PAGE,
  PARCEL_RIGHT,
  RULES,
  SPECIMEN_TITLE,
  WATERMARK,
  type Field,
} from './layout.ts'
import type { LabelPaper } from './paper.ts'
import { wordingOf, type Line } from './wording.ts'

/**
 * One label, from ^XA to ^XZ and a line break, in UTF-8; about 3 KB. Texts may hold anything, also commands. Throws for anything but a
 * sandbox tracking number.
 */
export function specimenZpl(label: LabelPaper): string {
  const { trackingNumber } = label
  assertSpecimen(trackingNumber)
  const { service, from, to, toPhone, weight, size, stack, goods } = wordingOf(label)
  return (
    HEAD
    + lines(FIELDS.service, [{ text: service, keep: '' }])
    + lines(FIELDS.from, from)
    + ending(FIELDS.weight, weight)
    + ending(FIELDS.size, size)
    + lines(FIELDS.to, to)
    + lines(FIELDS.toPhone, [{ text: toPhone, keep: '' }], to.length)
    + lines(FIELDS.stack, [stack])
    + lines(FIELDS.goods, [{ text: goods, keep: '' }])
    + FORM
    + words(
      NUMBER.style,
      { x: PAGE.width / 2, y: NUMBER.y, align: 'middle' },
      groupTracking(trackingNumber),
    )
    + specimenBars(trackingNumber, BARS)
    + END
  )
}

function lines({ style, x, y, leading }: Field, wanted: readonly Line[], after = 0): string {
  return wanted
    .map(({ text, keep }, turn) => words(style, { x, y: y - (after + turn) * leading }, text, keep))
    .join('')
}

function ending({ style, y }: Field, text: string): string {
  return words(style, { x: PARCEL_RIGHT, y, align: 'right' }, text)
}

type Point = readonly [x: number, y: number]

// In a square from the lower left: what a pen draws without being lifted.
const STROKES: Record<string, Point[][]> = {
  S: [
    [
      [1, 0.88],
      [0.8, 1],
      [0.2, 1],
      [0, 0.88],
      [0, 0.62],
      [0.2, 0.52],
      [0.8, 0.48],
      [1, 0.38],
      [1, 0.12],
      [0.8, 0],
      [0.2, 0],
      [0, 0.12],
    ],
  ],
  A: [
    [
      [0, 0],
      [0.5, 1],
      [1, 0],
    ],
    [
      [0.18, 0.36],
      [0.82, 0.36],
    ],
  ],
  M: [
    [
      [0, 0],
      [0, 1],
      [0.5, 0.25],
      [1, 1],
      [1, 0],
    ],
  ],
  P: [
    [
      [0, 0],
      [0, 1],
      [0.8, 1],
      [1, 0.88],
      [1, 0.6],
      [0.8, 0.48],
      [0, 0.48],
    ],
  ],
  L: [
    [
      [0, 1],
      [0, 0],
      [1, 0],
    ],
  ],
  E: [
    [
      [1, 1],
      [0, 1],
      [0, 0],
      [1, 0],
    ],
    [
      [0, 0.52],
      [0.85, 0.52],
    ],
  ],
}

const HEAD = BEGIN + remark(SPECIMEN_TITLE) + watermark()

const FORM =
  MARKED.map(box => filled(box, 'W')).join('')
  + OUTLINES.map(({ thick, box }) => outlined(thick, box)).join('')
  + RULES.map(ruled).join('')
  + BLACK.map(box => filled(box)).join('')
  + MARKS_ON_WHITE.map(mark => centredWords(mark.words, mark)).join('')
  + words(CAPTION.style, CAPTION, CAPTION.words)
  + MARKS_ON_BLACK.map(mark => centredWords(mark.words, mark, true)).join('')

// A printer can turn letters by quarters only, so the word across the page is drawn line by line: thin, as it lies under the address.
function watermark(): string {
  const { words: word, size, angle, middle, y } = WATERMARK
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const high = size * 0.718
  let along = -textWidth('bold', word, size) / 2
  return [...word]
    .map(letter => {
      const wide = textWidth('bold', letter, size)
      const place = ([px, py]: Point): Point => {
        const [right, up] = [along + (0.14 + px * 0.72) * wide, (py - 0.5) * high]
        return [middle + cos * right - sin * up, y + sin * right + cos * up]
      }
      const drawn = STROKES[letter]!.flatMap(stroke =>
        stroke.slice(1).map((end, turn) => leaning(1, place(stroke[turn]!), place(end))),
      )
      along += wide
      return drawn.join('')
    })
    .join('')
}
