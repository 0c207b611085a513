import { expect, test } from 'vitest'
import { nameIn } from './take-file.ts'

test('a saved file has the name that the server gives it', () => {
  expect(nameIn('attachment; filename="SAMPLE-81.zpl"')).toBe('SAMPLE-81.zpl')
  expect(nameIn('inline; filename="SAMPLE-81.png"')).toBe('SAMPLE-81.png')
})

test('a file without a name is a file all the same', () => {
  expect(nameIn(null)).toBe('file')
  expect(nameIn('attachment')).toBe('file')
})
