/**
 * Reads the commands of a label printer (ZPL II) as far as we send them, and draws what they print at 203 dots an inch: an eye for
 * tests that is not ours. A command that is not known here throws, as does a field that does not fit its block.
 */

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import bwip from 'bwip-js'
import { barcodePart } from './label-picture.ts'
import { linesOf, readBarcodesOf } from './read-pdf.ts'
import type { Barcode, Picture } from './read-pdf.ts'

const FONTS = join(
  dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts',
)
// As wide as Helvetica Bold, which no face of a label printer is.
GlobalFonts.registerFromPath(join(FONTS, 'LiberationSans-Bold.ttf'), 'Printer')

/** Dots from the upper left corner; `right` and `bottom` are the first ones outside. */
export type Area = { left: number; top: number; right: number; bottom: number }
/** What was printed, in the order of the commands. */
export type ZplElement = Area
  & (
    | { kind: 'text'; words: string }
    | { kind: 'bars'; data: string }
    | { kind: 'lines' | 'wipe' | 'graphic' }
  )
/** `text`: what a person reads, as that of a page of a PDF. */
export type ParsedZpl = {
  width: number
  height: number
  remarks: string[]
  elements: ZplElement[]
  text: string
  picture: Picture
  barcode(): Promise<Barcode | null>
}

/** The labels of a file. */
export function readZpl(source: string): ParsedZpl[] {
  const labels: ParsedZpl[] = []
  let label: ZplLabelReader | null = null
  for (const [name, rest] of commandsOf(source)) {
    if (name === '^XA') {
      if (label) throw new Error('a label begins within another')
      label = new ZplLabelReader()
    } else if (name === '^XZ') {
      if (!label || rest.trim() !== '') throw new Error(`after a label stands '${rest}'`)
      labels.push(label.finish())
      label = null
    } else {
      if (!label) throw new Error(`${name} stands outside of a label`)
      label.run(name, rest)
    }
  }
  if (label) throw new Error('the last label has no end')
  return labels
}

/** Each command with what stands behind it up to the next. */
function commandsOf(source: string): [name: string, rest: string][] {
  const [before, ...parts] = source.split(/(?=[\^~])/)
  const commands =
    before!.trim() === '' || /^[\^~]/.test(before!)
      ? [before!, ...parts].filter(part => part.trim() !== '')
      : null
  if (!commands) throw new Error(`the file begins with '${before!.slice(0, 20)}'`)
  return commands.map(part =>
    part.startsWith('^A0') ? ['^A0', part.slice(3)] : [part.slice(0, 3), part.slice(3)],
  )
}

type Field = {
  x: number
  y: number
  byBaseline: boolean
  high: number
  wide: number
  block: { width: number; how: string } | null
  reverse: boolean
  bars: number | null
  shape: ((at: { x: number; y: number }) => void) | null
  data: string | null
}

class ZplLabelReader {
  #width = 0
  #height = 0
  #dots = new Uint8Array()
  #module = 2
  #remarks: string[] = []
  #printed: ZplElement[] = []
  #words: { str: string; x: number; y: number }[] = []
  #field: Field | null = null

  run(name: string, rest: string): void {
    const figures = rest.split(',').map(Number)
    const [one = 0, two = 0, three = 0] = figures
    switch (name) {
      case '^CI':
        return assertZpl(rest === '28', 'texts are in UTF-8')
      case '^FW':
        return assertZpl(rest === 'N', 'nothing is turned')
      case '^LH':
        return assertZpl(rest === '0,0', 'places count from the corner')
      case '^PW':
        this.#width = one
        return
      case '^LL':
        this.#height = one
        this.#dots = new Uint8Array(this.#width * one)
        return
      case '^FX':
        this.#remarks.push(rest)
        return
      case '^FO':
      case '^FT':
        this.#begin(one, two, name === '^FT')
        return
      case '^A0':
        this.#open().high = two
        this.#open().wide = three
        return assertZpl(rest.startsWith('N,'), 'letters stand upright')
      case '^FB':
        this.#open().block = { width: one, how: rest.split(',')[3]! }
        return assertZpl(two === 1, 'a block has one line')
      case '^FR':
        this.#open().reverse = true
        return
      case '^BY':
        this.#module = one
        return
      case '^BC':
        this.#open().bars = Number(rest.split(',')[1])
        return assertZpl(/^N,\d+,N,N,N,N$/.test(rest), 'bars stand alone')
      case '^GB':
        this.#open().shape = at => this.#box(at, figures, rest.split(',')[3] === 'W')
        return
      case '^GD':
        this.#open().shape = at => this.#diagonal(at, figures, rest.split(',')[4] === 'R')
        return
      case '^GF':
        this.#open().shape = at => this.#graphic(at, rest)
        return
      case '^FD':
        this.#open().data = rest
        return
      case '^FS':
        this.#end(rest)
        return
      default:
        throw new Error(`${name} is not known to this reader`)
    }
  }

