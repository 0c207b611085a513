import { isRangeReversed } from './date-range.ts'
import { TextField } from './Field.tsx'

type DateRangeFieldsProps = {
  from: string
  to: string
  texts: { from: string; to: string; reversed: string }
  onChange: (days: { from: string } | { to: string }) => void
  /** For each of the two fields. */
  className?: string
}

/** Both days are included in the range. */
export function DateRangeFields({ from, to, texts, onChange, className }: DateRangeFieldsProps) {
  const error = isRangeReversed(from, to) ? texts.reversed : null
  return (
    <>
      <TextField
        className={className}
        type="date"
        label={texts.from}
        error={null}
        value={from}
        max={to || undefined}
        onChange={event => onChange({ from: event.currentTarget.value })}
      />
      <TextField
        className={className}
        type="date"
        label={texts.to}
        error={error}
        value={to}
        min={from || undefined}
        onChange={event => onChange({ to: event.currentTarget.value })}
      />
    </>
  )
}
