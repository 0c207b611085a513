import type { ReactNode } from 'react'
import { numberText } from '#contract/format.ts'
import { ChartFigure } from './ChartFigure.tsx'
import type { LegendItem } from './ChartFigure.tsx'
import type { PointText } from './PlotArea.tsx'
import { shareText } from './series.ts'
import { texts } from './texts.ts'
import { shadeSteps, TILES } from './tile-map.ts'

const loadPlot = () => import('./plots/TileMapPlot.tsx')
const t = texts.map

type TileMapProps = {
  name: string
  caption: ReactNode
  /** Pieces by code of a state or territory; a missing one has none. */
  values: ReadonlyMap<string, number>
  /** What is counted, such as 'Labels'. */
  valueName: string
  heightPx: number
}

/** The US as square tiles: 50 states, DC, territories and military mail. */
export function TileMap({ name, caption, values, valueName, heightPx }: TileMapProps) {
  const counts = TILES.map(({ code }) => values.get(code) ?? 0)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const shareOf = (count: number): string => (total > 0 ? shareText(count / total) : '')
  const textOf = (tile: number): PointText => ({
    title: TILES[tile]!.name,
    rows: [
      { name: valueName, value: numberText(counts[tile]!) },
      ...(counts[tile]! > 0 ? [{ name: t.share, value: shareOf(counts[tile]!) }] : []),
    ],
  })
  // A shade that no tile has is not explained.
  const steps = shadeSteps(Math.max(...counts)).filter(({ from, to }) =>
    counts.some(count => count >= from && count <= to),
  )
  const legend: LegendItem[] = steps.map(({ shade, from, to }) => ({
    name: from === to ? numberText(from) : t.range(numberText(from), numberText(to)),
    mark: `shade${shade}` as const,
  }))
  const rows = TILES.map((tile, index) => ({ tile, count: counts[index]! }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.tile.name.localeCompare(b.tile.name))
    .map(({ tile, count }) => [tile.name, numberText(count), shareOf(count)])
  return (
    <ChartFigure
      name={name}
      caption={caption}
      legend={legend}
      legendTitle={valueName}
      table={{ head: [t.state, valueName, t.share], rows }}
      heightPx={heightPx}
      load={loadPlot}
    >
      {({ TileMapPlot }, widthPx) => (
        <TileMapPlot
          name={name}
          values={counts}
          textOf={textOf}
          widthPx={widthPx}
          heightPx={heightPx}
        />
      )}
    </ChartFigure>
  )
}
