/** One month of days. Arrow keys move by days and weeks, Home and End within the week, Page Up and Page Down by months. */
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { Button, IconButton } from './Button.tsx'
import {
  addDays,
  addMonths,
  isSameMonth,
  longDayText,
  monthOfDayText,
  today,
  weekdayOf,
  weeksOfMonth,
} from './calendar.ts'
import { texts } from './texts.ts'
import styles from './DateField.module.css'

const t = texts.dates

const dayAfterKey: Record<string, (day: string) => string> = {
  ArrowLeft: day => addDays(day, -1),
  ArrowRight: day => addDays(day, 1),
  ArrowUp: day => addDays(day, -7),
  ArrowDown: day => addDays(day, 7),
  Home: day => addDays(day, -weekdayOf(day)),
  End: day => addDays(day, 6 - weekdayOf(day)),
  PageUp: day => addMonths(day, -1),
  PageDown: day => addMonths(day, 1),
}

type CalendarProps = {
  /** The chosen day as ISO text; '' for none. */
  value: string
  /** '' clears the field. */
  onChoose: (iso: string) => void
  /** Of a range of past days: days to come are pale, and today is among the ranges. */
  isOfRange?: boolean
  /** Which end of the range the day is. */
  end?: string | undefined
}

export function Calendar({ value, onChoose, isOfRange = false, end }: CalendarProps) {
  const now = today()
  const [day, setDay] = useState(value || now)
  const grid = useRef<HTMLTableElement>(null)
  const moved = useRef(true)
  // The focus follows the keys, not the buttons that turn months.
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    moved.current = false
  }, [day])
  const onKey = (event: KeyboardEvent) => {
    const go = dayAfterKey[event.key]
    if (!go) return
    event.preventDefault()
    moved.current = true
    setDay(go(day))
  }
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <IconButton
          name={t.previousMonth}
          tooltip={false}
          onClick={() => setDay(addMonths(day, -1))}
        >
          <IconChevronLeft aria-hidden="true" />
        </IconButton>
        <span className={styles.month} aria-live="polite">
          {end && <span className={styles.end}>{end}</span>} {monthOfDayText(day)}
        </span>
        <IconButton name={t.nextMonth} tooltip={false} onClick={() => setDay(addMonths(day, 1))}>
          <IconChevronRight aria-hidden="true" />
        </IconButton>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moved by keys */}
      <table ref={grid} aria-label={monthOfDayText(day)} onKeyDown={onKey}>
        <thead>
          <tr>
            {t.weekdays.map(([short, long]) => (
              <th key={long} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOfMonth(day).map(week => (
            <tr key={week[0]}>
              {week.map(iso => (
                <td key={iso}>
                  <button
                    type="button"
                    className={styles.day}
                    tabIndex={iso === day ? 0 : -1}
                    aria-label={longDayText(iso)}
                    aria-pressed={iso === value}
                    aria-current={iso === now ? 'date' : undefined}
                    data-chosen={iso === value || undefined}
                    data-other={!isSameMonth(iso, day) || undefined}
                    data-later={(isOfRange && iso > now) || undefined}
                    onClick={() => onChoose(iso)}
                  >
                    {Number(iso.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.foot}>
        {value !== '' && (
          <Button size="small" kind="quiet" onClick={() => onChoose('')}>
            {t.clear}
          </Button>
        )}
        {!isOfRange && (
          <Button size="small" onClick={() => onChoose(now)}>
            {t.today}
          </Button>
        )}
      </div>
    </div>
  )
}
