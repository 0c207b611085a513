import { expect, test } from 'vitest'
import { editsAfterSave } from './edits-after-save.ts'

const sent = { text: '5', seen: '1' }
const other = { text: '8', seen: '2' }

test('a saved row is no longer edited, and the others still are', () => {
  expect(editsAfterSave({ a: sent, b: other }, 'a', sent, '5')).toEqual({ b: other })
})

test('what is typed in a row while it is saved stays, as a change of what was saved', () => {
  const typed = { a: { ...sent, text: '7' }, b: other }
  expect(editsAfterSave(typed, 'a', sent, '5')).toEqual({ a: { text: '7', seen: '5' }, b: other })
})

test('changes that were discarded while they were saved do not come back', () => {
  expect(editsAfterSave({ b: other }, 'a', sent, '5')).toEqual({ b: other })
})