  finish(): ParsedZpl {
    assertZpl(this.#field === null, 'every field has an end')
    // Opaque black or white, whichever end of a number comes first.
    const data = Buffer.alloc(this.#dots.length * 4, 255)
    for (let at = 0; at < this.#dots.length; at++)
      if (this.#dots[at] === 1) data.fill(0, at * 4, at * 4 + 3)
    const picture = { width: this.#width, height: this.#height, data }
    return {
      width: this.#width,
      height: this.#height,
      remarks: this.#remarks,
      elements: this.#printed,
      text: linesOf(this.#words),
      picture,
      barcode: async () => (await readBarcodesOf(barcodePart(picture)))[0] ?? null,
    }
  }

  #begin(x: number, y: number, byBaseline: boolean): void {
    assertZpl(this.#field === null, 'a field ends before the next')
    this.#field = {
      x,
      y,
      byBaseline,
      high: 0,
      wide: 0,
      block: null,
      reverse: false,
      bars: null,
      shape: null,
      data: null,
    }
  }

  #open(): Field {
    if (!this.#field) throw new Error('a field begins with its place')
    return this.#field
  }

  #end(rest: string): void {
    assertZpl(rest.trim() === '', 'nothing stands between fields')
    const field = this.#field
    this.#field = null
    if (!field) return
    if (field.shape) field.shape(field)
    else if (field.data !== null && field.bars !== null) this.#bars(field, field.data, field.bars)
    else if (field.data !== null && field.byBaseline) this.#text(field, field.data)
    else throw new Error('a field has neither words nor bars nor a shape')
  }

  #text({ x, y, high, wide, block, reverse }: Field, words: string): void {
    const [page, rows] = [this.#width, high * 2]
    const canvas = createCanvas(page, rows)
    const pen = canvas.getContext('2d')
    pen.font = `${high}px Printer`
    const width = (pen.measureText(words).width * wide) / high
    const room = block?.width ?? this.#width - x
    assertZpl(width <= room, `'${words}' fits its block`)
    const left =
      x + (block?.how === 'C' ? (room - width) / 2 : block?.how === 'R' ? room - width : 0)
    pen.setTransform(wide / high, 0, 0, 1, left, high * 1.5)
    pen.fillText(words, 0, 0)
    const { data } = pen.getImageData(0, 0, page, rows)
    const top = y - Math.round(high * 1.5)
    for (let at = 0; at < page * rows; at++) {
      if (data[at * 4 + 3]! < 128) continue
      const dot = top * page + at
      this.#dots[dot] = reverse ? 1 - this.#dots[dot]! : 1
    }
    // Letters reach a fifth of their height below the line at most.
    const [above, below] = [Math.round(high * 0.75), Math.round(high * 0.22)]
    this.#printed.push({
      kind: 'text',
      words,
      left: Math.floor(left),
      right: Math.ceil(left + width),
      top: y - above,
      bottom: y + below,
    })
    this.#words.push({ str: words, x: left, y: -y })
  }

  #bars({ x, y }: Field, source: string, high: number): void {
    if (!/^>;(>8|\d\d)+$/.test(source))
      throw new Error(`'${source}' is no code set C from the beginning`)
    const data = source.slice(2).replaceAll('>8', '^FNC1')
    const [{ sbs }] = bwip.raw('code128', data, 'parsefnc') as unknown as [{ sbs: number[] }]
    let left = x
    sbs.forEach((modules, turn) => {
      const right = left + modules * this.#module
      if (turn % 2 === 0) this.#fill({ left, top: y, right, bottom: y + high }, 1)
      left = right
    })
    this.#printed.push({ kind: 'bars', data, left: x, top: y, right: left, bottom: y + high })
  }

  #box(
    { x, y }: { x: number; y: number },
    [wide = 0, high = 0, thick = 1]: number[],
    white: boolean,
  ): void {
    const area = { left: x, top: y, right: x + wide, bottom: y + high }
    const ink = white ? 0 : 1
    if (2 * thick >= Math.min(wide, high)) this.#fill(area, ink)
    else {
      this.#fill({ ...area, right: x + thick }, ink)
      this.#fill({ ...area, left: area.right - thick }, ink)
      this.#fill({ ...area, bottom: y + thick }, ink)
      this.#fill({ ...area, top: area.bottom - thick }, ink)
    }
    this.#printed.push({ kind: white ? 'wipe' : 'lines', ...area })
  }

