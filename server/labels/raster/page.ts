import type { Bar } from '#server/labels/gs1-128.ts'
import { fitText, textWidth, type Face } from '#server/labels/helvetica.ts'
import { PAGE, type Rule, type FixedText } from '#server/labels/layout.ts'
import type { Box, TextStyle } from '#server/labels/pdf-operators.ts'
// A label of 4 x 6 inches as dots of a common thermal printer. Takes points from the lower left corner, as layout.ts has them.
import {
  areaOf,
  blank,
  common,
  paintArea,
  paintRun,
  repeatRow,
  type Area,
  type Bitmap,
  type Ink,
} from './bitmap.ts'
import { letterOutline, letterRuns, type Setting } from './letters.ts'
import { paintRuns, runsOf, stroke, within } from './shape.ts'

/** What is drawn on, in which areas of it, and in what ink. */
export type Page = { bitmap: Bitmap; areas: readonly Area[]; ink: Ink }

/** Where a line of words stands. */
export type Place = { x: number; y: number; ends?: boolean }

/** Dots of a metre: 8 to the millimetre, 203.2 to the inch. */
export const DOTS_PER_METRE = 8000

/** What such a printer takes for 4 x 6 inches, which are 812.8 by 1219.2 dots: the fractions are cut off evenly. */
export const SIZE = { width: 812, height: 1218 }

const DOTS_PER_POINT = 203.2 / 72
const CUT = {
  x: (PAGE.width * DOTS_PER_POINT - SIZE.width) / 2,
  y: (PAGE.height * DOTS_PER_POINT - SIZE.height) / 2,
}

/** An empty page all in one ink, to be drawn on in another. */
export function newPage(ground: Ink, ink: Ink): Page {
  const bitmap = blank(SIZE.width, SIZE.height, ground)
  return { bitmap, areas: [areaOf(bitmap)], ink }
}

/** The same page, but nothing is drawn outside of these boxes. Round letters reach a little beyond the width of a box. */
export function inBoxes(page: Page, boxes: readonly Box[]): Page {
  return {
    ...page,
    areas: within(
      boxes.map(({ x, y, width, height }) => dotsOf({ x: x - 2, y, width: width + 4, height })),
      page.areas,
    ),
  }
}

/** A box full of ink. */
export function paintBox(page: Page, box: Box): void {
  paintDots(page, dotsOf(box))
}

/** Bars side by side, each from the floor of the box to its top; what is `at` a unit and that many units `wide` counts from its left. */
export function paintBars(
  page: Page,
  box: Omit<Box, 'width'>,
  unit: number,
  bars: readonly Bar[],
): void {
  const { bitmap, ink } = page
  const last = bars.at(-1)!
  const whole = common(dotsOf({ ...box, width: (last.start + last.width) * unit }), areaOf(bitmap))
  for (const { start, width } of bars) {
    const { left, right } = dotsOf({ ...box, x: box.x + start * unit, width: width * unit })
    paintRun(bitmap, whole.top, left, right, ink)
  }
  repeatRow(bitmap, whole)
}

/** A line, upright or level, that many points thick, from end to end. */
export function paintRule(page: Page, { thickness, from, to }: Rule): void {
  const dots = Math.max(1, Math.round(thickness * DOTS_PER_POINT))
  const beside = (middle: number): number => Math.round(middle - dots / 2)
  const [left, right] = [from[0], to[0]].map(across).toSorted((a, b) => a - b) as [number, number]
  const [top, bottom] = [from[1], to[1]].map(down).toSorted((a, b) => a - b) as [number, number]
  paintDots(
    page,
    left === right
      ? {
          left: beside(left),
          top: Math.round(top),
          right: beside(left) + dots,
          bottom: Math.round(bottom),
        }
      : {
          left: Math.round(left),
          top: beside(top),
          right: Math.round(right),
          bottom: beside(top) + dots,
        },
  )
}

/** A line along the edge of the page, all of it on the page. */
export function paintEdge(page: Page, thick: number): void {
  const dots = Math.max(1, Math.round(thick * DOTS_PER_POINT))
  const { left, top, right, bottom } = areaOf(page.bitmap)
  for (const level of [top, bottom - dots])
    paintDots(page, { left, top: level, right, bottom: level + dots })
  for (const upright of [left, right - dots])
    paintDots(page, { left: upright, top, right: upright + dots, bottom })
}

