import { expect, test } from 'vitest'
import { stepsOf } from './guide-steps.ts'

test('code stands beside the text before it', () => {
  const [one, two, three] = [{ p: 'one' }, { p: 'two' }, { list: ['three'] }]
  const [a, b] = [{ code: 'a' }, { code: 'b' }]
  expect(stepsOf([one, two, a, b, three])).toEqual([
    { texts: [one, two], codes: [a, b] },
    { texts: [three], codes: [] },
  ])
  expect(stepsOf([a, one])).toEqual([
    { texts: [], codes: [a] },
    { texts: [one], codes: [] },
  ])
})

test('a name begins a step, also after text without code', () => {
  const [one, two, a] = [{ p: 'one' }, { p: 'two' }, { code: 'a' }]
  expect(stepsOf([{ step: 'First' }, one, { step: 'Second' }, two, a])).toEqual([
    { title: 'First', texts: [one], codes: [] },
    { title: 'Second', texts: [two], codes: [a] },
  ])
})
