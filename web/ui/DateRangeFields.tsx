import { isRangeReversed } from './date-range.ts'
import { DateField } from './DateField.tsx'
import type { DayRange } from './DateField.tsx'

type DateRangeFieldsProps = {
  from: string
  to: string
  texts: { from: string; to: string; reversed: string }
  onChange: (days: { from: string } | { to: string } | DayRange) => void
  /** For each of the two fields. */
  className?: string
}

/** Both days are included in the range. */
export function DateRangeFields({ from, to, texts, onChange, className }: DateRangeFieldsProps) {
  const error = isRangeReversed(from, to) ? texts.reversed : null
  return (
    <>
      <DateField
        className={className}
        label={texts.from}
        error={null}
        value={from}
        onDay={day => onChange({ from: day })}
        onRange={onChange}
      />
      <DateField
        className={className}
        label={texts.to}
        error={error}
        value={to}
        onDay={day => onChange({ to: day })}
        onRange={onChange}
      />
    </>
  )
}
