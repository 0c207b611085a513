/** The frame of every chart: caption, plot, legend, and the same numbers as a table. */
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useBoxWidth } from '#web/ui/use-box-width.ts'
import { Swatch } from './Swatch.tsx'
import type { Mark } from './Swatch.tsx'
import { texts } from './texts.ts'
import { usePlot } from './use-plot.ts'
import styles from './Charts.module.css'

export type LegendItem = { name: string; mark: Mark; value?: string }

/** The first cell of a row is its head; all other cells are figures. */
export type ChartTable = { head: readonly string[]; rows: readonly (readonly string[])[] }

type ChartFigureProps<Plot> = {
  /** What the chart shows, such as 'Labels a day'. */
  name: string
  /** The main figures in a sentence. */
  caption: ReactNode
  legend?: readonly LegendItem[]
  /** What the items of the legend count, where their names are values. */
  legendTitle?: string
  table: ChartTable
  heightPx: number
  /** Loads the code of the plot; the same function at each render. */
  load: () => Promise<Plot>
  children: (plot: Plot, widthPx: number) => ReactNode
}

export function ChartFigure<Plot extends object>({
  name,
  caption,
  legend = [],
  legendTitle,
  table,
  heightPx,
  load,
  children,
}: ChartFigureProps<Plot>) {
  const plot = usePlot(load)
  const [asTable, setAsTable] = useState(false)
  const { box, width } = useBoxWidth<HTMLDivElement>()
  const failed = plot === 'failed'
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        {typeof caption === 'string' ? withWholeDates(caption) : caption}
      </figcaption>
      <div ref={box} className={styles.box} style={{ height: heightPx }}>
        {asTable || failed ? (
          <NumbersTable name={name} table={table} />
        ) : plot === null || !width ? (
          <div className={styles.waiting}>
            <Skeleton height="100%" />
          </div>
        ) : (
          children(plot, width)
        )}
      </div>
      <div className={styles.foot}>
        {legend.length > 0 && !failed && (
          <ul className={styles.legend} aria-label={texts.legend}>
            {legendTitle && <li>{legendTitle}</li>}
            {legend.map(item => (
              <li key={item.name}>
                <Swatch mark={item.mark} />
                {item.name}
                {item.value && <span className={styles.legendValue}>{item.value}</span>}
              </li>
            ))}
          </ul>
        )}
        {failed ? (
          <p className={styles.noPlot} role="status">
            {texts.noPlot}
          </p>
        ) : (
          <button
            type="button"
            className={styles.toggle}
            title={asTable ? texts.showChart : texts.showTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <IconChartBar aria-hidden="true" /> : <IconTable aria-hidden="true" />}
            <span className={styles.toggleText}>{asTable ? texts.showChart : texts.showTable}</span>
            <span className="visually-hidden">: {name}</span>
          </button>
        )}
      </div>
    </figure>
  )
}

function NumbersTable({ name, table }: { name: string; table: ChartTable }) {
  return (
    <div
      ref={fadeAtEdges}
      className={styles.numbersBox}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reached by keyboard
      tabIndex={0}
      role="group"
      aria-label={texts.tableOf(name)}
    >
      <table className={styles.numbers}>
        <thead>
          <tr>
            {table.head.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([head, ...cells]) => (
            <tr key={head}>
              <th scope="row">{head}</th>
              {cells.map((cell, at) => (
                <td key={table.head[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A date would wrap at its dashes. */
const withWholeDates = (text: string): ReactNode =>
  text.split(/(\d\d-\d\d-\d{4})/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className={styles.date}>
        {part}
      </span>
    ),
  )
