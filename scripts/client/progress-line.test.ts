import { expect, test } from 'vitest'
import { progressText } from './progress-line.ts'

test('labels that were bought are shown as bought while failed ones are tried again', () => {
  const status = 'retrying_failed'
  const text = progressText({ status, processedCount: 2, failedCount: 8, totalCount: 10 })
  expect(text).toContain('] 2 of 10 bought, 8 failed')
})
