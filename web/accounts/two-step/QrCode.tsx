import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './TwoStep.module.css'

/** Light modules around the code, which scanners need. */
const QUIET_ZONE = 2

/** Dark on light in both color schemes: many scanners do not read an inverted code. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { size, path } = useMemo(() => drawingOf(text), [text])
  return (
    <svg className={styles.qr} role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  )
}

/** One rectangle for each run of dark modules in a row. */
function drawingOf(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const runs = data.flatMap((row, y) =>
    Array.from(
      row
        .map(dark => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    ),
  )
  return { size, path: runs.join('') }
}
