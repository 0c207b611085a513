import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import {
  changeOf,
  evidenceText,
  NO_HISTORY,
  noteOf,
  passedAmount,
  ruleFor,
  settlementOf,
  stateOf,
} from './rules.ts'
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

const LABEL = { wasVoided: false, isRefundKept: false, isDeleted: false, price: cents(950) }
const settled = (
  amount: number,
  rule: Rule,
  label: Partial<typeof LABEL>,
  before: [carrier: number, passed: number] = [0, 0],
) => {
  const totals = { carrier: cents(before[0]), passed: cents(before[1]) }
  const { amount: booked, passed: paid } = settlementOf(
    cents(amount),
    rule,
    { ...LABEL, ...label },
    totals,
  )
  return [booked, paid]
}

test('credits of a label come to no more than its customer paid for it', () => {
  expect(settled(-9_999_99, PASS_ON, {})).toEqual([-9_999_99, -950])
  expect(settled(-9_999_99, PASS_ON, {}, [300, 300])).toEqual([-9_999_99, -1_250])
  expect(settled(-9_999_99, PASS_ON, {}, [-700, -700])).toEqual([-9_999_99, -250])
  expect(settled(-100, PASS_ON, {}, [-950, -950])).toEqual([-100, 0])
})

test('a credit for a voided label is the void’s refund: neither customer nor cost counts it twice', () => {
  const isVoided = { wasVoided: true }
  expect(settled(-510, PASS_ON, isVoided)).toEqual([0, 0])
  expect(settled(-510, PASS_ON, isVoided, [200, 200])).toEqual([-200, -200])
  expect(settled(300, PASS_ON, isVoided)).toEqual([300, 0])
})

test('the carrier’s refund of a used label is the operator’s, and so is what the carrier then takes for its use', () => {
  const isUsed = { isRefundKept: true }
  expect(settled(-510, PASS_ON, isUsed)).toEqual([-510, 0])
  expect(settled(510, PASS_ON, isUsed, [-510, 0])).toEqual([510, 0])
  expect(settled(-510, PASS_ON, isUsed, [200, 200])).toEqual([-510, -200])
  expect(settled(300, PASS_ON, isUsed)).toEqual([300, 300])
})

test('a deleted account is neither charged nor credited', () => {
  expect(settled(-300, PASS_ON, { isDeleted: true }, [300, 300])).toEqual([-300, 0])
  expect(settled(300, PASS_ON, { isDeleted: true })).toEqual([300, 0])
})

test('of whole changes the newest report counts, in any order', () => {
  const change = (amount: number, reportedOn: string, carrier = 0, before: string | null = null) =>
    changeOf(
      { amount: cents(amount), isTotal: true, reportedOn },
      { ...NO_HISTORY, carrier: cents(carrier), reportedOn: before },
    )
  expect(change(300, '2026-11-30')).toBe(300)
  expect(change(500, '2026-12-31', 300, '2026-11-30')).toBe(200)
  expect(change(300, '2026-11-30', 500, '2026-12-31')).toBe(0)
  expect(change(300, '2027-01-31', 500, '2026-12-31')).toBe(-200)
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
    '50.5 oz measured, 32 oz declared; zone 5, declared 4',
  )
  expect(noteOf('Overweight', { declared, measured: { heightIn: 8 } })).toBe(
    'Overweight: height 8 in',
  )
  expect(noteOf('', { declared, measured: {} })).toBe('Corrected by the carrier')
})
