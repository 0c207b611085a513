import { expect, test } from 'vitest'
import {
  changeLines,
  userChangesFrom,
  userDraftErrors,
  toUserDraft,
  isUserDraftChanged,
  untouchedValues,
} from './user-changes.ts'

const ana = { user_role: 'user', balance: 20.1, referralCode: 'ANA' } as const
const untouched = toUserDraft(ana)

test('an unedited row has no changes', () => {
  expect(userChangesFrom(untouched, ana)).toEqual({})
  expect(userDraftErrors(untouched, ana)).toEqual({})
  expect(userChangesFrom({ ...untouched, balance: '$20.1', referralCode: ' ana ' }, ana)).toEqual(
    {},
  )
})

test('a row has unsaved changes as soon as anything is typed, even only a reason', () => {
  expect(isUserDraftChanged(untouched, ana)).toBe(false)
  expect(isUserDraftChanged({ ...untouched, balance: '2' }, ana)).toBe(true)
  expect(isUserDraftChanged({ ...untouched, reason: 'Goodwill' }, ana)).toBe(true)
})

test('a purchase while another field is edited is not undone by saving that field', () => {
  const draft = { ...untouched, referralCode: 'ANA-2' }
  const now = { ...ana, balance: 13.6, referralCode: 'ANNA' }
  const renewed = { ...draft, ...untouchedValues(draft, ana, now) }
  expect(renewed.balance).toBe('13.60')
  expect(userDraftErrors(renewed, now)).toEqual({})
  expect(userChangesFrom(renewed, now)).toEqual({ referralCode: 'ANA-2' })
})

test('an amount is read in common formats, and anything else is an error', () => {
  const draftOf = (balance: string) => ({ ...untouched, balance, reason: 'Refund' })
  const nextOf = (balance: string) => userChangesFrom(draftOf(balance), ana).balance?.next
  expect(['25', '$1,250.50', '.5', '0', '7.'].map(nextOf)).toEqual([25, 1250.5, 0.5, 0, 7])
  for (const wrong of ['', '-1', '1.005', '1,5', 'ten', '.', '10000001', '1e3'])
    expect(userDraftErrors(draftOf(wrong), ana)).toEqual({
      balance: 'Balance must be $0 or more, with at most two decimals',
    })
})

test('a changed balance needs a reason', () => {
  expect(userDraftErrors({ ...untouched, balance: '25', reason: ' ' }, ana)).toEqual({
    reason: 'Reason is required',
  })
  expect(userDraftErrors({ ...untouched, balance: '25', reason: 'Goodwill' }, ana)).toEqual({})
})

test('an empty referral code is refused', () => {
  expect(userDraftErrors({ ...untouched, referralCode: ' ' }, ana)).toEqual({
    referralCode: 'Referral code is required',
  })
})

test('changes are listed with old value, new value and the exact difference', () => {
  const changes = userChangesFrom(
    { user_role: 'friend', balance: '0.20', referralCode: 'ana-2', reason: ' Wrong deposit ' },
    ana,
  )
  expect(changes).toEqual({
    role: 'friend',
    balance: { next: 0.2, seen: 20.1, reason: 'Wrong deposit' },
    referralCode: 'ANA-2',
  })
  expect(changeLines(changes, ana)).toEqual([
    { name: 'Role', change: 'User → Friend' },
    { name: 'Balance', change: '$20.10 → $0.20', more: '(−$19.90)', note: 'Wrong deposit' },
    { name: 'Referral code', change: 'ANA → ANA-2' },
  ])
})
