/** The dots of a label on a 203 dpi printer, shared by ZPL and PNG. Origin: upper left corner. */
import { PAGE, type Rule } from './layout.ts'
import type { Box } from './pdf-operators.ts'

/** 4 x 6 inches at 8 dots per mm (203.2 per inch), rounded down. */
export const LABEL_DOTS = { width: 812, height: 1218 }

export const DOTS_PER_POINT = 203.2 / 72

/** Dots per module of the specimen barcode. */
export const MODULE_DOTS = 3

/** Round glyphs extend this far beyond their advance width. */
export const BLEED_DOTS = 6

export const dots = (points: number): number => Math.round(points * DOTS_PER_POINT)

/** The row of a height in points above the lower edge. */
export const dotRow = (y: number): number => dots(PAGE.height) - dots(y)

/** A box in whole dots, at least one dot wide and high; `y` is its upper edge. */
export function boxToDots({ x, y, width, height }: Box): Box {
  return {
    x: dots(x),
    y: dots(PAGE.height) - dots(y + height),
    width: Math.max(1, dots(width)),
    height: Math.max(1, dots(height)),
  }
}

/** Bayer matrix: in a gray area a dot is black below `share * 16`. */
export const DITHER_ORDER = [
  [0, 8, 2, 10],
  [12, 4, 14, 6],
  [3, 11, 1, 9],
  [15, 7, 13, 5],
] as const

/** A straight line as the box that it fills. */
export function ruleBox({ thickness, from, to }: Rule): Box {
  const isLevel = from[1] === to[1]
  const [left, bottom] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])]
  return {
    x: isLevel ? left : left - thickness / 2,
    y: isLevel ? bottom - thickness / 2 : bottom,
    width: isLevel ? Math.abs(to[0] - from[0]) : thickness,
    height: isLevel ? thickness : Math.abs(to[1] - from[1]),
  }
}

/** The outer edge of an outline `thick` points wide, centered on the box. */
export const outlineBox = (thick: number, { x, y, width, height }: Box): Box => ({
  x: x - thick / 2,
  y: y - thick / 2,
  width: width + thick,
  height: height + thick,
})
