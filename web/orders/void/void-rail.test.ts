import { expect, test } from 'vitest'
import { voidRail } from './void-rail.ts'

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const rail = (options: Partial<Parameters<typeof voidRail>[0]>) =>
  voidRail({
    dollars: 9.5,
    owner: 'own',
    decisionDays: 0,
    isRequested: false,
    submittedAt: null,
    now: NOW,
    ...options,
  }).map(({ name, text, state }) => `${state}: ${name}. ${text}`)

test('before a void the steps say how long the carrier usually takes', () => {
  expect(rail({})).toEqual([
    'now: We ask the carrier. Now',
    'next: The carrier confirms. Usually at once',
    'next: $9.50 is back in your balance. Right after that',
  ])
  expect(rail({ decisionDays: 15 })[1]).toBe('next: The carrier confirms. Takes 15 days or more')
})

test('while the carrier decides the days are counted from its acceptance', () => {
  const waiting = rail({
    decisionDays: 15,
    isRequested: true,
    submittedAt: '2026-11-20T11:00:00.000Z',
  })
  expect(waiting.slice(0, 2)).toEqual([
    'done: Void requested. The carrier accepted the request',
    'now: The carrier confirms. Day 3, takes 15 days or more',
  ])
})

test('a free label has no refund to wait for', () => {
  expect(rail({ dollars: 0 })).toHaveLength(2)
})