/** A box of grey, mixed from dots; `share` of it gets ink, from 0 to 1. */
export function paintShade(page: Page, box: Box, share: number): void {
  for (const { left, top, right, bottom } of within([dotsOf(box)], page.areas)) {
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++)
        if (TURNS[y & 3]![x & 3]! < share * 16) paintRun(page.bitmap, y, x, x + 1, page.ink)
    }
  }
}

// Of four by four dots, which gets its ink first: those that do stay as far apart as they can (Bayer).
const TURNS = [
  [0, 8, 2, 10],
  [12, 4, 14, 6],
  [3, 11, 1, 9],
  [15, 7, 13, 5],
]

/** The four sides of a box, around which half of the thickness lies. */
export function paintOutline(page: Page, thick: number, { x, y, width, height }: Box): void {
  const [right, top, half] = [x + width, y + height, thick / 2]
  for (const level of [y, top])
    paintRule(page, { thickness: thick, from: [x - half, level], to: [right + half, level] })
  for (const upright of [x, right])
    paintRule(page, { thickness: thick, from: [upright, y - half], to: [upright, top + half] })
}

/**
 * A line of words whose base line is at `y`, from `x` on or, where it `ends` there, up to `x`: smaller, narrower or cut where its style
 * has too little room, just as in the PDF (draw.ts). `keep` is an end that is never cut.
 */
export function write(
  page: Page,
  style: TextStyle,
  { x, y, ends = false }: Place,
  words: string,
  keep = '',
): void {
  const { text, size, squeeze } = fitText(style.face, words, style.size, style.maxWidth, keep)
  const left = ends ? x - (textWidth(style.face, text, size) * squeeze) / 100 : x
  set(page, { face: style.face, dots: size * DOTS_PER_POINT, squeeze }, left, y, text)
}

/** Fixed words around a middle. */
export function writeCentred(page: Page, { text, face, size, middle, y }: FixedText): void {
  set(
    page,
    { face, dots: size * DOTS_PER_POINT, squeeze: 100 },
    middle - widthOf(face, text, size) / 2,
    y,
    text,
  )
}

/** The outlines of words that rise by an angle (radians) through the middle of their line, drawn `thick` dots wide. */
export function writeHollow(
  page: Page,
  { text, face, size, middle, y, angle }: FixedText & { angle: number },
  thick: number,
): void {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const place = (along: number, up: number) => ({
    x: across(middle + along * cos - up * sin),
    y: down(y + along * sin + up * cos),
  })
  let along = -widthOf(face, text, size) / 2
  for (const letter of text) {
    const begin = along
    for (const contour of letterOutline(face, letter)) {
      const points = contour.map(point =>
        place(begin + point.x * size, (point.y - CAPITAL / 2) * size),
      )
      const sides = points.map((point, turn) =>
        stroke(point, points[(turn + 1) % points.length]!, thick),
      )
      for (const side of sides) paintRuns(page.bitmap, runsOf([side]), 0, 0, page.areas, page.ink)
    }
    along += widthOf(face, letter, size)
  }
}

// The height of a capital in a type of one.
const CAPITAL = 0.718

// Letters begin at whole dots, so that each looks the same wherever it stands; the line keeps its length.
function set(page: Page, setting: Setting, x: number, y: number, text: string): void {
  const base = Math.round(down(y))
  const left = across(x)
  const reach = (setting.dots * setting.squeeze) / 100
  let before = 0
  for (const letter of text) {
    paintRuns(
      page.bitmap,
      letterRuns(setting, letter),
      Math.round(left + before),
      base,
      page.areas,
      page.ink,
    )
    before += widthOf(setting.face, letter, reach)
  }
}

// The width table knows our dash by its place in a PDF.
const widthOf = (face: Face, text: string, size: number): number =>
  textWidth(face, text.replaceAll('–', '\x96'), size)

const across = (x: number): number => x * DOTS_PER_POINT - CUT.x
const down = (y: number): number => (PAGE.height - y) * DOTS_PER_POINT - CUT.y

function paintDots(page: Page, dots: Area): void {
  for (const area of within([dots], page.areas)) paintArea(page.bitmap, area, page.ink)
}

function dotsOf({ x, y, width, height }: Box): Area {
  return {
    left: Math.round(across(x)),
    top: Math.round(down(y + height)),
    right: Math.round(across(x + width)),
    bottom: Math.round(down(y)),
  }
}
