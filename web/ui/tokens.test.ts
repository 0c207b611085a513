import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Palette = Map<string, string>

const sheet = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

/** Colours written as six hex digits inside every block whose selector passes. */
function palette(wanted: (selector: string) => boolean): Palette {
  const colours: Palette = new Map()
  for (const [, selector = '', body = ''] of sheet
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!wanted(selector)) continue
    for (const [, name = '', hex = ''] of body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g))
      colours.set(name, hex)
  }
  return colours
}

const light = palette(selector => selector.trim() === ':root')
const dark: Palette = new Map([...light, ...palette(selector => selector.includes('dark'))])

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** `color-mix` of the sheet: `share` of the first. */
function mixed(front: string, back: string, share: number): string {
  const channels = [1, 3, 5].map(at => {
    const [a = 0, b = 0] = [front, back].map(hex => Number.parseInt(hex.slice(at, at + 2), 16))
    return Math.round(a * share + b * (1 - share))
  })
  return `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

const tint = Number(/--tint: (\d+)%/.exec(sheet)?.[1]) / 100

function contrast(colours: Palette, front: string, back: string): number {
  const hex = (name: string) => colours.get(name) ?? expect.fail(`no token --${name}`)
  const [bright = 0, dim = 0] = [luminance(hex(front)), luminance(hex(back))].sort((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

const TEXT: [string, string][] = [
  ...['ink', 'ink2', 'ink3', 'accent-strong', 'red'].flatMap((front): [string, string][] => [
    [front, 'bg'],
    [front, 'surface'],
    [front, 'sunken'],
  ]),
  ...['ink', 'ink2', 'ink3', 'red'].flatMap((front): [string, string][] => [
    [front, 'raised'],
    [front, 'edited'],
  ]),
  ['on-ink', 'ink'],
  ['on-accent', 'accent-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
  ['on-money', 'money'],
  ['on-money', 'money-hover'],
  ['on-ink', 'ink-hover'],
  ['on-accent', 'accent-strong-hover'],
  ['accent-strong', 'accent-soft'],
  ['ink', 'accent-soft'],
  ...['blue', 'green', 'amber', 'red'].map((hue): [string, string] => [hue, `${hue}-soft`]),
  ['paper-ink', 'paper'],
]
/** A tinted row of a list. */
const TINTED_TEXT = ['ink', 'ink2', 'ink3', 'accent-strong', 'red'].flatMap(front =>
  ['blue', 'green', 'amber', 'red'].map((hue): [string, string] => [front, hue]),
)
const GRAPHICS: [string, string][] = [
  ['field', 'bg'],
  ['field', 'surface'],
  ['accent', 'bg'],
  ['accent', 'surface'],
  ['accent', 'sunken'],
  ['accent', 'edited'],
  ['field', 'edited'],
  ['amber-fill', 'surface'],
  ['amber-fill', 'bg'],
]

for (const [scheme, colours] of [
  ['light', light],
  ['dark', dark],
] as const) {
  test.each(TEXT)(`in the ${scheme} scheme --%s is readable on --%s`, (front, back) => {
    expect(contrast(colours, front, back)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(TINTED_TEXT)(`in the ${scheme} scheme --%s is readable in a %s row`, (front, hue) => {
    const row = mixed(colours.get(`${hue}-soft`)!, colours.get('surface')!, tint)
    expect(contrast(new Map([...colours, ['row', row]]), front, 'row')).toBeGreaterThanOrEqual(4.5)
  })

  test.each(GRAPHICS)(`in the ${scheme} scheme --%s is visible on --%s`, (front, back) => {
    expect(contrast(colours, front, back)).toBeGreaterThanOrEqual(3)
  })
}

test.each([
  ['surface', 'bg', 1.1],
  ['surface', 'sunken', 1.05],
  ['hero', 'surface', 1.2],
  ['hero-line', 'hero', 1.5],
  ['raised', 'surface', 1.1],
  ['line', 'surface', 1.3],
] as const)(
  'in the dark scheme --%s stands out from --%s without a shadow',
  (front, back, least) => {
    expect(contrast(dark, front, back)).toBeGreaterThanOrEqual(least)
  },
)

test('text on the dark card of a light page is readable', () => {
  const onHero: Palette = new Map([...dark, ['hero', light.get('hero') ?? '']])
  for (const front of ['ink', 'ink2', 'ink3', 'accent-strong'])
    expect(contrast(onHero, front, 'hero')).toBeGreaterThanOrEqual(4.5)
  for (const front of ['ink', 'ink2', 'ink3', 'accent-strong'])
    expect(contrast(dark, front, 'hero')).toBeGreaterThanOrEqual(4.5)
})

test('the application loads every style sheet that is not of one component', () => {
  const folder = new URL('./', import.meta.url)
  const sheets = readdirSync(folder).filter(
    name => name.endsWith('.css') && !name.endsWith('.module.css'),
  )
  const start = readFileSync(new URL('../main.tsx', import.meta.url), 'utf8')
  expect(sheets.filter(name => !start.includes(`'#web/ui/${name}'`))).toEqual([])
})