  // The thickness lies across the page.
  #diagonal(
    { x, y }: { x: number; y: number },
    [wide = 0, high = 0, thick = 1]: number[],
    rises: boolean,
  ): void {
    for (let row = 0; row < high; row++) {
      const along = rises ? high - 1 - row : row
      const left = x + Math.round((along * wide) / high)
      this.#fill(
        {
          left,
          right: left + Math.max(thick, Math.ceil(wide / high)),
          top: y + row,
          bottom: y + row + 1,
        },
        1,
      )
    }
    this.#printed.push({
      kind: 'lines',
      left: x,
      top: y,
      right: x + wide + thick,
      bottom: y + high,
    })
  }

  #graphic({ x, y }: { x: number; y: number }, source: string): void {
    const [form, sent, all, row, ...data] = source.split(',')
    assertZpl(form === 'A' && sent === all, 'a graphic comes as digits, all of it')
    const bytes = graphicOf(data.join(','), Number(row))
    assertZpl(bytes.length === Number(all), 'a graphic is as long as it says')
    bytes.forEach((byte, at) => {
      for (let bit = 0; bit < 8; bit++) {
        if ((byte >> (7 - bit)) % 2 === 0) continue
        const [left, top] = [x + (at % Number(row)) * 8 + bit, y + Math.floor(at / Number(row))]
        if (left < this.#width && top < this.#height)
          this.#fill({ left, top, right: left + 1, bottom: top + 1 }, 1)
      }
    })
    this.#printed.push({
      kind: 'graphic',
      left: x,
      top: y,
      right: x + Number(row) * 8,
      bottom: y + Number(all) / Number(row),
    })
  }

  #fill({ left, top, right, bottom }: Area, ink: 0 | 1): void {
    for (let y = top; y < bottom; y++)
      this.#dots.fill(ink, y * this.#width + left, y * this.#width + right)
  }
}

/** The bytes of a graphic's digits: G to Y and g to z repeat the digit behind them, ',' and '!' end a row, ':' repeats the one above. */
function graphicOf(source: string, row: number): Buffer {
  const rows: string[] = []
  let digits = ''
  let times = 0
  for (const sign of source.replace(/\s/g, '')) {
    if (/[G-Y]/.test(sign)) times += sign.charCodeAt(0) - 70
    else if (/[g-z]/.test(sign)) times += (sign.charCodeAt(0) - 102) * 20
    else if (sign === ':') rows.push(rows.at(-1)!)
    else if (sign === ',' || sign === '!') digits = digits.padEnd(row * 2, sign === ',' ? '0' : 'F')
    else if (/[0-9A-F]/.test(sign)) {
      digits += sign.repeat(times || 1)
      times = 0
    } else throw new Error(`'${sign}' is no part of a graphic`)
    if (digits.length > row * 2) throw new Error('a row of a graphic is too long')
    if (digits.length === row * 2) {
      rows.push(digits)
      digits = ''
    }
  }
  assertZpl(digits === '' && times === 0, 'the last row of a graphic is whole')
  return Buffer.from(rows.join(''), 'hex')
}

function assertZpl(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Not so: ${what}`)
}
