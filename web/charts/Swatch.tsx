/** Fills that differ in lightness and pattern, so that no chart depends on color alone. */
import { useId } from 'react'
import styles from './Charts.module.css'

/** `1` and `2` are solid, `3` has lines, `4` has dots. */
export type Fill = 1 | 2 | 3 | 4

export const FILLS: readonly Fill[] = [1, 2, 3, 4]

/** Patterns of an SVG, under ids that start with `id`. */
export function FillPatterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={`${id}3`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <rect width="5" height="5" className={styles.patternBack} />
        <rect width="2" height="5" className={styles.patternLine} />
      </pattern>
      <pattern id={`${id}4`} width="5" height="5" patternUnits="userSpaceOnUse">
        <rect width="5" height="5" className={styles.patternBack} />
        <circle cx="2.5" cy="2.5" r="1.1" className={styles.patternLine} />
      </pattern>
    </defs>
  )
}

/** Attributes of a shape with that fill. `id` as given to `FillPatterns`. */
export const fillOf = (fill: Fill, id: string) =>
  fill > 2
    ? { fill: `url(#${id}${fill})`, className: styles.patterned }
    : { className: fill === 1 ? styles.fill1 : styles.fill2 }

/** What a legend shows: a fill, a named area, a line or a dot. */
export type Mark =
  | Fill
  | 'below'
  | 'cost'
  | 'margin'
  | 'loss'
  | 'thin'
  | 'curve'
  | 'dashed'
  | 'dot'
  | 'costDot'
  | `shade${number}`

export function Swatch({ mark }: { mark: Mark }) {
  return (
    <svg className={styles.swatch} width="14" height="14" aria-hidden="true">
      <SwatchShape mark={mark} />
    </svg>
  )
}

function SwatchShape({ mark }: { mark: Mark }) {
  const id = useId()
  if (typeof mark === 'number') {
    return (
      <>
        <FillPatterns id={id} />
        <rect x="1" y="1" width="12" height="12" rx="2" {...fillOf(mark, id)} />
      </>
    )
  }
  switch (mark) {
    case 'dot':
    case 'costDot':
      return <circle cx="7" cy="7" r="4" className={styles[mark]} />
    case 'thin':
    case 'curve':
    case 'dashed':
      return <line x1="1" x2="13" y1="7" y2="7" className={styles[mark]} />
    default:
      return <rect x="1" y="1" width="12" height="12" rx="2" className={styles[mark]} />
  }
}
