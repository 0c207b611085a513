import { expect, test } from 'vitest'
import { fileNameFrom } from './api-files.ts'

test('a saved file has the name from the server', () => {
  expect(fileNameFrom('attachment; filename="SAMPLE-81.zpl"')).toBe('SAMPLE-81.zpl')
  expect(fileNameFrom('inline; filename="SAMPLE-81.png"')).toBe('SAMPLE-81.png')
})

test('a file without a name is still saved', () => {
  expect(fileNameFrom(null)).toBe('file')
  expect(fileNameFrom('attachment')).toBe('file')
})
