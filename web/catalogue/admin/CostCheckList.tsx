import { useState } from 'react'
import { numberText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { CostCheck } from '#contract/price-tables.ts'
import { checkCosts } from '#web/catalogue/tables/use-price-tables.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

const t = texts.ruleDialog

/** The carrier's prices of now beside the costs, when asked for. */
export function CostCheckList({ uid }: { uid: string }) {
  const [checks, setChecks] = useState<CostCheck[] | null>(null)
  const { busy, refused, run } = useAction(t.checkFailed)
  const ask = () => run(async () => setChecks(await checkCosts(uid)))
  return (
    <div className={styles.check}>
      <p className={styles.rule}>{t.checkAbout}</p>
      <Button size="small" busy={busy} onClick={ask}>
        {t.check}
      </Button>
      <ErrorLine>{refused}</ErrorLine>
      <div role="status" aria-label={t.checked}>
        {checks?.length === 0 && <p>{t.checkNone}</p>}
        {checks && checks.length > 0 && (
          <ul className={styles.examples}>
            {checks.map((check, at) => (
              <li key={at} data-tone={aboveBy(check) > 0 ? 'red' : undefined}>
                {checkText(check)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

const aboveBy = ({ now, known }: CostCheck): number =>
  now === null || known === null ? 0 : Math.round((now - known) * 100) / 100

function checkText(check: CostCheck): string {
  const { weight, fromZip, toZip, now, known, reason } = check
  const above = aboveBy(check)
  const parts = [
    now === null ? reason! : t.now(usdFromDollars(now)),
    known === null ? t.unknown : t.known(usdFromDollars(known)),
    ...(above > 0 ? [t.above(usdFromDollars(above))] : []),
  ]
  return `${t.parcel(numberText(weight), fromZip, toZip)}: ${parts.join(', ')}`
}
