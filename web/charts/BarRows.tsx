/** Horizontal bars: a table whose rows have a bar, so that each value stands beside its name. */
import type { ReactNode } from 'react'
import { useBoxWidth } from '#web/ui/use-box-width.ts'
import styles from './BarRows.module.css'

export type BarRow = {
  key: string
  name: ReactNode
  /** Length of the bar; below zero it is red and goes to the left. */
  value: number
  text: string
  /** A quieter figure after the value. */
  detail?: string | undefined
}

/** From this width a longer list stands in two columns. */
const TWO_COLUMNS_PX = 760
const HALVED_ROWS = 4

type BarRowsProps = {
  /** The main figures in a sentence. */
  caption: ReactNode
  /** Heads of the columns: name, value, detail. */
  heads: readonly [string, string, string?]
  rows: readonly BarRow[]
  /** Bars in the color that the amount has in the chart beside them. */
  accent?: boolean
}

export function BarRows({ caption, heads, rows, accent = false }: BarRowsProps) {
  const low = Math.min(0, ...rows.map(({ value }) => value))
  const high = Math.max(0, ...rows.map(({ value }) => value))
  const share = (value: number): string => `${((value / (high - low || 1)) * 100).toFixed(2)}%`
  const { box, width } = useBoxWidth<HTMLDivElement>()
  const half = Math.ceil(rows.length / 2)
  const isHalved = width !== null && width >= TWO_COLUMNS_PX && rows.length >= HALVED_ROWS
  const part = { heads, low, share }
  return (
    <div ref={box}>
      <p className={styles.caption}>{caption}</p>
      <div
        className={styles.parts}
        data-halved={isHalved || undefined}
        data-accent={accent || undefined}
      >
        <Rows {...part} caption={caption} rows={isHalved ? rows.slice(0, half) : rows} />
        {isHalved && <Rows {...part} caption={caption} rows={rows.slice(half)} />}
      </div>
    </div>
  )
}

type RowsProps = Omit<BarRowsProps, 'accent'> & {
  /** The lowest value, which is the left end of all bars. */
  low: number
  share: (value: number) => string
}

function Rows({ caption, heads, rows, low, share }: RowsProps) {
  return (
    <table className={styles.rows}>
      <caption className="visually-hidden">{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          {heads.map(head => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, value, text, detail }) => (
          <tr key={key}>
            <th scope="row">
              <span className={styles.name}>{name}</span>
              <span className={styles.track} aria-hidden="true">
                <span
                  className={styles.bar}
                  data-below={value < 0 || undefined}
                  style={{
                    insetInlineStart: share(Math.min(0, value) - low),
                    width: share(Math.abs(value)),
                  }}
                />
              </span>
            </th>
            <td className={styles.value}>{text}</td>
            {heads.length > 2 && <td className={styles.detail}>{detail}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
