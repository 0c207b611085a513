import { TextField } from '#web/ui/Field.tsx'
import { reversed } from './days.ts'

type DayFieldsProps = {
  from: string
  to: string
  words: { from: string; to: string; reversed: string }
  onChange: (days: { from: string } | { to: string }) => void
  /** Of each of the two. */
  className?: string
}

/** Two days that a list is narrowed to, both inside. */
export function DayFields({ from, to, words, onChange, className }: DayFieldsProps) {
  const error = reversed(from, to) ? words.reversed : null
  return (
    <>
      <TextField
        className={className}
        type="date"
        label={words.from}
        error={null}
        value={from}
        max={to || undefined}
        onChange={event => onChange({ from: event.currentTarget.value })}
      />
      <TextField
        className={className}
        type="date"
        label={words.to}
        error={error}
        value={to}
        min={from || undefined}
        onChange={event => onChange({ to: event.currentTarget.value })}
      />
    </>
  )
}
