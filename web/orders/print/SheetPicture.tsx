/** Drawings of what comes out of the printer. Decoration: the words of the option say the same. */
import type { LabelFormat } from '#contract/downloads.ts'
import type { SheetHalf } from './print-options.ts'
import styles from './SheetPicture.module.css'

/** In units of a tenth of an inch. */
const LABEL = { width: 40, height: 60 }
const LETTER = { width: 85, height: 110 }
/** Around the paper, so that its line is not cut. */
const EDGE = 6
/** A single label is drawn larger than on its sheet. */
const ZOOM = 1.7

type SheetPictureProps = {
  format: LabelFormat
  half: SheetHalf
  /** More than one label, which fill a sheet from its upper half. */
  several: boolean
}

export function SheetPicture({ format, half, several }: SheetPictureProps) {
  return (
    <svg
      className={styles.sheet}
      viewBox={`${-EDGE} ${-EDGE} ${LETTER.width + 2 * EDGE} ${LETTER.height + 2 * EDGE}`}
      aria-hidden="true"
      focusable="false"
    >
      {format === 'letter' ? (
        <>
          <rect className={styles.paper} {...LETTER} rx="2" />
          <Halves half={half} both={several && half === 'upper'} />
        </>
      ) : (
        <g transform={`translate(${(LETTER.width - LABEL.width * ZOOM) / 2} 4) scale(${ZOOM})`}>
          <rect className={styles.paper} {...LABEL} rx="1.5" />
          {format === 'zpl' ? <CodeLines /> : <LabelLines />}
          {format === 'png' && <Corners />}
        </g>
      )}
    </svg>
  )
}

/** Labels lie on their sides on a Letter sheet. A free half is dashed. */
function Halves({ half, both }: { half: SheetHalf; both: boolean }) {
  const side = { width: LETTER.width, height: LETTER.height / 2 }
  const left = (side.width - LABEL.height) / 2
  const bottom = (side.height + LABEL.width) / 2
  return (
    <>
      {(['upper', 'lower'] as const).map((one, at) => (
        <g
          key={one}
          className={both || one === half ? undefined : styles.free}
          transform={`translate(${left} ${at * side.height + bottom}) rotate(-90)`}
        >
          <rect className={styles.label} width={LABEL.width} height={LABEL.height} rx="1" />
          <LabelLines />
        </g>
      ))}
      <path className={styles.fold} d={`M0 ${side.height} h${side.width}`} />
    </>
  )
}

const CodeLines = () => (
  <text className={styles.code} x="6" y="14">
    {['^XA', '^FO40', '^FD…', '^XZ'].map((line, at) => (
      <tspan key={line} x="6" dy={at === 0 ? 0 : 12}>
        {line}
      </tspan>
    ))}
  </text>
)

/** The handles of a picture. */
const Corners = () => (
  <g className={styles.handles}>
    {[0, LABEL.width].flatMap(x =>
      [0, LABEL.height].map(y => (
        <rect key={`${x} ${y}`} x={x - 2} y={y - 2} width="4" height="4" />
      )),
    )}
  </g>
)

/** Service, address and bars; they encode nothing. */
const LabelLines = () => (
  <g className={styles.ink}>
    <rect x="4" y="5" width="9" height="9" />
    <rect x="17" y="7" width="19" height="2.5" />
    <rect x="10" y="22" width="20" height="2.5" />
    <rect x="10" y="27" width="15" height="2.5" />
    {[5, 9, 11, 15, 19, 21, 25, 29, 31, 34].map((x, at) => (
      <rect key={x} x={x} y="40" width={at % 3 === 0 ? 2.4 : 1.2} height="13" />
    ))}
  </g>
)
