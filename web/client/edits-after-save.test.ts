import { expect, test } from 'vitest'
import { editsAfterConflict, editsAfterSave } from './edits-after-save.ts'

const sent = { text: '5', seen: '1' }
const other = { text: '8', seen: '2' }
const isNotFive = ({ text }: { text: string }) => Number(text) !== 5

test('a saved row is no longer edited, and the others still are', () => {
  expect(editsAfterSave({ a: sent, b: other }, 'a', '5', isNotFive)).toEqual({ b: other })
})

test('what is typed in a row while it is saved stays, as a change of what was saved', () => {
  const typed = { a: { ...sent, text: '7' }, b: other }
  expect(editsAfterSave(typed, 'a', '5', isNotFive)).toEqual({
    a: { text: '7', seen: '5' },
    b: other,
  })
})

test('a saved row is no longer edited when a field has written the same amount in another form', () => {
  const typed = { a: { ...sent, text: '5.00' }, b: other }
  expect(editsAfterSave(typed, 'a', '5', isNotFive)).toEqual({ b: other })
})

test('changes that were discarded while they were saved do not come back', () => {
  expect(editsAfterSave({ b: other }, 'a', '5', isNotFive)).toEqual({ b: other })
})

test('a change that another user came before can be saved once its user knows', () => {
  expect(editsAfterConflict({ a: sent, b: other }, 'a')).toEqual({
    a: { text: '5', seen: null },
    b: other,
  })
})

test('a change that was discarded while it was refused does not come back', () => {
  expect(editsAfterConflict({ b: other }, 'a')).toEqual({ b: other })
})
