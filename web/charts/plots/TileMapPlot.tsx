import { PlotArea } from '#web/charts/PlotArea.tsx'
import type { PointText } from '#web/charts/PlotArea.tsx'
import { neighborTile, shadeOf, TILE_COLUMNS, TILE_ROWS, TILES } from '#web/charts/tile-map.ts'
import styles from '#web/charts/Charts.module.css'

type TileMapPlotProps = {
  name: string
  /** One per tile, in the order of `TILES`. */
  values: readonly number[]
  textOf: (tile: number) => PointText
  widthPx: number
  heightPx: number
}

const GAP_PX = 3

export function TileMapPlot({ name, values, textOf, widthPx, heightPx }: TileMapPlotProps) {
  const most = Math.max(...values)
  const step = Math.floor(
    Math.min((widthPx + GAP_PX) / TILE_COLUMNS, (heightPx + GAP_PX) / TILE_ROWS),
  )
  const size = step - GAP_PX
  const left = Math.max(0, (widthPx - TILE_COLUMNS * step + GAP_PX) / 2)
  const top = Math.max(0, (heightPx - TILE_ROWS * step + GAP_PX) / 2)
  const cornerOf = (tile: number) => ({
    x: left + TILES[tile]!.column * step,
    y: top + TILES[tile]!.row * step,
  })
  return (
    <PlotArea
      name={name}
      widthPx={widthPx}
      heightPx={heightPx}
      count={TILES.length}
      start={values.indexOf(most)}
      textOf={textOf}
      placeOf={tile => ({ x: cornerOf(tile).x + size / 2, y: cornerOf(tile).y })}
      indexAt={(x, y) => {
        const [column, row] = [Math.floor((x - left) / step), Math.floor((y - top) / step)]
        const found = TILES.findIndex(tile => tile.column === column && tile.row === row)
        return found < 0 ? null : found
      }}
      onArrow={neighborTile}
    >
      {active =>
        TILES.map(({ code }, tile) => {
          const { x, y } = cornerOf(tile)
          return (
            <g key={code} data-shade={shadeOf(values[tile]!, most)} className={styles.tile}>
              <rect
                x={x + 0.5}
                y={y + 0.5}
                width={size - 1}
                height={size - 1}
                rx="3"
                data-active={tile === active || undefined}
              />
              <text x={x + size / 2} y={y + size / 2} dy="0.35em" textAnchor="middle">
                {code}
              </text>
            </g>
          )
        })
      }
    </PlotArea>
  )
}
