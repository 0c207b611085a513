import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { evidenceText, noteOf, passedAmount, ruleFor, stateOf } from './rules.ts'
import type { Rule } from './rules.ts'

const PASS_ON: Rule = { kind: 'pass_on', limit: null }
const ABSORB: Rule = { kind: 'absorb', limit: null }
const LIMIT: Rule = { kind: 'limit', limit: cents(500) }
const passed = (amount: number, rule: Rule, carrier = 0, before = 0) =>
  passedAmount(cents(amount), rule, { carrier: cents(carrier), passed: cents(before) })

test('a charge is passed on, absorbed, or passed on up to the limit of the label', () => {
  expect(passed(800, PASS_ON)).toBe(800)
  expect(passed(800, ABSORB)).toBe(0)
  expect(passed(800, LIMIT)).toBe(500)
  expect(passed(300, LIMIT)).toBe(300)
  expect(passed(300, LIMIT, 300, 300)).toBe(200)
  expect(passed(300, LIMIT, 800, 500)).toBe(0)
  expect(passed(0, PASS_ON)).toBe(0)
})

test('a credit of the carrier follows the same rule', () => {
  expect(passed(-800, PASS_ON)).toBe(-800)
  expect(passed(-800, ABSORB)).toBe(0)
  expect(passed(-800, LIMIT)).toBe(-500)
})

test('a correction taken back gives back what the customer paid of it, by any rule of now', () => {
  expect(passed(-800, PASS_ON, 800, 800)).toBe(-800)
  expect(passed(-800, ABSORB, 800, 800)).toBe(-800)
  expect(passed(-800, LIMIT, 800, 500)).toBe(-500)
  expect(passed(-400, LIMIT, 800, 500)).toBe(-400)
  expect(passed(-800, PASS_ON, 800, 0)).toBe(0)
  expect(passed(-1_000, PASS_ON, 800, 800)).toBe(-1_000)
  expect(passed(-1_000, PASS_ON, 800, 0)).toBe(-200)
})

test('a credit taken back is charged again, and no more than was credited', () => {
  expect(passed(800, ABSORB, -800, -800)).toBe(800)
  expect(passed(800, PASS_ON, -800, 0)).toBe(0)
  expect(passed(1_000, ABSORB, -800, -800)).toBe(800)
})

test('labels that were voided and accounts that were deleted pay no correction', () => {
  expect(ruleFor(PASS_ON, { wasVoided: false, isDeleted: false })).toBe(PASS_ON)
  expect(ruleFor(PASS_ON, { wasVoided: true, isDeleted: false }).kind).toBe('absorb')
  expect(ruleFor(PASS_ON, { wasVoided: false, isDeleted: true }).kind).toBe('absorb')
})

test('the state says what became of it', () => {
  const of = (amount: number, waiting = 0, isCreditedBack = false, isMatched = true) =>
    stateOf({ isMatched, passed: cents(amount), waiting: cents(waiting), isCreditedBack })
  expect(of(0, 0, false, false)).toBe('unmatched')
  expect([of(0), of(300), of(300, 100), of(-300), of(300, 0, true)]).toEqual([
    'absorbed',
    'charged',
    'waiting',
    'credited',
    'credited_back',
  ])
})

test('the evidence names what was measured otherwise than declared', () => {
  const declared = { weightOz: 32, lengthIn: 10, zone: '4' }
  expect(evidenceText({ declared, measured: { weightOz: 50.5, lengthIn: 10, zone: '5' } })).toBe(
    'weight 50.5 oz, declared 32 oz; zone 5, declared 4',
  )
  expect(noteOf('Overweight', { declared, measured: { heightIn: 8 } })).toBe(
    'Overweight: height 8 in',
  )
  expect(noteOf('', { declared, measured: {} })).toBe('Corrected by the carrier')
})
