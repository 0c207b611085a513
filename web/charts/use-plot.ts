import { useEffect, useState } from 'react'

const RETRY_DELAYS_MS = [500, 2_000]

/**
 * The code of a plot, loaded after the page that shows it: null while loading, 'failed' after the
 * last retry. `load` must be the same function at each render.
 */
export function usePlot<Plot extends object>(load: () => Promise<Plot>): Plot | null | 'failed' {
  const [plot, setPlot] = useState<{ code: Plot } | null | 'failed'>(null)
  useEffect(() => {
    let unused = false
    const attempt = (retries: readonly number[]): void => {
      load().then(
        code => unused || setPlot({ code }),
        () => {
          const [pause, ...more] = retries
          if (unused) return
          if (pause === undefined) setPlot('failed')
          else setTimeout(() => attempt(more), pause)
        },
      )
    }
    attempt(RETRY_DELAYS_MS)
    return () => {
      unused = true
    }
  }, [load])
  return plot === null || plot === 'failed' ? plot : plot.code
}
