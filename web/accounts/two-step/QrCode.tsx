import { useMemo } from 'react'
import { qrDrawing } from './qr-drawing.ts'
import styles from './TwoStep.module.css'

/** Dark on light in both color schemes: many scanners do not read an inverted code. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { size, path } = useMemo(() => qrDrawing(text), [text])
  return (
    <svg className={styles.qr} role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  )
}
