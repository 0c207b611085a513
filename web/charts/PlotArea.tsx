/** The drawing of a chart: pointer, keyboard and tooltip move through its points. */
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react'
import { Swatch } from './Swatch.tsx'
import type { Mark } from './Swatch.tsx'
import { texts } from './texts.ts'
import styles from './Charts.module.css'

type TipRow = { name: string; value: string; mark?: Mark }
/** What is said about a point, shown in the tooltip and read to screen readers. */
export type PointText = { title: string; rows: readonly TipRow[] }

type PlotAreaProps = {
  name: string
  widthPx: number
  heightPx: number
  /** Number of points. */
  count: number
  /** Point that the keyboard starts at. */
  start: number
  textOf: (index: number) => PointText
  /** Where the tooltip of a point belongs, in px from the left and the top. */
  placeOf: (index: number) => { x: number; y: number }
  indexAt: (x: number, y: number) => number | null
  /** Where a key leads, if not to the point before or after. */
  onArrow?: (index: number, key: string) => number
  /** The drawing; `active` is the point that is read. */
  children: (active: number | null) => ReactNode
}

const spoken = ({ title, rows }: PointText): string =>
  `${title}: ${rows.map(({ name, value }) => `${name} ${value}`).join(', ')}`

export function PlotArea({
  name,
  widthPx,
  heightPx,
  count,
  start,
  textOf,
  placeOf,
  indexAt,
  onArrow,
  children,
}: PlotAreaProps) {
  const [active, setActive] = useState<number | null>(null)
  const [position, setPosition] = useState(start)
  const plot = useRef<HTMLDivElement>(null)
  useOutsideTouch(plot, active !== null, setActive)
  const index = Math.min(position, count - 1)
  const shown = active === null ? null : Math.min(active, count - 1)
  const show = (point: number | null) => {
    setActive(point)
    if (point !== null) setPosition(point)
  }
  const followPointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setActive(indexAt(event.clientX - box.left, event.clientY - box.top))
  }
  const followKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setActive(null)
    if (!onArrow || !event.key.startsWith('Arrow')) return
    event.preventDefault()
    show(onArrow(index, event.key))
  }
  return (
    <div
      ref={plot}
      className={styles.plot}
      style={{ height: heightPx }}
      onPointerMove={followPointer}
      onPointerDown={followPointer}
      onPointerLeave={event => event.pointerType !== 'touch' && setActive(null)}
    >
      <svg width={widthPx} height={heightPx} aria-hidden="true">
        {children(shown)}
      </svg>
      <input
        type="range"
        className={styles.reader}
        min={0}
        max={count - 1}
        value={index}
        aria-label={texts.points(name)}
        aria-valuetext={spoken(textOf(index))}
        onChange={event => show(Number(event.currentTarget.value))}
        onKeyDown={followKey}
        onFocus={event => event.currentTarget.matches(':focus-visible') && setActive(index)}
        onBlur={() => setActive(null)}
      />
      {shown !== null && <Tip point={textOf(shown)} place={placeOf(shown)} widthPx={widthPx} />}
    </div>
  )
}

/** A finger has no hover: what it touched stays until it touches another place. */
function useOutsideTouch(
  box: RefObject<HTMLElement | null>,
  shown: boolean,
  setActive: (point: null) => void,
): void {
  useEffect(() => {
    if (!shown) return
    const hide = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setActive(null)
    }
    document.addEventListener('pointerdown', hide)
    return () => document.removeEventListener('pointerdown', hide)
  }, [box, shown, setActive])
}

/** Margins of the tooltip, in px. */
const TIP_SPACE_PX = 24

function Tip({
  point: { title, rows },
  place: { x, y },
  widthPx,
}: {
  point: PointText
  place: { x: number; y: number }
  widthPx: number
}) {
  const left = x > widthPx / 2
  const roomPx = (left ? x : widthPx - x) - TIP_SPACE_PX
  return (
    <div
      className={styles.tip}
      style={{
        insetBlockStart: Math.max(0, y),
        maxWidth: roomPx,
        ...(left ? { right: widthPx - x } : { left: x }),
      }}
      aria-hidden="true"
    >
      <p className={styles.tipTitle}>{title}</p>
      <dl className={styles.tipRows}>
        {rows.map(({ name, value, mark }) => (
          <div key={name}>
            <dt>
              {mark && <Swatch mark={mark} />}
              {name}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
