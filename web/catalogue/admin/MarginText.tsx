import type { PoundCost, PriceStep } from '#web/charts/steps.ts'
import { costWords, marginWords } from './price-margin.ts'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

/** '$0.57', beside a cost that says at which weights it is known; red where it is below cost. */
export function MarginFigure({ step, costs }: { step: PriceStep; costs: readonly PoundCost[] }) {
  const words = marginWords(step, costs)
  return (
    words && (
      <span className={styles.figure} data-tone={words.loss ? 'red' : undefined}>
        {words.figure}
      </span>
    )
  )
}

/** '$5.93 at 2 lb': what the carrier charges, below a head that names it. */
export function CostFigure({ step, costs }: { step: PriceStep; costs: readonly PoundCost[] }) {
  const words = costWords(step, costs)
  if (!words) return <span className={styles.figure}>{texts.margin.unknownFigure}</span>
  return (
    <span className={styles.figure}>
      {words.figure} {words.known && <span className={styles.figureKnown}>{words.known}</span>}
    </span>
  )
}
