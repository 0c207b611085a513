// Labels on sheets, drawn by us or from carriers. Points from the lower left corner.

import { PAGE } from './layout.ts'
import type { PageForm } from './merge/page-copier.ts'

/**
 * Each label on its own 4x6 page, or two on a Letter sheet, the first possibly on the second half.
 */
export type Sheet = { kind: '4x6' } | { kind: 'letter'; first: SheetHalf }

/** 1 is the upper half. */
export type SheetHalf = 1 | 2

export const SHEET_HALVES: readonly SheetHalf[] = [1, 2]

/** US Letter, portrait; each half takes a label, turned a quarter. */
export const LETTER_SIZE = { width: 612, height: 792 }

export const CUT_Y = LETTER_SIZE.height / 2

const HALF_SPACE = { width: PAGE.height, height: PAGE.width }

/** Box and rotation of the page in its own file. */
type PageShape = Pick<PageForm, 'box' | 'rotation'>

/** 4 x 6 inches. */
export const LABEL_SHAPE: PageShape = { box: [0, 0, PAGE.width, PAGE.height], rotation: 0 }

/**
 * The operator that centers a form on one half of a Letter sheet and shrinks it if it is larger
 * than a label.
 */
export function placeOnHalf(
  { box: [left, bottom, right, top], rotation }: PageShape,
  place: SheetHalf,
): string {
  const [width, height] = [right - left, top - bottom]
  const stands = (rotation === 90 || rotation === 270) === width > height
  // A quarter turn to the left for portrait, plus the page's own rotation.
  const quarters = ((stands ? 1 : 0) - rotation / 90 + 4) % 4
  const [wide, high] = quarters % 2 === 1 ? [height, width] : [width, height]
  const scale = Math.min(1, HALF_SPACE.width / wide, HALF_SPACE.height / high)
  const x = (LETTER_SIZE.width - wide * scale) / 2
  const y = (CUT_Y - high * scale) / 2 + (place === 1 ? CUT_Y : 0)
  const [cos, sin] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][quarters]! as [number, number]
  const turn = ([px, py]: [number, number]): [number, number] => [
    scale * (cos * px - sin * py),
    scale * (sin * px + cos * py),
  ]
  const corners = (
    [
      [left, bottom],
      [right, bottom],
      [left, top],
      [right, top],
    ] as [number, number][]
  ).map(turn)
  const least = (axis: 0 | 1): number => Math.min(...corners.map(corner => corner[axis]))
  return transformOperator([
    scale * cos,
    scale * sin,
    -scale * sin,
    scale * cos,
    x - least(0),
    y - least(1),
  ])
}

export const transformOperator = (matrix: readonly number[]): string =>
  `${matrix.map(value => Math.round(value * 10_000) / 10_000).join(' ')} cm`

export const mediaBox = ({ width, height }: { width: number; height: number }): string =>
  `/MediaBox[0 0 ${width} ${height}]`
