/** A map of the US where every state is a tile of one size. Pure. */
import { STATES } from '#contract/states.ts'

/** One row a line, tiles separated by spaces, '..' for none. */
const ROWS = [
  'AK .. .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. .. VT NH',
  '.. WA ID MT ND MN IL WI MI NY RI MA',
  '.. OR NV WY SD IA IN OH PA NJ CT',
  '.. CA UT CO NE MO KY WV VA MD DE',
  '.. .. AZ NM KS AR TN NC SC DC',
  '.. .. .. .. OK LA MS AL GA',
  'HI .. .. .. TX .. .. .. .. FL',
  '.. GU MP AS .. AA AE AP .. PR VI',
]

type Tile = { code: string; name: string; row: number; column: number }

const nameOf = new Map(STATES.map(({ code, name }) => [code, name]))

export const TILES: readonly Tile[] = ROWS.flatMap((line, row) =>
  line
    .split(' ')
    .flatMap((code, column) =>
      code === '..' ? [] : [{ code, name: nameOf.get(code) ?? code, row, column }],
    ),
)
export const TILE_ROWS = ROWS.length
export const TILE_COLUMNS = 1 + Math.max(...TILES.map(({ column }) => column))

/** Shades of a tile, from 1; 0 is a state without any. */
const SHADES = 4

/** The shade of a value: quarters of the square root, so that small states differ from none. */
export const shadeOf = (value: number, most: number): number =>
  value <= 0 || most <= 0
    ? 0
    : Math.min(SHADES, Math.max(1, Math.ceil(Math.sqrt(value / most) * SHADES - 1e-9)))

/** The least value of each shade, for the legend; shades that no whole number has are left out. */
export function shadeSteps(most: number): { shade: number; from: number; to: number }[] {
  return Array.from({ length: SHADES }, (_, index) => {
    const shade = index + 1
    const from = Math.floor((index / SHADES) ** 2 * most + 1e-9) + 1
    const to = Math.floor((shade / SHADES) ** 2 * most + 1e-9)
    return { shade, from, to }
  }).filter(({ from, to }) => from <= to)
}

/** The index of the tile that an arrow key leads to: the nearest one in its direction. */
export function neighborTile(index: number, key: string): number {
  const here = TILES[index]!
  const direction = DIRECTIONS[key]
  if (!direction) return index
  const distance = ({ row, column }: Tile): number => {
    const along = (row - here.row) * direction.row + (column - here.column) * direction.column
    const across = Math.abs(
      (row - here.row) * direction.column + (column - here.column) * direction.row,
    )
    return along > 0 ? along + 4 * across : Infinity
  }
  let best = index
  TILES.forEach((tile, at) => {
    if (distance(tile) < (best === index ? Infinity : distance(TILES[best]!))) best = at
  })
  return best
}
const DIRECTIONS: Record<string, { row: number; column: number }> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}
