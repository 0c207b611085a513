import { expect, test } from 'vitest'
import { voidSteps } from './void-steps.ts'

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const stepsOf = (options: Partial<Parameters<typeof voidSteps>[0]>) =>
  voidSteps({
    dollars: 9.5,
    owner: 'own',
    decisionDays: 0,
    isRequested: false,
    submittedAt: null,
    delayDays: 0,
    dueAt: null,
    now: NOW,
    ...options,
  }).map(({ name, text, state }) => `${state}: ${name}. ${text}`)

test('before a void the steps say how long the carrier usually takes', () => {
  expect(stepsOf({})).toEqual([
    'current: We ask the carrier. Now',
    'ahead: The carrier confirms. Usually right away',
    'ahead: $9.50 is back in your balance. Right after that',
  ])
  expect(stepsOf({ decisionDays: 15 })[1]).toBe(
    'ahead: The carrier confirms. Takes 15 days or more',
  )
})

test('while the carrier decides the days are counted from its acceptance', () => {
  const waiting = stepsOf({
    decisionDays: 15,
    isRequested: true,
    submittedAt: '2026-11-20T11:00:00.000Z',
  })
  expect(waiting.slice(0, 2)).toEqual([
    'done: Void requested. The carrier accepted the request',
    'current: The carrier confirms. Day 3, takes 15 days or more',
  ])
})

test('a refund that waits says for how many days, and then its day', () => {
  expect(stepsOf({ delayDays: 5 })[2]).toBe(
    'ahead: $9.50 is back in your balance. 5 days after that, unless the label is scanned',
  )
  expect(
    stepsOf({ delayDays: 5, isRequested: true, dueAt: '2026-11-27T12:00:00.000Z' }).slice(1),
  ).toEqual([
    'done: The carrier confirms. The carrier has voided it',
    'current: $9.50 is back in your balance. Expected on 27-11-2026, unless the label is scanned',
  ])
})

test('a free label has no refund to wait for', () => {
  expect(stepsOf({ dollars: 0 })).toHaveLength(2)
})
