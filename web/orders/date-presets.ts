/** Ranges of days that people look for. Days are ISO text ('2026-11-21') in the reader's time zone. Pure. */
import { isoDay } from '#web/ui/calendar.ts'
import type { DayRange } from '#web/ui/DateField.tsx'
import { texts } from './texts.ts'

export const DATE_PRESETS = ['today', 'week', 'month', 'thisMonth', 'lastMonth'] as const
type DatePreset = (typeof DATE_PRESETS)[number]

/** `today`: any time of the reader's day. A range to today is open, so that a kept link stays true. */
export function rangeOfPreset(preset: DatePreset, today: Date): DayRange {
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()]
  switch (preset) {
    case 'today':
      return { from: isoDay(today), to: '' }
    case 'week':
      return { from: isoDay(new Date(year, month, day - 6)), to: '' }
    case 'month':
      return { from: isoDay(new Date(year, month, day - 29)), to: '' }
    case 'thisMonth':
      return { from: isoDay(new Date(year, month, 1)), to: '' }
    case 'lastMonth':
      return {
        from: isoDay(new Date(year, month - 1, 1)),
        to: isoDay(new Date(year, month, 0)),
      }
  }
}

/** The preset that gives this range today; '' for no range, 'days' for another one. */
export function presetOfRange({ from, to }: DayRange, today: Date): DatePreset | '' | 'days' {
  if (from === '' && to === '') return ''
  const found = DATE_PRESETS.find(preset => {
    const range = rangeOfPreset(preset, today)
    return range.from === from && range.to === to
  })
  return found ?? 'days'
}

export const datePresetOptions = (): { value: string; label: string }[] => [
  { value: '', label: texts.dates.any },
  ...DATE_PRESETS.map(value => ({ value, label: texts.dates[value] })),
  { value: 'days', label: texts.dates.choose },
]
