import { useState } from 'react'
import { REPORT_DAYS } from '#contract/reports.ts'
import type { ReportDays } from '#contract/reports.ts'
import { Segments } from '#web/ui/Segments.tsx'
import { BalanceCard } from './BalanceCard.tsx'
import { texts } from './texts.ts'

const CURVE_PX = 240

export function BalanceOverTime() {
  const [days, setDays] = useState<ReportDays>(30)
  return (
    <BalanceCard
      days={days}
      heightPx={CURVE_PX}
      action={
        <Segments
          label={texts.curve.days}
          options={REPORT_DAYS.map(value => ({ value, text: texts.curve.period(value) }))}
          value={days}
          onChange={setDays}
          block
        />
      }
    />
  )
}
