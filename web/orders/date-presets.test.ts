import { expect, test } from 'vitest'
import { DATE_PRESETS, presetOfRange, rangeOfPreset } from './date-presets.ts'

const today = new Date(2026, 2, 5, 23, 30)

test('ranges are whole days of the reader, today included', () => {
  expect(rangeOfPreset('today', today)).toEqual({ from: '2026-03-05', to: '' })
  expect(rangeOfPreset('week', today)).toEqual({ from: '2026-02-27', to: '' })
  expect(rangeOfPreset('month', today)).toEqual({ from: '2026-02-04', to: '' })
  expect(rangeOfPreset('lastMonth', today)).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(rangeOfPreset('lastMonth', new Date(2026, 0, 31)).from).toBe('2025-12-01')
})

test('a range in the URL is found again as what was chosen', () => {
  for (const preset of DATE_PRESETS)
    expect(presetOfRange(rangeOfPreset(preset, today), today)).toBe(preset)
  expect(presetOfRange({ from: '', to: '' }, today)).toBe('')
  expect(presetOfRange({ from: '2026-01-02', to: '' }, today)).toBe('days')
})
