/** A day: typed as dd-mm-yyyy or chosen in a calendar. The value is ISO text ('2026-11-21'), '' for none. */
import { Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { addDays, addMonths, dayText, longDayText, parseDay, today } from './calendar.ts'
import { Calendar } from './Calendar.tsx'
import { TextField } from './Field.tsx'
import type { FieldError } from './Field.tsx'
import { texts } from './texts.ts'
import { useTopmostLayer } from './use-topmost-layer.ts'
import { useIsPhone } from './use-viewport.ts'
import styles from './DateField.module.css'

const WINDOW_MARGIN_PX = 16

/** Both days included. */
export type DayRange = { from: string; to: string }

type DateFieldProps = {
  label: string
  error: FieldError
  value: string
  /** While the text is no day, a single field gives '', so that no earlier day is used instead; an end of a range stays. */
  onDay: (iso: string) => void
  /** Of one end of a range: common ranges are offered beside the calendar. */
  onRange?: (days: DayRange) => void
  hideLabel?: boolean
  className?: string
  'data-autofocus'?: boolean
}

export function DateField({
  label,
  error,
  value,
  onDay,
  onRange,
  hideLabel,
  className,
  'data-autofocus': autofocus,
}: DateFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const unread = typed !== null && typed.trim() !== '' && parseDay(typed) === null
  const [left, setLeft] = useState(false)
  const phone = useIsPhone()
  // Escape closes the calendar, not the dialog around the field.
  useTopmostLayer(open, () => {})

  const type = (text: string) => {
    setTyped(text)
    setLeft(false)
    const day = text.trim() === '' ? '' : (parseDay(text) ?? (onRange ? value : ''))
    if (day !== value) onDay(day)
  }
  const leave = () => {
    if (unread) setLeft(true)
    else setTyped(null)
  }
  const close = () => {
    setTyped(null)
    setOpen(false)
    input.current?.focus()
  }
  const choose = (day: string) => {
    close()
    onDay(day)
  }
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      withOverlay={phone}
      width="var(--days-width)"
      middlewares={{ flip: true, shift: { padding: WINDOW_MARGIN_PX, crossAxis: phone } }}
      overlayProps={{ className: styles.overlay }}
      returnFocus
      withRoles={false}
      transitionProps={{ duration: 120 }}
      classNames={{ dropdown: styles.dropdown }}
    >
      <Popover.Target>
        <div className={className}>
          <TextField
            ref={input}
            label={label}
            hideLabel={hideLabel}
            data-autofocus={autofocus}
            error={unread && left ? texts.dates.unread : error}
            value={typed ?? dayText(value)}
            title={longDayText(value)}
            placeholder={texts.dates.format}
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            onChange={event => type(event.currentTarget.value)}
            onBlur={leave}
            rightSection={
              <IconButton
                name={texts.dates.open}
                aria-description={label}
                tooltip={false}
                aria-haspopup="dialog"
                aria-expanded={open}
                onClick={() => setOpen(!open)}
              >
                <IconCalendar aria-hidden="true" />
              </IconButton>
            }
          />
        </div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.dates.choose(label)}>
        <div className={styles.choices}>
          {onRange && (
            <Ranges
              onRange={days => {
                close()
                onRange(days)
              }}
            />
          )}
          <Calendar
            value={value}
            isOfRange={onRange !== undefined}
            end={onRange && label}
            onChoose={choose}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Ranges({ onRange }: { onRange: (days: DayRange) => void }) {
  const t = texts.dates
  const to = today()
  const firstOfMonth = `${to.slice(0, 8)}01`
  const yesterday = addDays(to, -1)
  const ranges: [name: string, from: string, to: string][] = [
    [t.today, to, to],
    [t.yesterday, yesterday, yesterday],
    [t.sevenDays, addDays(to, -6), to],
    [t.thirtyDays, addDays(to, -29), to],
    [t.thisMonth, firstOfMonth, to],
    [t.lastMonth, addMonths(firstOfMonth, -1), addDays(firstOfMonth, -1)],
  ]
  return (
    <div role="group" aria-label={t.ranges} className={styles.ranges}>
      {/* Tells that they set both days. */}
      <span className={styles.rangesTitle} aria-hidden="true">
        {t.ranges}
      </span>
      {ranges.map(([name, ...days]) => (
        <Button
          key={name}
          size="small"
          kind="quiet"
          onClick={() => onRange({ from: days[0], to: days[1] })}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}
